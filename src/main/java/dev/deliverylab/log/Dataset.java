package dev.deliverylab.log;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Orders that the lab brings along, by name. */
public enum Dataset {
  /** The founding example: five orders, worth 149.45 together. */
  FIVE_ORDERS(
      "five-orders",
      order(1001, "25.50", "09:14:02"),
      order(1002, "12.00", "09:15:41"),
      order(1003, "40.00", "09:17:02"),
      order(1004, "8.75", "09:19:30"),
      order(1005, "63.20", "09:21:11"));

  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list of records
  private final List<Order> orders;

  Dataset(String title, Order... orders) {
    this.title = title;
    this.orders = List.of(orders);
  }

  /**
   * @throws IllegalArgumentException listing the names there are
   */
  public static Dataset named(String name) {
    return Arrays.stream(values())
        .filter(dataset -> dataset.title.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "dataset is one of "
                        + Arrays.stream(values())
                            .map(Dataset::title)
                            .collect(Collectors.joining(", "))));
  }

  /** The name in REST calls and scenarios. */
  public String title() {
    return title;
  }

  public List<Order> orders() {
    return orders;
  }

  private static Order order(long id, String amount, String time) {
    return new Order(
        BigInteger.valueOf(id),
        new BigDecimal(amount),
        Instant.parse("2026-01-04T" + time + "Z"),
        null);
  }
}
