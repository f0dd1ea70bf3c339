package dev.deliverylab.log;

import java.math.BigInteger;

/**
 * An order at its place in the log. Partition and offset say which reading of it this is; the order
 * id says which order.
 */
public record LogRecord(int partition, long offset, Order order) implements InLog {

  @Override
  public BigInteger orderId() {
    return order.orderId();
  }

  @Override
  public String title() {
    return "order " + order.orderId();
  }
}
