package dev.deliverylab.scenario;

/** The run is over before its script is. The message says why, for people. */
final class RunEnded extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RunEnded(String reason) {
    super(reason);
  }
}
