package dev.deliverylab.sink;

/** The sink's database does not answer. */
public class SinkUnreachable extends RuntimeException {
  public SinkUnreachable(String message, Throwable cause) {
    super(message, cause);
  }
}
