package dev.deliverylab.time;

import java.time.Instant;

/**
 * The clock, written into every partition when it is advanced by hand. As it has a place in the
 * log, a replay meets it where the first reading did.
 */
public record ClockReading(int partition, long offset, Instant arrivalTime) implements TimeRecord {

  @Override
  public String title() {
    return "the clock, " + arrivalTime;
  }
}
