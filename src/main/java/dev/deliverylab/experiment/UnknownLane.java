package dev.deliverylab.experiment;

import dev.deliverylab.guarantee.Guarantees;

/** There is no lane with this name. */
public final class UnknownLane extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnknownLane(String name) {
    super(
        "there is no lane '" + name + "'; the lanes are " + String.join(", ", Guarantees.names()));
  }
}
