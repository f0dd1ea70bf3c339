package dev.deliverylab.log;

/**
 * Input that is not an order. The message is a whole sentence that starts with the field's name.
 */
public final class OrderRefused extends IllegalArgumentException {

  private final String field;

  OrderRefused(String field, String reason) {
    super(reason);
    this.field = field;
  }

  /** The field at fault as the input names it, or {@code record} when it is the whole. */
  public String field() {
    return field;
  }
}
