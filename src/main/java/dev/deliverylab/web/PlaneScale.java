package dev.deliverylab.web;

import dev.deliverylab.time.TimeSnapshot.Point;
import dev.deliverylab.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plane's two axes. Records that lie far from most others get no room: they are marked at the
 * edge. Neither axis depends on the bound, so the picture stands still when only that changes.
 */
record PlaneScale(Axis x, Axis y) {

  static final double WIDTH = 812;
  static final double HEIGHT = 346;
  static final double LEFT = 58;
  static final double RIGHT = 804;
  static final double TOP = 8;
  static final double BOTTOM = HEIGHT - 38;

  /** Arrivals may pause for long, so much counts as near. */
  private static final int ARRIVALS_NEAR = 40;

  private static final int EVENTS_NEAR = 4;

  /**
   * @param now the clock, which may be ahead of all records; null before the first
   * @param home where the axes lie when there are no records
   */
  static PlaneScale of(List<Point> points, Duration window, @Nullable Instant now, Instant home) {
    if (points.isEmpty()) {
      Duration minute = Duration.ofMinutes(1);
      return new PlaneScale(
          across(home, home.plus(minute.multipliedBy(45))),
          up(home.minus(minute.multipliedBy(10)), home.plus(minute.multipliedBy(15))));
    }
    Axis x = arrivals(points, now);
    return new PlaneScale(x, events(points, window, Duration.between(x.from(), x.to())));
  }

  private static Axis arrivals(List<Point> points, @Nullable Instant now) {
    List<Instant> arrivals = points.stream().map(Point::arrivalTime).toList();
    Axis.Stretch most = Axis.most(arrivals, ARRIVALS_NEAR, Duration.ofHours(2));
    Duration span = Axis.longer(most.length(), Duration.ofSeconds(20));
    Instant last = most.last();
    if (now != null && now.isAfter(last)) {
      Instant reach =
          last.plus(Axis.longer(span.multipliedBy(2).dividedBy(3), Duration.ofMinutes(10)));
      last = now.isBefore(reach) ? now : reach;
    }
    Duration margin =
        Axis.longer(Duration.between(most.first(), last).dividedBy(12), Duration.ofSeconds(2));
    return across(most.first().minus(margin), last.plus(margin));
  }

  private static Axis events(List<Point> points, Duration window, Duration span) {
    Duration near = Axis.shorter(window.multipliedBy(3), span);
    Axis.Stretch most =
        Axis.most(points.stream().map(Point::eventTime).toList(), EVENTS_NEAR, near);
    Instant low = most.first();
    Instant high = most.last();
    Duration range = Axis.longer(most.length(), Duration.ofSeconds(10));
    if (window.compareTo(range.multipliedBy(3)) <= 0) {
      low = Window.of(low, window).start();
      high = Window.of(high, window).end();
      range = Duration.between(low, high);
    }
    // Room below for a watermark that follows the newest event, and above for what is to come.
    Duration below =
        Axis.shorter(
            range.multipliedBy(9).dividedBy(10),
            Axis.longer(range.dividedBy(8), window.multipliedBy(2)));
    Duration above =
        Axis.shorter(range.multipliedBy(2).dividedBy(5), Axis.longer(range.dividedBy(12), window));
    return up(low.minus(below), high.plus(above));
  }

  private static Axis across(Instant from, Instant to) {
    // Whole seconds: the script counts from here.
    return new Axis(from.truncatedTo(ChronoUnit.SECONDS), to, LEFT, RIGHT);
  }

  private static Axis up(Instant from, Instant to) {
    return new Axis(from, to, BOTTOM, TOP);
  }

  double x(Point point) {
    return x.at(x.nearest(point.arrivalTime()));
  }

  double y(Point point) {
    return y.at(y.nearest(point.eventTime()));
  }

  /** An arrow towards a record outside the picture; null for one inside. */
  @Nullable String edge(Point point) {
    if (point.eventTime().isAfter(y.to())) {
      return "↑";
    }
    if (point.eventTime().isBefore(y.from())) {
      return "↓";
    }
    if (point.arrivalTime().isBefore(x.from())) {
      return "←";
    }
    return point.arrivalTime().isAfter(x.to()) ? "→" : null;
  }

  /** The region above "event time equals arrival". */
  String future() {
    Instant first = x.from().isBefore(y.from()) ? x.from() : y.from();
    Instant last = x.to().isAfter(y.to()) ? x.to() : y.to();
    return "M%s %sL%s %sH%sz"
        .formatted(x.at(first), y.at(first), x.at(last), y.at(last), x.at(first));
  }
}
