package dev.deliverylab.time;

import dev.deliverylab.sink.Fate;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;

/**
 * A window of one partition, as Kafka Streams has counted it so far. The latest one of a window
 * holds; of a window in several partitions the sum of their latest.
 *
 * @param last the order that was counted last
 * @param fate what became of that one: accepted or restated
 * @param maxLateness greatest time from event to arrival; zero if all came ahead of time
 * @param watermark where the partition's stream time less the bound stood when it was counted; the
 *     window is final once a result of the partition shows one at or behind its end
 */
public record WindowResult(
    ArrivedOrder last,
    Fate fate,
    Window window,
    long events,
    BigDecimal revenue,
    Duration maxLateness,
    Instant watermark) {

  static WindowResult first(ArrivedOrder order, Fate fate, Window window, Instant watermark) {
    return new WindowResult(
        order, fate, window, 1, order.order().amount(), order.lateness(), watermark);
  }

  WindowResult plus(ArrivedOrder order, Fate fate, Instant moved) {
    Duration lateness = order.lateness();
    return new WindowResult(
        order,
        fate,
        window,
        events + 1,
        revenue.add(order.order().amount()),
        lateness.compareTo(maxLateness) > 0 ? lateness : maxLateness,
        moved);
  }

  /** Of the log. */
  public int partition() {
    return last.partition();
  }
}
