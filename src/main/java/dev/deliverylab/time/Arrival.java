package dev.deliverylab.time;

import dev.deliverylab.log.Order;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * An order and when it arrives, before it has a place in the log.
 *
 * @param arrivalTime from 1970 to 9999, held to the microsecond, like the time of the event
 * @param partition where it must go; null: where its key takes it
 */
public record Arrival(Order order, Instant arrivalTime, @Nullable Integer partition) {

  /**
   * @throws IllegalArgumentException naming the field and what it allows
   */
  public Arrival {
    if (arrivalTime.isBefore(Instant.EPOCH) || arrivalTime.isAfter(Order.LAST)) {
      throw new IllegalArgumentException("arrivalTime lies between the years 1970 and 9999");
    }
    arrivalTime = arrivalTime.truncatedTo(ChronoUnit.MICROS);
  }
}
