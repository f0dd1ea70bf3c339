package dev.deliverylab.scenario;

/** An action that could not be done. The message says why, for people. */
final class ActionFailed extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ActionFailed(String reason) {
    super(reason);
  }
}
