package dev.deliverylab.guarantee;

import dev.deliverylab.log.InLog;
import java.util.List;

/**
 * The narrow object through which a guarantee acts. Each call does one step, records it, lights the
 * line in the browser, and does not return if a crash waits behind that step.
 *
 * @param <R> what the log holds
 */
public interface Steps<R extends InLog> {

  /** The batch that this run of the loop is about, in log order. */
  List<R> poll();

  void effect(R record, Act act);

  void commit(Act act);

  void begin(Act act);

  void storeOffset(Act act);

  void commitTx(Act act);

  void send(R record, Act act);

  /**
   * Gives the batch to the lane's other thread, which runs {@code work}; waits while that thread is
   * too far behind.
   */
  void handOver(List<R> batch, Work<R> work);

  /** What a step does. When it returns, the result would survive a kill. */
  @FunctionalInterface
  interface Act {
    void run() throws Exception;
  }

  /** What the other thread does with a batch. */
  @FunctionalInterface
  interface Work<R> {
    void on(List<R> batch);
  }
}
