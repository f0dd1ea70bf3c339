package dev.deliverylab.log;

/** A record of the log that holds no order: somebody else wrote it. */
public final class NotAnOrder extends RuntimeException {

  private final int partition;
  private final long offset;
  private final String reason;

  public NotAnOrder(int partition, long offset, String reason) {
    super("p" + partition + "@" + offset + " is not an order: " + reason);
    this.partition = partition;
    this.offset = offset;
    this.reason = reason;
  }

  public int partition() {
    return partition;
  }

  public long offset() {
    return offset;
  }

  /** What is wrong with it, in one sentence. */
  public String reason() {
    return reason;
  }
}
