package dev.deliverylab.web;

import dev.deliverylab.time.LateRule;
import dev.deliverylab.time.TimeSnapshot;
import dev.deliverylab.time.TimeSnapshot.Point;
import dev.deliverylab.time.Window;
import dev.deliverylab.time.WindowLaneSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The line that tells late records from the others: a lane's watermark or, per record, the limit.
 *
 * @param slope whether it rises with the clock; else it is the staircase of {@code steps}
 */
record PlaneLine(LateRule rule, Duration bound, Duration window, boolean slope, List<Step> steps) {

  /** From this arrival on the watermark stood there. */
  record Step(Instant at, Instant watermark) {}

  /** Beyond the picture on both sides, so that the line can be moved without being made longer. */
  private static final double REACH = 4000;

  static PlaneLine of(TimeSnapshot state, List<Point> points, WindowLaneSnapshot lane) {
    List<Step> steps = new ArrayList<>();
    for (Point point : points) {
      climb(steps, point.arrivalTime(), point.watermarks().get(lane.lane()));
    }
    // A reading of the clock may have moved it since.
    Instant now = state.clock().now();
    if (now != null) {
      climb(steps, now, lane.watermark());
    }
    LateRule rule = TimeView.ruleOf(lane.lane());
    boolean slope =
        switch (rule) {
          case PER_RECORD -> true;
          case ARRIVAL_WATERMARK -> !state.clock().mode().equals("wall");
          case EVENT_TIME_WATERMARK, STREAMS_WINDOW -> false;
        };
    return new PlaneLine(
        rule, lane.policy().bound(), lane.policy().window(), slope, List.copyOf(steps));
  }

  private static void climb(List<Step> steps, Instant at, @Nullable Instant watermark) {
    if (watermark != null
        && (steps.isEmpty() || watermark.isAfter(steps.get(steps.size() - 1).watermark()))) {
      steps.add(new Step(at, watermark));
    }
  }

  /** When a window that ends then closes; null if that is not known, or never. */
  @Nullable Instant closing(Instant end) {
    if (rule == LateRule.PER_RECORD) {
      return null;
    }
    if (slope) {
      return end.plus(bound);
    }
    return steps.stream()
        .filter(step -> !step.watermark().isBefore(end))
        .map(Step::at)
        .findFirst()
        .orElse(null);
  }

  /** The least bound in whole seconds with which the record is in time. */
  long need(Point point, String lane) {
    if (rule == LateRule.PER_RECORD) {
      Duration lateness = Duration.between(point.eventTime(), point.arrivalTime());
      return lateness.isNegative() ? 0 : lateness.plusNanos(999_999_999).toSeconds();
    }
    Instant stood = point.watermarks().get(lane);
    if (stood == null) {
      return 0;
    }
    Duration past = Duration.between(Window.of(point.eventTime(), window).end(), stood.plus(bound));
    return past.isNegative() ? 0 : past.toSeconds() + 1;
  }

  String path(Axis x, Axis y) {
    if (slope) {
      double steep = y.scale() / x.scale();
      double atLeft = y.exactly(x.from().minus(bound));
      double rise = (x.end() - x.start() + REACH) * steep;
      return "M%s %sL%s %s"
          .formatted(
              x.start() - REACH,
              Axis.tenth(atLeft + REACH * steep),
              x.end() + REACH,
              Axis.tenth(atLeft - rise));
    }
    StringBuilder path = new StringBuilder();
    for (Step step : steps) {
      double height = y.at(step.watermark());
      path.append(
          path.isEmpty()
              ? "M" + x.at(step.at()) + " " + height
              : "H" + x.at(step.at()) + "V" + height);
    }
    return path.isEmpty() ? "" : path.append('H').append(x.end()).toString();
  }

  /** The staircase for the script: pairs of seconds after the epoch. */
  String pairs(Instant epoch) {
    return steps.stream()
        .map(step -> Axis.seconds(epoch, step.at()) + "," + Axis.seconds(epoch, step.watermark()))
        .collect(Collectors.joining(" "));
  }
}
