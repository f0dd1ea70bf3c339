package dev.deliverylab.time;

import dev.deliverylab.lane.Hosted;
import dev.deliverylab.sink.WindowBook;
import org.jspecify.annotations.Nullable;

/** A lane that counts in windows, whoever judges for it. */
sealed interface Windowed extends Hosted, AutoCloseable permits WindowLane, StreamsLane {

  LateRule lateRule();

  Policy policy();

  /**
   * What the next run follows: a replay begins one. Null: what this one does.
   *
   * @throws IllegalArgumentException if it cannot, saying what it can
   */
  void follow(@Nullable Policy next);

  /**
   * What its sink holds, with all that the lane has committed by now.
   *
   * @throws RuntimeException when its sink does not answer
   */
  WindowBook book();

  /** Late records by Kafka Streams' own count, in this life; null where there is none. */
  @Nullable Long engineDropped();

  /** Ends what reads the sink; the lane is of no use afterwards. */
  @Override
  void close();
}
