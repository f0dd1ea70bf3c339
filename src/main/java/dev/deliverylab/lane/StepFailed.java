package dev.deliverylab.lane;

/** A step of a loop threw: the sink or the broker refused, or did not answer. */
final class StepFailed extends RuntimeException {

  private static final long serialVersionUID = 1L;

  StepFailed(Now place, Throwable cause) {
    super(place.step().label() + " of batch " + place.batch() + " failed", cause);
  }
}
