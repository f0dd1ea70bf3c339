package dev.deliverylab.check;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One lane, counted once. Where evidence was missing, the answers are null and the verdict says
 * why.
 *
 * @param tally everything counted so far; it lags while {@code more} is true
 * @param kinds duplicates by where they come from; null for a running balance
 * @param sink null when it could not be read
 * @param recognised second writes that changed no number; null for a running balance
 * @param lost the first lost orders in log order, at most {@value #IDS}; {@code counts} has their
 *     full number
 * @param doubled the first orders applied more than once, at most {@value #IDS}
 * @param firstDoubled the first order this running count saw applied twice: set once, never changed
 * @param newlyDoubled orders that became doubled since the refresh before
 * @param more whether a slice of the work is left for the next refresh; the verdict is unknown
 *     until it is done
 */
public record Count(
    Tally tally,
    Counts counts,
    @Nullable Kinds kinds,
    @Nullable SinkSummary sink,
    TruthSummary truth,
    @Nullable Long recognised,
    Verdict verdict,
    List<BigInteger> lost,
    List<BigInteger> doubled,
    Optional<BigInteger> firstDoubled,
    long newlyDoubled,
    boolean more) {

  /** Ids listed of each sort. */
  public static final int IDS = 100;

  public Count {
    lost = List.copyOf(lost);
    doubled = List.copyOf(doubled);
  }
}
