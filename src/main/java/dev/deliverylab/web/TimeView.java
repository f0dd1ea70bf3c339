package dev.deliverylab.web;

import dev.deliverylab.scenario.Run;
import dev.deliverylab.time.LateRule;
import dev.deliverylab.time.TimeSnapshot;
import dev.deliverylab.time.TimeSnapshot.Point;
import dev.deliverylab.time.WindowLaneSnapshot;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the page of time shows whichever lane is drawn.
 *
 * @param clock null while nothing has arrived
 * @param queued what waits for its arrival, in words; empty if nothing does
 * @param further the body of a request that appends one more record, new enough to close what is
 *     open by event time
 * @param tomorrow the body of a request that lets the clock pass all that is there
 * @param run the scenario that made this log or is at work in the room; null if there is none
 */
record TimeView(
    @Nullable Moment clock,
    String mode,
    String pace,
    String queued,
    String records,
    String truth,
    String partitions,
    int batchSize,
    List<TimeLaneView> lanes,
    String further,
    String furtherTitle,
    String tomorrow,
    @Nullable RunView run) {

  private static final Instant FIRST_DAY = Instant.parse("2026-01-04T09:00:00Z");
  private static final long FIRST_OWN_ID = 1006;

  static TimeView of(TimeSnapshot state, TimeSnapshot.Plane plane, @Nullable Run run) {
    Instant home = home(state, plane);
    TimeSnapshot.ClockView clock = state.clock();
    Instant further = further(state);
    Instant now = clock.now();
    Instant arrival =
        now != null && now.isAfter(further.plusSeconds(5)) ? now : further.plusSeconds(5);
    return new TimeView(
        now == null ? null : Moment.of(now, home),
        clock.mode(),
        clock.pace(),
        clock.queued() == 0 ? "" : Figure.count(clock.queued(), "record") + " to come",
        Figure.count(state.records(), "order"),
        Figure.money(state.trueRevenue()),
        Figure.count(state.partitions(), "partition"),
        state.batchSize(),
        state.lanes().stream().map(lane -> TimeLaneView.of(lane, state, plane, home)).toList(),
        "{\"records\":[{\"orderId\":%s,\"amount\":\"10.00\",\"eventTime\":\"%s\",\"arrivalTime\":\"%s\"}]}"
            .formatted(nextId(plane), further, arrival),
        "Append one order of %s: the event-time watermark reaches the end of the last open window"
            .formatted(further),
        "{\"advanceTo\":\"%s\"}"
            .formatted(
                (now == null ? FIRST_DAY.plus(Duration.ofMinutes(45)) : now)
                    .plus(Duration.ofMinutes(30))),
        run == null ? null : RunView.of(run));
  }

  /** The time around which the records lie, so that others are written with their date. */
  static Instant home(TimeSnapshot state, TimeSnapshot.Plane plane) {
    List<Point> points = plane.points();
    if (!points.isEmpty()) {
      return points.stream()
          .map(Point::arrivalTime)
          .sorted()
          .skip(points.size() / 2)
          .findFirst()
          .orElse(FIRST_DAY);
    }
    Instant now = state.clock().now();
    return now == null ? FIRST_DAY : now;
  }

  /** An event as new as this brings the watermark to the end of the last open window. */
  private static Instant further(TimeSnapshot state) {
    Instant latest = FIRST_DAY.plus(Duration.ofMinutes(20));
    for (WindowLaneSnapshot lane : state.lanes()) {
      if (lane.lane().equals(LateRule.EVENT_TIME_WATERMARK.label())) {
        for (WindowLaneSnapshot.WindowView window : lane.windows()) {
          Instant needed = window.end().plus(lane.policy().bound());
          latest = !window.isFinal() && needed.isAfter(latest) ? needed : latest;
        }
      }
    }
    return latest;
  }

  private static BigInteger nextId(TimeSnapshot.Plane plane) {
    BigInteger next = BigInteger.valueOf(FIRST_OWN_ID);
    for (Point point : plane.points()) {
      next = next.max(point.orderId().add(BigInteger.ONE));
    }
    return next;
  }

  /** The rule that a lane follows. */
  static LateRule ruleOf(String lane) {
    return LateRule.named(lane);
  }

  /** Those that the lane met too late, in log order of arrival. */
  static List<Point> late(List<Point> points, String lane) {
    return points.stream()
        .filter(point -> !"accepted".equals(point.fates().getOrDefault(lane, "accepted")))
        .toList();
  }

  /** A fate as the page says it. */
  static String word(String fate) {
    return switch (fate) {
      case "accepted" -> "in time";
      case "side" -> "late, set aside";
      case "restated" -> "late, restated";
      default -> "late, dropped";
    };
  }
}
