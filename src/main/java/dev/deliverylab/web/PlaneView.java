package dev.deliverylab.web;

import dev.deliverylab.time.LateRule;
import dev.deliverylab.time.TimeSnapshot;
import dev.deliverylab.time.TimeSnapshot.Point;
import dev.deliverylab.time.Window;
import dev.deliverylab.time.WindowLaneSnapshot;
import dev.deliverylab.time.WindowLaneSnapshot.WindowView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The plane of one lane: arrival across, event time up. All places are in the picture's own units;
 * the script that moves the line while the bound is dragged gets seconds after {@code epoch}.
 *
 * @param slope whether the line rises with the clock; else it is a staircase
 * @param steps the staircase for the script: "seconds,watermark" pairs
 * @param narrow whether there are too many windows to draw
 * @param future the region where a record would come before it happened
 * @param line the path of the watermark or, per record, of the limit
 */
record PlaneView(
    String lane,
    String rule,
    boolean slope,
    Instant epoch,
    double xScale,
    double yScale,
    double yEpoch,
    long boundSeconds,
    String bound,
    String steps,
    List<Tick> across,
    List<Tick> up,
    List<Band> bands,
    boolean narrow,
    String future,
    boolean futureNamed,
    String line,
    LineLabel label,
    PlaneMarks marks,
    @Nullable ClockLine clock,
    String said) {

  private static final int BANDS = 150;

  /** A band needs this height to hold a line of text. */
  private static final double TALL = 17;

  record Tick(double at, String anchor, Moment time) {}

  /**
   * A window that a record belongs to.
   *
   * @param end seconds after the epoch
   * @param closed where it closes; null: it is open, as far as the picture shows
   * @param told whether there is room for words
   * @param place where there is room to say what it holds; null: there is none
   * @param state what is said before that, if it is open
   * @param lacking whether the lane has less than the truth
   */
  record Band(
      double y,
      double height,
      double end,
      @Nullable Double closed,
      boolean told,
      Moment from,
      Moment to,
      Moment closes,
      Labels.@Nullable Spot place,
      String state,
      String counts,
      boolean lacking) {}

  /**
   * @param still whether it stays where it is when the line moves
   * @param before what the line is, up to the bound
   * @param after what follows, up to where it stands
   */
  record LineLabel(
      double x,
      double y,
      String anchor,
      boolean still,
      String before,
      String after,
      @Nullable Moment stands) {}

  record ClockLine(double x, String anchor, Moment time) {}

  static PlaneView of(
      TimeSnapshot state, TimeSnapshot.Plane plane, WindowLaneSnapshot lane, Instant home) {
    List<Point> points = plane.points();
    Duration window = lane.policy().window();
    Instant now = state.clock().now();
    PlaneScale scale = PlaneScale.of(points, window, now, home);
    Axis x = scale.x();
    Axis y = scale.y();
    PlaneLine line = PlaneLine.of(state, points, lane);
    Labels labels =
        new Labels(PlaneScale.LEFT, PlaneScale.TOP, PlaneScale.RIGHT, PlaneScale.BOTTOM);
    boolean many = PlaneMarks.many(points);
    SortedSet<Instant> starts = new TreeSet<>();
    points.forEach(point -> starts.add(Window.of(point.eventTime(), window).start()));
    starts.removeIf(start -> !start.isBefore(y.to()) || !start.plus(window).isAfter(y.from()));
    boolean narrow = starts.size() > BANDS;
    if (!narrow) {
      starts.forEach(start -> keepRoomForClosing(start, line, scale, labels));
    }
    LineLabel label = label(line, scale, lane, state.partitions(), many, home, labels);
    boolean futureNamed =
        x.at(y.to()) - PlaneScale.LEFT > 90 && y.at(x.from()) - PlaneScale.TOP > 42;
    if (futureNamed) {
      labels.take(PlaneScale.LEFT, PlaneScale.TOP, PlaneScale.LEFT + 75, PlaneScale.TOP + 40);
    }
    PlaneMarks marks = PlaneMarks.of(points, lane.lane(), line, scale, labels, home);
    Duration tallest = Duration.between(y.from(), y.to()).dividedBy(2);
    return new PlaneView(
        lane.lane(),
        line.rule().label(),
        line.slope(),
        x.from(),
        x.scale(),
        y.scale(),
        y.exactly(x.from()),
        line.bound().toSeconds(),
        Figure.duration(line.bound().toSeconds()),
        line.pairs(x.from()),
        ticks(x, 9, Duration.ofSeconds(1), home),
        ticks(y, 7, window.compareTo(tallest) < 0 ? window : Duration.ofSeconds(1), home),
        narrow ? List.of() : bands(starts, lane, line, scale, labels, home),
        narrow,
        scale.future(),
        futureNamed,
        line.path(x, y),
        label,
        marks,
        now == null || points.isEmpty() ? null : clock(now, x, home),
        said(points, lane));
  }

  private static List<Tick> ticks(Axis axis, int most, Duration atLeast, Instant home) {
    return axis.ticks(most, atLeast).stream()
        .map(time -> new Tick(axis.at(time), anchor(axis.at(time)), Moment.of(time, home)))
        .toList();
  }

  private static String anchor(double x) {
    return x > PlaneScale.RIGHT - 14 ? "end" : "middle";
  }

  private static ClockLine clock(Instant now, Axis x, Instant home) {
    double at = x.at(x.nearest(now));
    return new ClockLine(at, at > PlaneScale.RIGHT - 60 ? "end" : "middle", Moment.of(now, home));
  }

  private static LineLabel label(
      PlaneLine line,
      PlaneScale scale,
      WindowLaneSnapshot lane,
      int partitions,
      boolean many,
      Instant home,
      Labels labels) {
    String what =
        switch (line.rule()) {
          case PER_RECORD -> "limit = arrival";
          case ARRIVAL_WATERMARK -> line.slope() ? "watermark = clock" : "watermark = wall clock";
          case EVENT_TIME_WATERMARK ->
              partitions > 1
                  ? "watermark = lowest partition’s newest event"
                  : "watermark = newest event";
          case STREAMS_WINDOW ->
              partitions > 1 ? "stream time, of the lowest partition" : "stream time";
        };
    Instant watermark = lane.watermark();
    Moment stands = watermark == null ? null : Moment.of(watermark, home);
    String after =
        line.rule() == LateRule.PER_RECORD
            ? "a record below it is late"
            : watermark == null ? "none yet" : "it stands at ";
    if (many) {
      // In a crowd it would hide records wherever the line is; below the watermark there are few.
      labels.take(
          PlaneScale.RIGHT - 380, PlaneScale.BOTTOM - 26, PlaneScale.RIGHT, PlaneScale.BOTTOM);
      return new LineLabel(
          PlaneScale.RIGHT - 8, PlaneScale.BOTTOM - 11, "end", true, what, after, stands);
    }
    if (line.slope()) {
      double crosses =
          Math.max(
              PlaneScale.LEFT + 8,
              Math.min(PlaneScale.RIGHT - 8, scale.x().at(scale.y().to().plus(line.bound()))));
      boolean right = crosses < PlaneScale.RIGHT - 210;
      double at = Axis.tenth(crosses + (right ? 14 : -14));
      labels.take(
          right ? at : at - 200, PlaneScale.TOP, right ? at + 200 : at, PlaneScale.TOP + 36);
      return new LineLabel(
          at, PlaneScale.TOP + 15, right ? "start" : "end", false, what, after, stands);
    }
    double height =
        line.steps().isEmpty()
            ? PlaneScale.BOTTOM
            : scale.y().at(line.steps().get(line.steps().size() - 1).watermark());
    double below =
        Axis.tenth(Math.max(PlaneScale.TOP + 15, Math.min(PlaneScale.BOTTOM - 8, height + 18)));
    Labels.Spot spot =
        labels.first(
            330,
            new Labels.Spot(PlaneScale.RIGHT - 8, below, "end"),
            new Labels.Spot(PlaneScale.RIGHT - 8, height - 9, "end"),
            new Labels.Spot(PlaneScale.RIGHT - 8, below + 34, "end"));
    double at = spot == null ? below : spot.y();
    return new LineLabel(PlaneScale.RIGHT - 8, at, "end", false, what, after, stands);
  }

  /** When a window closes is told at the line on which it does. */
  private static void keepRoomForClosing(
      Instant start, PlaneLine line, PlaneScale scale, Labels labels) {
    Double closed = closed(start.plus(line.window()), line, scale);
    double top = Math.max(PlaneScale.TOP, scale.y().at(start.plus(line.window())));
    if (closed != null) {
      labels.take(
          closed > 560 ? closed - 200 : closed,
          top,
          closed > 560 ? closed : closed + 200,
          top + TALL);
    }
  }

  /** Where in the picture a window that ends then closes; null: not in it. */
  private static @Nullable Double closed(Instant end, PlaneLine line, PlaneScale scale) {
    Instant closes = line.closing(end);
    return closes == null || closes.isAfter(scale.x().to())
        ? null
        : Double.valueOf(Math.max(PlaneScale.LEFT, scale.x().at(closes)));
  }

  private static List<Band> bands(
      SortedSet<Instant> starts,
      WindowLaneSnapshot lane,
      PlaneLine line,
      PlaneScale scale,
      Labels labels,
      Instant home) {
    Map<Instant, WindowView> known = new HashMap<>();
    lane.windows().forEach(view -> known.put(view.start(), view));
    List<Band> bands = new ArrayList<>();
    for (Instant start : starts) {
      bands.add(band(start, known.get(start), line, scale, labels, home));
    }
    return bands;
  }

  private static Band band(
      Instant start,
      @Nullable WindowView view,
      PlaneLine line,
      PlaneScale scale,
      Labels labels,
      Instant home) {
    Instant end = start.plus(line.window());
    double top = Math.max(PlaneScale.TOP, scale.y().at(end));
    double height = Axis.tenth(Math.min(PlaneScale.BOTTOM, scale.y().at(start)) - top);
    Instant closes = line.closing(end);
    Double closed = closed(end, line, scale);
    boolean told = height >= TALL;
    String counts = view == null ? "" : counts(view);
    double width = counts.length() * 6.4 + 40;
    Labels.Spot place =
        told
            ? labels.first(
                width,
                new Labels.Spot(PlaneScale.RIGHT - 8, top + height - 6, "end"),
                new Labels.Spot(PlaneScale.RIGHT - 8, top + 14, "end"),
                new Labels.Spot(
                    closed == null ? PlaneScale.LEFT + 8 : closed + 8, top + 31, "start"))
            : null;
    return new Band(
        Axis.tenth(top),
        height,
        Axis.seconds(scale.x().from(), end),
        closed,
        told,
        Moment.of(start, home),
        Moment.of(end, home),
        Moment.of(closes == null ? end : closes, home),
        place,
        closed == null && (view == null || !view.isFinal()) ? "open: " : "",
        counts,
        view != null && view.events() < view.trueEvents());
  }

  private static String counts(WindowView view) {
    String events = Figure.count(view.trueEvents(), "event");
    String revenue = Figure.money(view.trueRevenue());
    return view.events() < view.trueEvents()
        ? "%s of %s, %s of %s"
            .formatted(Figure.count(view.events()), events, Figure.money(view.revenue()), revenue)
        : events + ", " + revenue;
  }

  private static String said(List<Point> points, WindowLaneSnapshot lane) {
    Instant watermark = lane.watermark();
    return "Arrival time across, event time up, for the lane %s with a bound of %s: %s, %s late. %s."
        .formatted(
            lane.lane(),
            Figure.duration(lane.policy().bound().toSeconds()),
            Figure.count(points.size(), "record"),
            Figure.count(TimeView.late(points, lane.lane()).size()),
            TimeView.ruleOf(lane.lane()) == LateRule.PER_RECORD
                ? "Each record has its own limit"
                : watermark == null
                    ? "There is no watermark yet"
                    : "The watermark stands at " + watermark);
  }
}
