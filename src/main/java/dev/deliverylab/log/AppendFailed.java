package dev.deliverylab.log;

/**
 * Orders that did not all reach the log. The message says why, and how many of them were
 * acknowledged.
 */
public final class AppendFailed extends RuntimeException {

  private final long acknowledged;

  AppendFailed(long acknowledged, Throwable cause) {
    super(
        "the log did not take every order (%s); acknowledged before that: %d"
            .formatted(sentence(cause), acknowledged),
        cause);
    this.acknowledged = acknowledged;
  }

  /** Orders that are in the log for certain. One that was under way may be there, too. */
  public long acknowledged() {
    return acknowledged;
  }

  private static String sentence(Throwable cause) {
    return cause instanceof InterruptedException
        ? "it was interrupted"
        : String.valueOf(cause.getMessage());
  }
}
