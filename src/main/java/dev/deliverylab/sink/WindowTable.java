package dev.deliverylab.sink;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A window lane's sink as its readers see it. Reading never waits for the lane and never changes
 * anything.
 */
public interface WindowTable {

  /**
   * Opens the connection of one life, through a wire of its own.
   *
   * @throws SinkUnreachable when the database does not answer
   */
  Connected connect(int life);

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

  /** The position stored beside the data, by partition; empty where none was stored. */
  Map<Integer, Long> storedOffsets();

  /**
   * Begins a new run, in one transaction: moves the position, forgets every line at or above it
   * together with all windows, publications and state, and lets {@code refold} count again what
   * remains, in the order in which it was met. A partition whose position moves forward keeps its
   * lines.
   *
   * @param policy what the new run follows
   * @param refold is given the sink to write to, whose {@link WindowSink#enter} writes the ledger
   *     anew, and answers with what counts the remaining lines, some at a time
   */
  void beginRun(
      Map<Integer, Long> to, String policy, Function<WindowSink, Consumer<List<LedgerRow>>> refold);

  /** A life's connection and the way to cut it. */
  interface Connected {
    WindowSink sink();

    /** Cuts the wire, as a killed process would; returns once the database has noticed. */
    void cut();
  }

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
