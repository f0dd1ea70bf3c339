package dev.deliverylab.log;

/** The broker did not do what was asked of the log. The message says why. */
public final class LogUnreachable extends RuntimeException {

  LogUnreachable(String reason) {
    super("the log does not answer: " + reason);
  }

  LogUnreachable(String reason, Throwable cause) {
    super("the log does not answer: " + reason, cause);
  }
}
