package dev.deliverylab.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class PaceTest {

  private static final long SECOND = 1_000_000_000L;

  @Property
  void neverAheadOfTheClockNeverBeyondTheTargetNeverInABurst(
      @ForAll @IntRange(min = 1, max = 100_000) int rate,
      @ForAll @Size(max = 50) List<@LongRange(min = 0, max = 5 * SECOND) Long> gaps) {
    long target = rate * 10L;
    Pace pace = new Pace(rate, target, 0);
    long now = 0;
    long given = 0;
    for (long gap : gaps) {
      now += gap;
      long due = pace.due(now);
      given += due;
      assertThat(due).isBetween(0L, 1 + 2 * rate * Pace.MOST_NANOS / SECOND);
      assertThat(given).isLessThanOrEqualTo(Math.min(target, 1 + now / SECOND * rate + rate));
    }
  }

  @Example
  void keepsTheRateAtSteadyTicksAndEndsOnTheTarget() {
    Pace pace = new Pace(200, 400, 0);
    long given = 0;
    for (long now = 0; now < SECOND; now += SECOND / 100) {
      given += pace.due(now);
    }
    assertThat(given).isBetween(198L, 200L);
    for (long now = SECOND; now <= 2 * SECOND; now += SECOND / 100) {
      given += pace.due(now);
    }
    assertThat(given).isEqualTo(400);
  }

  @Example
  void catchesUpAfterAStallAtTwiceTheRate() {
    Pace pace = new Pace(100, 10_000, 0);
    long given = pace.due(0);
    given += pace.due(10 * SECOND); // 1,000 are due, half a second's worth twice over is given
    assertThat(given).isEqualTo(1 + 1 + 100);
  }
}
