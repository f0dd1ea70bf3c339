package dev.deliverylab.sink;

import org.jspecify.annotations.Nullable;

/** The sink's database does not answer. */
public class SinkUnreachable extends RuntimeException {
  public SinkUnreachable(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
