package dev.deliverylab.guarantee;

import dev.deliverylab.log.LogRecord;
import java.util.List;

/**
 * The narrow object through which a guarantee acts. Each call does one step, records it, lights the
 * line in the browser, and does not return if a crash waits behind that step.
 */
public interface Steps {

  /** The batch that this run of the loop is about, in log order. */
  List<LogRecord> poll();

  void effect(LogRecord record, Act act);

  void commit(Act act);

  void begin(Act act);

  void storeOffset(Act act);

  void commitTx(Act act);

  /**
   * Gives the batch to the lane's other thread, which runs {@code work}; waits while that thread is
   * too far behind.
   */
  void handOver(List<LogRecord> batch, Work work);

  /** What a step does. When it returns, the result would survive a kill. */
  @FunctionalInterface
  interface Act {
    void run() throws Exception;
  }

  /** What the other thread does with a batch. */
  @FunctionalInterface
  interface Work {
    void on(List<LogRecord> batch);
  }
}
