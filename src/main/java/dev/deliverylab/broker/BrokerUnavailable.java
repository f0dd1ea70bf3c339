package dev.deliverylab.broker;

import org.jspecify.annotations.Nullable;

/**
 * The broker cannot be used. The message is one or two plain sentences for a person, and says what
 * to do next.
 */
public final class BrokerUnavailable extends RuntimeException {

  public BrokerUnavailable(String sentence) {
    this(sentence, null);
  }

  public BrokerUnavailable(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }
}
