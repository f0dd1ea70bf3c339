package dev.deliverylab.sink;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * A lane's sink as its readers see it. Reading never waits for the lane and never changes anything.
 */
public interface SinkTable {

  Shape shape();

  /**
   * Opens the connection of one life, through a wire of its own.
   *
   * @throws SinkUnreachable when the database does not answer
   */
  Connected connect(int life);

  /**
   * Rows written after {@code change}, in order of change; at most {@code limit}. Not for {@link
   * Shape#BALANCE}.
   */
  List<SinkRow> changedAfter(long change, int limit);

  /** All rows of these orders, in row order. Not for {@link Shape#BALANCE}. */
  List<SinkRow> rowsOf(Collection<BigInteger> orderIds);

  /**
   * Rows above {@code row}, in row order; at most {@code limit}. {@code deduplicated}: as the view
   * shows them.
   */
  List<SinkRow> page(long afterRow, int limit, boolean deduplicated);

  /** The last rows, in row order; at most {@code limit}. Not for {@link Shape#BALANCE}. */
  List<SinkRow> newest(int limit);

  /** Balance by account; only for {@link Shape#BALANCE}. */
  Map<String, BigDecimal> balances();

  /** The position stored beside the data, by partition; empty where none was stored. */
  Map<Integer, Long> storedOffsets();

  /** Moves the stored position on purpose: a replay of a lane whose progress lives here. */
  void rewind(Map<Integer, Long> offsets);

  /** A life's connection and the way to cut it. */
  interface Connected {
    Sink sink();

    /**
     * Cuts the wire, as a killed process would: the database finds out by itself. Returns once it
     * has.
     */
    void cut();
  }
}
