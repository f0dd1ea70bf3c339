package dev.deliverylab.log;

/** An import with a line that is not an order. Nothing of it was appended. */
public final class ImportRefused extends IllegalArgumentException {

  private final long line;
  private final String field;
  private final String reason;

  ImportRefused(long line, String field, String reason) {
    super("line " + line + ": " + reason);
    this.line = line;
    this.field = field;
    this.reason = reason;
  }

  /** The line on which the order starts, from 1. */
  public long line() {
    return line;
  }

  /**
   * The field at fault as the input names it; {@code record} or {@code body} when it is more than a
   * field.
   */
  public String field() {
    return field;
  }

  /** A sentence that starts with the field's name. */
  public String reason() {
    return reason;
  }
}
