package dev.deliverylab.sink;

import dev.deliverylab.log.InLog;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A window lane's own connection to its sink, for one life. All writes happen in a transaction,
 * which keeps windows, ledger, state and position together; a connection that breaks leaves nothing
 * of an open one.
 */
public interface WindowSink extends AutoCloseable {

  void begin();

  /** Writes the line into the ledger; its {@code seq} is given here. */
  void enter(LedgerRow row);

  /**
   * Counts an order in its window, which is opened if it is not there.
   *
   * @param published whether the window counts as published, as revision 1, from its first order:
   *     so it is where no watermark ever closes one
   */
  void count(Instant start, Instant end, BigDecimal amount, Duration lateness, boolean published);

  /**
   * Makes final, and publishes as revision 1, every open window that ends at or before the
   * watermark.
   *
   * @param clock stands in the result as the time of publishing
   */
  void closeUpTo(Instant watermark, Instant clock);

  /**
   * Counts an order in a window that is final already, or was never there, and publishes the result
   * again, with the next revision.
   *
   * @param isFinal whether a window that was never there is final from the start
   */
  void restate(
      Instant start,
      Instant end,
      BigDecimal amount,
      Duration lateness,
      Instant clock,
      boolean isFinal);

  /** The lane's own note of where time stands, as {@link #saveState} left it; empty at first. */
  String state();

  void saveState(String state);

  /** Writes the position behind this batch, in the open transaction. */
  void storeOffset(List<? extends InLog> batch);

  void commit();

  /** Ends the connection politely: what a graceful stop does. A death cuts it instead. */
  @Override
  void close();
}
