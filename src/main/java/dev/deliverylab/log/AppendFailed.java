package dev.deliverylab.log;

import org.apache.kafka.common.errors.RetriableException;

/**
 * Orders that did not all reach the log. The message says why, and how many of them were
 * acknowledged.
 */
public final class AppendFailed extends RuntimeException {

  private final long acknowledged;

  public AppendFailed(long acknowledged, Throwable cause) {
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
    if (cause instanceof InterruptedException) {
      return "it was interrupted";
    }
    // Kafka's own words for it name topics and metadata, which is of no help to anybody here.
    return cause instanceof RetriableException
        ? "the broker does not answer; once it does, append again what is missing"
        : String.valueOf(cause.getMessage());
  }
}
