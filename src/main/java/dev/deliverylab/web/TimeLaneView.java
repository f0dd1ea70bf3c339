package dev.deliverylab.web;

import dev.deliverylab.lane.LaneState;
import dev.deliverylab.time.LateRule;
import dev.deliverylab.time.Policy;
import dev.deliverylab.time.TimeSnapshot;
import dev.deliverylab.time.TimeSnapshot.Point;
import dev.deliverylab.time.Window;
import dev.deliverylab.time.WindowLaneSnapshot;
import dev.deliverylab.time.WindowLaneSnapshot.Published;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A window lane: its card and all that explains it.
 *
 * @param formula its rule, short
 * @param rule its rule in full
 * @param sentence how it stands
 * @param waiting what its open windows wait for, or null
 * @param latest late records, newest first; at most {@link #LISTED}
 * @param lateMore what the list leaves out; empty if nothing
 */
record TimeLaneView(
    String name,
    String state,
    String stateCss,
    @Nullable String reason,
    String start,
    boolean startFirst,
    boolean canCrash,
    LoopView loop,
    boolean hasLoop,
    String formula,
    String rule,
    Said sentence,
    @Nullable Said waiting,
    AnswerView answer,
    List<Fact> facts,
    List<WindowLine> windows,
    String windowsMore,
    List<LateLine> latest,
    String lateMore,
    Policy policy,
    String bound) {

  private static final int LISTED = 20;

  record Fact(String name, Said value, String css) {}

  /**
   * @param published each revision of its result, in order
   */
  record WindowLine(
      Moment from,
      Moment to,
      String events,
      String revenue,
      String truth,
      boolean differs,
      String lateness,
      String state,
      String stateCss,
      List<Revision> published) {}

  /**
   * @param old whether a later one took its place
   */
  record Revision(int number, String revenue, Moment at, boolean old) {}

  /** One late record: the numbers that explain what became of it. */
  record LateLine(
      String order,
      String fullOrder,
      String amount,
      Moment happened,
      Moment arrived,
      String lateness,
      @Nullable Moment watermark,
      Moment windowEnd,
      String over,
      String fate) {}

  static TimeLaneView of(
      WindowLaneSnapshot lane, TimeSnapshot time, TimeSnapshot.Plane plane, Instant home) {
    LaneState state = lane.state();
    boolean live = state == LaneState.RUNNING || state == LaneState.PAUSED;
    List<Point> late = TimeView.late(plane.points(), lane.lane());
    List<LateLine> lines = new ArrayList<>();
    for (int i = late.size() - 1; i >= 0 && lines.size() < LISTED; i--) {
      lines.add(line(late.get(i), lane, home));
    }
    long left = lane.late().all() - lines.size();
    String waiting = lane.waiting();
    return new TimeLaneView(
        lane.lane(),
        state.name().toLowerCase(Locale.ROOT),
        RowView.css(state),
        lane.reason(),
        state == LaneState.STOPPED ? "start" : "restart",
        !live,
        live,
        loop(lane, time.batchSize()),
        !lane.steps().isEmpty(),
        formula(lane.lane()),
        lane.rule(),
        Said.of(lane.reason() == null ? sentence(lane, late) : lane.reason(), home),
        waiting == null ? null : Said.of(waiting, home),
        AnswerView.windows(lane),
        facts(lane, home),
        lane.windows().stream().map(window -> window(window, home)).toList(),
        lane.moreWindows() ? "Older windows are left out." : "",
        List.copyOf(lines),
        left > 0 ? Figure.count(left) + " more: /api/time/lanes/" + lane.lane() + "/late" : "",
        lane.policy(),
        Figure.duration(lane.policy().bound().toSeconds()));
  }

  private static LoopView loop(WindowLaneSnapshot lane, int batchSize) {
    return LoopView.of(
        new LoopView.Subject(
            lane.lane(), lane.steps(), false, lane.armed(), lane.now(), lane.lastCrash()),
        batchSize);
  }

  private static String formula(String lane) {
    return switch (TimeView.ruleOf(lane)) {
      case PER_RECORD -> "late if arrival − event > bound";
      case ARRIVAL_WATERMARK -> "late if window end ≤ clock − bound";
      case EVENT_TIME_WATERMARK -> "late if window end ≤ newest event − bound";
      case STREAMS_WINDOW -> "late if window end ≤ stream time − grace";
    };
  }

  private static String sentence(WindowLaneSnapshot lane, List<Point> late) {
    if (TimeView.ruleOf(lane.lane()) == LateRule.PER_RECORD) {
      Point last = late.isEmpty() ? null : late.get(late.size() - 1);
      return last == null
          ? "Each record against its own arrival. No window is ever final."
          : "Each record against its own arrival: %s took %s."
              .formatted(
                  Figure.shortened(last.orderId()), Figure.duration(lateness(last).toSeconds()));
    }
    String watermark =
        lane.watermark() == null ? "No watermark yet" : "Watermark at " + lane.watermark();
    String open =
        lane.openWindows() == 0
            ? lane.windows().isEmpty() ? "no window yet" : "all windows closed"
            : Figure.count(lane.openWindows(), "window") + " open";
    return watermark + ", " + open + ".";
  }

  private static List<Fact> facts(WindowLaneSnapshot lane, Instant home) {
    List<Fact> facts = new ArrayList<>();
    Policy policy = lane.policy();
    add(
        facts,
        home,
        "waits",
        Figure.duration(policy.bound().toSeconds())
            + " for late records, then: "
            + policy.late().label());
    add(facts, home, "windows", Figure.duration(policy.window().toSeconds()));
    add(facts, home, "accepted", Figure.count(lane.accepted()));
    add(facts, home, "late", late(lane));
    add(
        facts,
        home,
        "published",
        Figure.money(lane.closed())
            + " final, "
            + Figure.money(lane.emitted())
            + " with open windows, of a true "
            + Figure.money(lane.trueRevenue()));
    if (TimeView.ruleOf(lane.lane()) != LateRule.PER_RECORD) {
      add(
          facts,
          home,
          "watermark",
          lane.watermark() == null ? "none yet" : lane.watermark().toString());
    }
    Integer heldBackBy = lane.heldBackBy();
    if (heldBackBy != null) {
      add(facts, home, "held back by", "partition " + heldBackBy);
    }
    if (!lane.idle().isEmpty()) {
      add(
          facts,
          home,
          "idle, left out",
          "partition " + String.join(", ", lane.idle().stream().map(String::valueOf).toList()));
    }
    Long answered = lane.answeredAfterSeconds();
    add(
        facts,
        home,
        "time to answer",
        answered == null
            ? "no window is final"
            : Figure.duration(answered) + " after a window's end, at most");
    add(
        facts,
        home,
        "held",
        Figure.count(lane.openWindows(), "open window")
            + ", "
            + Figure.count(lane.openEvents(), "order"));
    Long engine = lane.engineDropped();
    if (engine != null) {
      long ours = lane.late().all();
      facts.add(
          new Fact(
              "the engine counts",
              Said.of(
                  Figure.count(engine)
                      + " dropped in this life; in this run we count "
                      + Figure.count(ours),
                  home),
              ""));
    }
    add(
        facts,
        home,
        "run",
        lane.run()
            + (lane.crashes() > 0
                ? ", crashed " + (lane.crashes() == 1 ? "once" : lane.crashes() + " times")
                : "")
            + (lane.lag() > 0 ? ", " + Figure.count(lane.lag(), "record") + " to read" : ""));
    return List.copyOf(facts);
  }

  private static void add(List<Fact> facts, Instant home, String name, String value) {
    facts.add(new Fact(name, Said.of(value, home), ""));
  }

  private static String late(WindowLaneSnapshot lane) {
    WindowLaneSnapshot.LateCounts late = lane.late();
    List<String> parts = new ArrayList<>();
    if (late.dropped() > 0) {
      parts.add(Figure.count(late.dropped()) + " dropped");
    }
    if (late.side() > 0) {
      parts.add(Figure.count(late.side()) + " set aside, " + Figure.money(late.sideRevenue()));
    }
    if (late.restated() > 0) {
      parts.add(Figure.count(late.restated()) + " restated");
    }
    return parts.isEmpty() ? "none" : String.join(", ", parts);
  }

  private static WindowLine window(WindowLaneSnapshot.WindowView window, Instant home) {
    List<Revision> published = new ArrayList<>();
    for (Published each : window.published()) {
      published.add(
          new Revision(
              each.revision(),
              Figure.money(each.revenue()),
              Moment.of(each.at(), home),
              each.revision() < window.revision()));
    }
    return new WindowLine(
        Moment.of(window.start(), home),
        Moment.of(window.end(), home),
        Figure.count(window.events()),
        Figure.money(window.revenue()),
        Figure.money(window.trueRevenue()),
        window.revenue().compareTo(window.trueRevenue()) != 0,
        Figure.duration(window.maxLatenessSeconds()),
        window.isFinal() ? "final" : "open",
        window.isFinal() ? "" : "t-pend",
        List.copyOf(published));
  }

  private static LateLine line(Point point, WindowLaneSnapshot lane, Instant home) {
    Instant end = Window.of(point.eventTime(), lane.policy().window()).end();
    Instant watermark = point.watermarks().get(lane.lane());
    boolean perRecord = TimeView.ruleOf(lane.lane()) == LateRule.PER_RECORD;
    Duration lateness = lateness(point);
    String over;
    if (perRecord) {
      over = Figure.duration(lateness.minus(lane.policy().bound()).toSeconds()) + " over";
    } else if (watermark == null) {
      over = "";
    } else {
      Duration past = Duration.between(end, watermark);
      over = past.isZero() ? "just past" : Figure.duration(past.toSeconds()) + " past";
    }
    return new LateLine(
        Figure.shortened(point.orderId()),
        point.orderId().toString(),
        Figure.money(point.amount()),
        Moment.of(point.eventTime(), home),
        Moment.of(point.arrivalTime(), home),
        Figure.duration(lateness.toSeconds()),
        perRecord || watermark == null ? null : Moment.of(watermark, home),
        Moment.of(end, home),
        over,
        TimeView.word(point.fates().getOrDefault(lane.lane(), "dropped")).replace("late, ", ""));
  }

  private static Duration lateness(Point point) {
    Duration between = Duration.between(point.eventTime(), point.arrivalTime());
    return between.isNegative() ? Duration.ZERO : between;
  }
}
