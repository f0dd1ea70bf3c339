package dev.deliverylab.time;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes the {@link Curve} of a rule. Which time the rule takes to be complete, and so the least
 * bound that would have kept a record, does not depend on the bound: the log is judged once, and
 * each point is a pass over numbers. Times are microseconds since 1970.
 */
final class TimeCurve {

  private static final int MAX_STEPS = 160;
  private static final int SPACED = 40;
  private static final long LONGEST = Policy.MAX_BOUND.toSeconds();
  private static final long SECOND = 1_000_000;

  /** Before all times, even once a bound is taken off. */
  private static final long NEVER = Long.MIN_VALUE / 2;

  /** In order of time. */
  private final long[] windowEnds;

  // One entry for each record of the log; a reading of the clock has no window.
  private final int[] window;
  private final long[] cents;
  private final long[] enough;
  private final long[] reached;
  private final long[] clock;

  private long greatestLateness;

  private TimeCurve(LateRule rule, Policy policy, int partitions, List<TimeRecord> log) {
    Policy unbound =
        new Policy(
            policy.window(), Duration.ZERO, policy.late(), policy.idleAfter(), policy.maxAhead());
    windowEnds =
        log.stream()
            .filter(ArrivedOrder.class::isInstance)
            .mapToLong(record -> micros(windowOf((ArrivedOrder) record, policy).end()))
            .sorted()
            .distinct()
            .toArray();
    window = new int[log.size()];
    cents = new long[log.size()];
    enough = new long[log.size()];
    reached = new long[log.size()];
    clock = new long[log.size()];
    Seen seen = Seen.nothing(partitions);
    int i = 0;
    for (TimeRecord record : log) {
      seen = seen.after(record, rule, unbound);
      reached[i] = micros(seen.watermark());
      clock[i] = micros(seen.clock());
      window[i] = -1;
      if (record instanceof ArrivedOrder order) {
        long end = micros(windowOf(order, policy).end());
        long lateness = order.lateness().toNanos() / 1000;
        window[i] = Arrays.binarySearch(windowEnds, end);
        cents[i] = order.order().amount().unscaledValue().longValueExact();
        enough[i] =
            rule == LateRule.PER_RECORD
                ? up(lateness)
                : above(micros(rule.watermark(order, seen, unbound)), end);
        greatestLateness = Math.max(greatestLateness, up(lateness));
      }
      i++;
    }
  }

  /**
   * @param lane whose curve it is, by name
   * @param policy its bound is where the lane stands now; the others are tried
   * @param log the records in the order in which the lane meets them
   */
  static Curve of(String lane, LateRule rule, Policy policy, int partitions, List<TimeRecord> log) {
    return new TimeCurve(rule, policy, partitions, log).curve(lane, policy.bound().toSeconds());
  }

  private Curve curve(String lane, long bound) {
    long[] steps =
        Arrays.stream(enough).filter(step -> step <= LONGEST).sorted().distinct().toArray();
    long last = steps.length == 0 ? 0 : steps[steps.length - 1];
    long greatest = Math.min(LONGEST, Math.max(greatestLateness, last));
    SortedSet<Long> bounds = new TreeSet<>(List.of(0L, bound, last, greatest));
    for (int i = 1; i < SPACED; i++) {
      bounds.add(greatest * i / SPACED);
    }
    int shown = Math.min(steps.length, MAX_STEPS);
    for (int i = 0; i < shown; i++) {
      bounds.add(steps[(int) ((long) i * steps.length / shown)]);
    }
    return new Curve(lane, bound, greatest, bounds.stream().map(this::point).toList());
  }

  /** The log with this bound, from its first record to its last. */
  private Curve.Point point(long bound) {
    long droppedCents = 0;
    long dropped = 0;
    long delay = NEVER;
    long[] events = new long[windowEnds.length];
    int closed = 0;
    long open = 0;
    long held = 0;
    long mostOpen = 0;
    long mostHeld = 0;
    for (int i = 0; i < window.length; i++) {
      if (window[i] >= 0 && enough[i] > bound) {
        dropped++;
        droppedCents += cents[i];
      } else if (window[i] >= 0) {
        open += events[window[i]] == 0 ? 1 : 0;
        events[window[i]]++;
        held++;
      }
      while (closed < windowEnds.length && windowEnds[closed] <= reached[i] - bound * SECOND) {
        if (events[closed] > 0) {
          delay = Math.max(delay, clock[i] - windowEnds[closed]);
          open--;
          held -= events[closed];
        }
        closed++;
      }
      mostOpen = Math.max(mostOpen, open);
      mostHeld = Math.max(mostHeld, held);
    }
    return new Curve.Point(
        bound,
        BigDecimal.valueOf(droppedCents, 2),
        dropped,
        delay == NEVER ? null : Math.floorDiv(delay, SECOND),
        mostOpen,
        mostHeld);
  }

  /** The least whole number of seconds that is not less. */
  private static long up(long micros) {
    return -Math.floorDiv(-micros, SECOND);
  }

  /** The least bound in whole seconds with which this time does not yet close the window. */
  private static long above(long reached, long end) {
    return reached < end ? 0 : (reached - end) / SECOND + 1;
  }

  private static Window windowOf(ArrivedOrder order, Policy policy) {
    return Window.of(order.order().eventTime(), policy.window());
  }

  private static long micros(@Nullable Instant time) {
    return time == null ? NEVER : ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }
}
