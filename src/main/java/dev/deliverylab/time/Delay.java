package dev.deliverylab.time;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;

/** How long made-up orders take from event to arrival. */
public enum Delay {
  /** All arrive as they happen. */
  NONE("none") {
    @Override
    long millis(Random random, long scale) {
      return 0;
    }
  },
  /** Anything from nothing to the scale, all equally likely. */
  UNIFORM("uniform") {
    @Override
    long millis(Random random, long scale) {
      return Math.round(random.nextDouble() * scale);
    }
  },
  /**
   * Half within 0.6 of the scale, one in a hundred beyond 20 times, one in a thousand beyond 99: no
   * bound is ever quite enough. Cut at {@value #LONGEST} times the scale.
   */
  HEAVY_TAIL("heavy-tail") {
    @Override
    long millis(Random random, long scale) {
      // StrictMath, for the same bits on every machine.
      double times = StrictMath.pow(1 - random.nextDouble(), -1 / SHAPE) - 1;
      return Math.round(Math.min(times, LONGEST) * scale);
    }
  };

  private static final double SHAPE = 1.5;
  private static final int LONGEST = 1000;

  private final String label;

  Delay(String label) {
    this.label = label;
  }

  abstract long millis(Random random, long scale);

  /** The word for it in REST, scenarios and pages. */
  public String label() {
    return label;
  }

  /**
   * @throws IllegalArgumentException listing the words there are
   */
  public static Delay of(String label) {
    return Arrays.stream(values())
        .filter(delay -> delay.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("delay is one of " + labels()));
  }

  private static String labels() {
    return Arrays.stream(values()).map(Delay::label).collect(Collectors.joining(", "));
  }
}
