package dev.deliverylab.lane;

import java.time.Duration;

/**
 * Slow motion: how long every lane lingers on a step, so that an audience can follow. Zero is full
 * speed.
 */
public final class Pace {

  public static final Duration SLOWEST = Duration.ofSeconds(2);

  private volatile Duration perStep = Duration.ZERO;

  public Duration perStep() {
    return perStep;
  }

  /**
   * @throws IllegalArgumentException outside 0 to {@link #SLOWEST}
   */
  public void set(Duration newPerStep) {
    if (newPerStep.isNegative() || newPerStep.compareTo(SLOWEST) > 0) {
      throw new IllegalArgumentException(
          "a step lingers for 0 to " + SLOWEST.toMillis() + " milliseconds");
    }
    perStep = newPerStep;
  }
}
