package dev.deliverylab.sink;

/** What became of a record of a time log in a lane. */
public enum Fate {
  /** In time: it counts in its window. */
  ACCEPTED,
  /** Late, and left out for good. */
  DROPPED,
  /** Late, and set aside where somebody can still use it. */
  SIDE,
  /** Late, and counted all the same: its window was published again. */
  RESTATED,
  /** No order at all, but a reading of the clock. */
  CLOCK;

  /** Whether it came after its window, whatever was made of it. */
  public boolean late() {
    return this == DROPPED || this == SIDE || this == RESTATED;
  }
}
