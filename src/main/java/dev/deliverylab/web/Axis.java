package dev.deliverylab.web;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A stretch of time laid out on a stretch of the picture.
 *
 * @param start where {@code from} lies, in the picture's own units
 * @param end where {@code to} lies; below {@code start} for an axis that points up
 */
record Axis(Instant from, Instant to, double start, double end) {

  /** Far outside the picture, yet near enough for every browser to draw a line to. */
  private static final double FAR = 20_000;

  private static final long DAY = 86_400;
  private static final long[] STEPS =
      LongStream.of(
              1,
              2,
              5,
              10,
              15,
              30,
              60,
              120,
              300,
              600,
              900,
              1800,
              3600,
              7200,
              10_800,
              21_600,
              43_200,
              DAY,
              2 * DAY,
              7 * DAY,
              30 * DAY,
              90 * DAY,
              365 * DAY,
              3650 * DAY,
              36_500 * DAY)
          .toArray();

  /** Units of the picture for a second. */
  double scale() {
    return Math.abs(end - start) / seconds(from, to);
  }

  /** To a tenth. */
  double at(Instant time) {
    return tenth(Math.max(-FAR, Math.min(FAR, exactly(time))));
  }

  /** However far outside the picture. */
  double exactly(Instant time) {
    return start + (end - start) * seconds(from, time) / seconds(from, to);
  }

  boolean holds(Instant time) {
    return !time.isBefore(from) && !time.isAfter(to);
  }

  /** The nearest time that is on the axis. */
  Instant nearest(Instant time) {
    return time.isBefore(from) ? from : time.isAfter(to) ? to : time;
  }

  /** Round times on it, at most {@code most} of them; each a multiple of a step that is round. */
  List<Instant> ticks(int most, Duration atLeast) {
    double span = seconds(from, to);
    long step = STEPS[STEPS.length - 1];
    for (int i = STEPS.length - 1; i >= 0; i--) {
      if (STEPS[i] >= atLeast.toSeconds() && span / STEPS[i] <= most) {
        step = STEPS[i];
      }
    }
    List<Instant> ticks = new ArrayList<>();
    long first = -Math.floorDiv(-from.toEpochMilli(), step * 1000) * step;
    for (long at = first; at <= to.getEpochSecond() && ticks.size() <= most; at += step) {
      ticks.add(Instant.ofEpochSecond(at));
    }
    return ticks;
  }

  record Stretch(Instant first, Instant last) {

    Duration length() {
      return Duration.between(first, last);
    }
  }

  /**
   * From the least to the greatest time of those that lie near enough to most of the others; the
   * rest would squash the picture.
   *
   * @param spreads how many median distances from the median are near
   * @param least what is near in any case
   */
  static Stretch most(List<Instant> times, int spreads, Duration least) {
    List<Instant> sorted = times.stream().sorted().toList();
    Instant median = sorted.get(sorted.size() / 2);
    List<Duration> distances =
        sorted.stream().map(time -> Duration.between(median, time).abs()).sorted().toList();
    Duration near = longer(distances.get(distances.size() / 2).multipliedBy(spreads), least);
    List<Instant> kept =
        sorted.stream()
            .filter(time -> Duration.between(median, time).abs().compareTo(near) <= 0)
            .toList();
    return new Stretch(kept.get(0), kept.get(kept.size() - 1));
  }

  static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toMillis() / 1000.0;
  }

  static double tenth(double value) {
    return Math.round(value * 10) / 10.0;
  }
}
