package dev.deliverylab.lane;

/** A command that a lane cannot follow in the state it is in. The message says what would help. */
public final class LaneRefused extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public LaneRefused(String message) {
    super(message);
  }
}
