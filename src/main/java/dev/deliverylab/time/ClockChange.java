package dev.deliverylab.time;

import dev.deliverylab.log.Order;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One thing that is done to the clock, in the words of REST and of scenarios. */
public record ClockChange(
    @Nullable Instant advanceTo,
    @Nullable String mode,
    @Nullable String pace,
    @Nullable Integer step) {

  private static final int MAX_STEP = 1_000;

  /**
   * @throws IllegalArgumentException if it is not exactly one of them, or not allowed
   */
  public ClockChange {
    if (Stream.of(advanceTo, mode, pace, step).filter(Objects::nonNull).count() != 1) {
      throw new IllegalArgumentException(
          "say one of \"advanceTo\":\"2026-01-04T09:45:00Z\", \"mode\":\"virtual\" or \"wall\","
              + " \"pace\":\"at-once\", \"x1\", \"x60\" or \"step\", or \"step\":1");
    }
    if (advanceTo != null && (advanceTo.isBefore(Instant.EPOCH) || advanceTo.isAfter(Order.LAST))) {
      throw new IllegalArgumentException(
          "\"advanceTo\": a time between the years 1970 and 9999; it was " + advanceTo);
    }
    if (mode != null && !mode.equals("wall") && !mode.equals("virtual")) {
      throw new IllegalArgumentException("\"mode\": virtual or wall; it was '" + mode + "'");
    }
    if (pace != null) {
      ArrivalPace unused = ArrivalPace.of(pace);
    }
    if (step != null && (step < 1 || step > MAX_STEP)) {
      throw new IllegalArgumentException("\"step\": 1 to " + MAX_STEP + " records; it was " + step);
    }
  }

  /**
   * Does it.
   *
   * @throws IllegalArgumentException when the clock has passed that time, or is the wall's
   */
  public void on(WindowLanes lanes) {
    if (advanceTo != null) {
      lanes.advanceTo(advanceTo);
    } else if (mode != null) {
      lanes.onWallClock(mode.equals("wall"));
    } else if (pace != null) {
      lanes.pace(ArrivalPace.of(pace));
    } else if (step != null) {
      lanes.step(step);
    }
  }
}
