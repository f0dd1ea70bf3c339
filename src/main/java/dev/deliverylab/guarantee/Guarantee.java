package dev.deliverylab.guarantee;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.sink.Sink;

/**
 * What a consumer does with a batch. The order of the lines in {@link #run} is the order of the
 * steps, and that order is the whole guarantee. A guarantee knows nothing of crashes, browsers or
 * counters.
 */
public interface Guarantee {

  Rule rule();

  /** One turn of the loop, for one batch. */
  void run(Steps<LogRecord> steps, Sink sink, Progress progress);
}
