package dev.deliverylab.lane;

/**
 * What a lane needs (broker or sink) does not answer. The message says which, and what happens
 * next.
 */
public final class LaneUnavailable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public LaneUnavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
