package dev.deliverylab.web;

import dev.deliverylab.lane.LaneState;
import dev.deliverylab.time.LateRule;
import dev.deliverylab.time.TimeSnapshot;
import dev.deliverylab.time.TimeSnapshot.Point;
import dev.deliverylab.time.WindowLaneSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** What the lane that is drawn has to tell: a headline and a sentence. */
record StoryView(Said title, Said text) {

  static StoryView of(TimeSnapshot state, TimeSnapshot.Plane plane, WindowLaneSnapshot lane) {
    Instant home = TimeView.home(state, plane);
    return new StoryView(
        Said.of(title(state, lane), home), Said.of(text(state, plane, lane), home));
  }

  private static String title(TimeSnapshot state, WindowLaneSnapshot lane) {
    String bound = Figure.duration(lane.policy().bound().toSeconds());
    WindowLaneSnapshot.LateCounts late = lane.late();
    if (state.records() == 0) {
      return "Nothing has arrived yet.";
    }
    if (lane.lag() > 0 && lane.accepted() + late.all() == 0) {
      return "The lane " + lane.lane() + " has read nothing yet.";
    }
    if (lane.lag() > 0 && lane.state() != LaneState.RUNNING) {
      return "%s: %s, with %s to read."
          .formatted(
              lane.lane(),
              lane.state().name().toLowerCase(Locale.ROOT),
              Figure.count(lane.lag(), "record"));
    }
    if (lane.missing().signum() != 0) {
      return "Wait %s, and %s %% of the money is missing.".formatted(bound, lane.missingShare());
    }
    if (late.side() > 0) {
      return "Wait %s, and %s %% of the money is set aside."
          .formatted(bound, AnswerView.percent(late.sideRevenue(), lane.trueRevenue()));
    }
    if (late.restated() > 0) {
      return "Late, and counted all the same: "
          + (late.restated() == 1
              ? "a window was published again."
              : "windows were published again.");
    }
    if (TimeView.ruleOf(lane.lane()) == LateRule.PER_RECORD) {
      return "Wait %s, and nothing is late. No window is ever final.".formatted(bound);
    }
    if (lane.openWindows() > 0) {
      return lane.openWindows() == lane.windows().size()
          ? "Nothing is late, and nothing is answered yet."
          : "Nothing is late; the last windows are still open.";
    }
    return "Every window is closed, and the number is right.";
  }

  private static String text(
      TimeSnapshot state, TimeSnapshot.Plane plane, WindowLaneSnapshot lane) {
    if (state.records() == 0) {
      return "Append the five late events: four rules judge the same records, and do not agree.";
    }
    StringBuilder text = new StringBuilder();
    text.append(Figure.count(state.records(), "order"))
        .append(", true total ")
        .append(Figure.money(state.trueRevenue()))
        .append(". ");
    List<Point> late = TimeView.late(plane.points(), lane.lane());
    if (late.size() == 1) {
      Point one = late.get(0);
      text.append(
          "One of them, %s, happened at %s and arrived at %s. "
              .formatted(Figure.shortened(one.orderId()), one.eventTime(), one.arrivalTime()));
    }
    long calls = state.lanes().stream().filter(l -> l.late().all() > 0).count();
    text.append(
        calls == 0 || calls == state.lanes().size()
            ? calls == 0 ? "No rule calls any of them late." : "All rules call something late."
            : "%d of %d rules call something late.".formatted(calls, state.lanes().size()));
    if (state.ahead() > 0) {
      Duration maxAhead = lane.policy().maxAhead();
      text.append(
          " %s from the future; the watermark follows %s."
              .formatted(
                  state.ahead() == 1 ? "One claims to be" : state.ahead() + " claim to be",
                  maxAhead == null
                      ? "it"
                      : "at most " + Figure.duration(maxAhead.toSeconds()) + " past an arrival"));
    }
    return text.toString();
  }
}
