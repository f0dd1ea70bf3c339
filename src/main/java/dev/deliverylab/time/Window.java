package dev.deliverylab.time;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A tumbling window. Windows are aligned to 1970, as Kafka Streams aligns them.
 *
 * @param end exclusive
 */
public record Window(Instant start, Instant end) {

  /** The window of this size that a time lies in. */
  public static Window of(Instant time, Duration size) {
    long millis = size.toMillis();
    long start = Math.floorDiv(time.toEpochMilli(), millis) * millis;
    return new Window(Instant.ofEpochMilli(start), Instant.ofEpochMilli(start + millis));
  }

  /** Whether the watermark has reached its end; a record of it is late then. */
  boolean passedBy(@Nullable Instant watermark) {
    return watermark != null && !watermark.isBefore(end);
  }
}
