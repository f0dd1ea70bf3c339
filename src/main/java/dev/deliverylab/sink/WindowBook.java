package dev.deliverylab.sink;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a window lane has left in its sink, as readers see it. Reading never waits for the lane and
 * never changes anything.
 */
public interface WindowBook {

  /** Windows that start after this time, in order of time; at most {@code limit}. */
  List<WindowRow> windows(Instant after, int limit);

  /** Late records above {@code seq}, in the order in which they were met; at most {@code limit}. */
  List<LedgerRow> late(long afterSeq, int limit);

  /**
   * All lines above {@code seq}, in the order in which they were written; at most {@code limit}.
   */
  List<LedgerRow> ledger(long afterSeq, int limit);

  /** What was published, in order of window and revision; at most {@code limit} rows. */
  List<Revision> revisions(Instant afterWindow, int limit);

  /** All windows together: what the business reads. */
  Totals totals();

  /**
   * Events and revenue by fate, of the ledger's lines above {@code seq}: what a reader adds to what
   * it has added up before.
   */
  Ledger sums(long afterSeq);

  /** The current run. */
  Run run();

  /**
   * How a lane began the last time, and how far it has come.
   *
   * @param number how often it began anew, from 1; numbers of one run are never added to another's
   * @param policy the rule text that it follows; empty at first
   * @param state its own note of where time stands; empty if there is none
   */
  record Run(int number, String policy, String state) {}

  /**
   * @param openWindows windows that are not final
   * @param openEvents orders counted in those: what the lane must hold
   * @param emitted revenue of all windows, open ones included
   * @param closed revenue of final windows
   * @param answeredAfterSeconds the longest time from the end of a final window to its first
   *     result, by the clock, in whole seconds; null while there is none
   */
  record Totals(
      long openWindows,
      long openEvents,
      BigDecimal emitted,
      BigDecimal closed,
      @Nullable Long answeredAfterSeconds) {}

  /**
   * @param upTo the highest line that was added
   */
  record Ledger(long upTo, Map<Fate, Sum> byFate) {}

  record Sum(long events, BigDecimal revenue) {}
}
