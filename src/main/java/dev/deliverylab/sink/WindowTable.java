package dev.deliverylab.sink;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** A window lane's sink in a database. */
public interface WindowTable extends WindowBook {

  /**
   * Opens the connection of one life, through a wire of its own.
   *
   * @throws SinkUnreachable when the database does not answer
   */
  Connected connect(int life);

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
}
