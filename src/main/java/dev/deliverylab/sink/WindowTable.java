package dev.deliverylab.sink;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

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

  /** The lane's own note of where time stands; empty if there is none. */
  String state();

  /** How often this lane began anew, from 1; numbers of one run are never added to another's. */
  int run();

  /** The rule text that the current run follows; empty at first. */
  String policy();

  /** The position stored beside the data, by partition; empty where none was stored. */
  Map<Integer, Long> storedOffsets();

  /**
   * Begins a new run, in one transaction: moves the position, forgets every line at or above it
   * together with all windows, publications and state, and lets {@code refold} count again what
   * remains, in the order in which it was met. A partition whose position moves forward keeps its
   * lines.
   *
   * @param policy what the new run follows
   * @param refold is given each remaining line and the sink to write it to; its {@link
   *     WindowSink#enter} writes the ledger anew
   */
  void beginRun(
      Map<Integer, Long> to, String policy, BiConsumer<List<LedgerRow>, WindowSink> refold);

  /** A life's connection and the way to cut it. */
  interface Connected {
    WindowSink sink();

    /** Cuts the wire, as a killed process would; returns once the database has noticed. */
    void cut();
  }

  /**
   * @param openWindows windows that are not final
   * @param openEvents orders counted in those: what the lane must hold
   * @param emitted revenue of all windows, open ones included
   * @param closed revenue of final windows
   */
  record Totals(
      long windows,
      long openWindows,
      long events,
      long openEvents,
      BigDecimal emitted,
      BigDecimal closed) {}

  /**
   * @param upTo the highest line that was added
   */
  record Ledger(long upTo, Map<Fate, Sum> byFate) {}

  record Sum(long events, BigDecimal revenue) {}
}
