package dev.deliverylab.time;

import dev.deliverylab.log.Order;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;

/** An order and when it arrived, which may be long after it happened. */
public record ArrivedOrder(int partition, long offset, Instant arrivalTime, Order order)
    implements TimeRecord {

  @Override
  public BigInteger orderId() {
    return order.orderId();
  }

  @Override
  public String title() {
    return "order " + order.orderId();
  }

  /** From event to arrival; zero for an event from the future. */
  public Duration lateness() {
    Duration between = Duration.between(order.eventTime(), arrivalTime);
    return between.isNegative() ? Duration.ZERO : between;
  }
}
