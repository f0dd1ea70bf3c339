package dev.deliverylab.time;

import java.math.BigInteger;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The clock, written into every partition when it is advanced by hand. As it has a place in the
 * log, a replay meets it where the first reading did.
 */
public record ClockReading(int partition, long offset, Instant arrivalTime) implements TimeRecord {

  @Override
  public @Nullable BigInteger orderId() {
    return null;
  }

  @Override
  public String title() {
    return "the clock, " + arrivalTime;
  }
}
