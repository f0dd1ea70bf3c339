package dev.deliverylab.time;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;

/**
 * A window of one partition, as Kafka Streams has counted it so far. The latest one of a window
 * holds; of a window in several partitions the sum of their latest.
 *
 * @param maxLateness greatest time from event to arrival; zero if all came ahead of time
 * @param watermark where the partition's stream time less the grace stood when it was counted; the
 *     window is final once a result of the partition shows one at or behind its end
 */
public record WindowResult(
    int partition,
    Window window,
    long events,
    BigDecimal revenue,
    Duration maxLateness,
    Instant watermark) {

  static WindowResult first(ArrivedOrder order, Window window, Instant watermark) {
    return new WindowResult(
        order.partition(), window, 1, order.order().amount(), order.lateness(), watermark);
  }

  WindowResult plus(ArrivedOrder order, Instant moved) {
    Duration lateness = order.lateness();
    return new WindowResult(
        partition,
        window,
        events + 1,
        revenue.add(order.order().amount()),
        lateness.compareTo(maxLateness) > 0 ? lateness : maxLateness,
        moved);
  }
}
