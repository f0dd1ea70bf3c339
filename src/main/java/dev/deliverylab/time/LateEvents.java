package dev.deliverylab.time;

import dev.deliverylab.log.Order;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;

/** Late orders that the lab brings along, by name. */
public final class LateEvents {

  /** The founding example: one of five arrives 35 minutes after it happened. */
  static final String FIVE = "five-late-events";

  private LateEvents() {}

  /**
   * @throws IllegalArgumentException listing the names there are
   */
  public static List<Arrival> named(String name) {
    if (!name.equals(FIVE)) {
      throw new IllegalArgumentException("dataset is " + FIVE + "; it was '" + name + "'");
    }
    return List.of(
        arrival(1001, "25.50", "09:04:00", "09:04:02"),
        arrival(1002, "12.00", "09:07:00", "09:07:01"),
        arrival(1003, "40.00", "09:09:00", "09:09:03"),
        arrival(1004, "8.75", "09:08:00", "09:14:20"),
        arrival(1005, "63.20", "09:06:00", "09:41:00"));
  }

  private static Arrival arrival(long id, String amount, String event, String arrival) {
    return new Arrival(
        new Order(BigInteger.valueOf(id), new BigDecimal(amount), at(event), null),
        at(arrival),
        null);
  }

  private static Instant at(String time) {
    return Instant.parse("2026-01-04T" + time + "Z");
  }
}
