package dev.deliverylab.log;

/**
 * An order at its place in the log. Partition and offset say which reading of it this is; the order
 * id says which order.
 */
public record LogRecord(int partition, long offset, Order order) implements InLog {

  @Override
  public String title() {
    return "order " + order.orderId();
  }
}
