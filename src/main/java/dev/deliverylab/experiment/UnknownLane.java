package dev.deliverylab.experiment;

import dev.deliverylab.guarantee.Guarantees;

/** There is no lane with this name. */
public final class UnknownLane extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String name;

  UnknownLane(String name) {
    super(
        "there is no lane '" + name + "'; the lanes are " + String.join(", ", Guarantees.names()));
    this.name = name;
  }

  /** The name that was asked for. */
  public String name() {
    return name;
  }
}
