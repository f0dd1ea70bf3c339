package dev.deliverylab.web;

import dev.deliverylab.time.LateRule;
import dev.deliverylab.time.TimeSnapshot;
import dev.deliverylab.time.TimeSnapshot.Point;
import dev.deliverylab.time.Window;
import dev.deliverylab.time.WindowLaneSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The plane of one lane: arrival across, event time up. All places are in the picture's own units;
 * the script that moves the line while the bound is dragged gets seconds after {@code epoch}.
 *
 * @param line the path of the watermark or, per record, of the limit
 * @param slope whether the line rises with the clock; else it is a staircase
 * @param steps the staircase for the script: "seconds,watermark" pairs
 * @param future the region where a record would come before it happened
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
    List<Mark> marks,
    Dots in,
    Dots late,
    Dots unread,
    List<Label> outside,
    @Nullable ClockLine clock,
    String said) {

  static final double WIDTH = 812;
  static final double LEFT = 58;
  static final double RIGHT = 804;
  static final double TOP = 8;

  /** Records that are drawn one by one; of more, only the late ones and the newest are. */
  private static final int FEW = 60;

  private static final int NAMED = 12;
  private static final int LATE_NAMED = 6;
  private static final int LATE_TOLD = 3;
  private static final int BANDS = 150;

  record Tick(double at, Moment time) {}

  /**
   * A window that a record belongs to.
   *
   * @param end seconds after the epoch
   * @param closed where it closes; null: it is open
   * @param told whether there is room for words
   */
  record Band(
      double y,
      double height,
      double end,
      @Nullable Double closed,
      boolean told,
      Moment from,
      Moment to,
      @Nullable Moment closes,
      String counts,
      boolean lacking) {}

  record LineLabel(
      double x, double y, String anchor, String before, @Nullable Moment stands, String after) {}

  record Label(double x, double y, String anchor, String text) {}

  record ClockLine(double x, String anchor, Moment time) {}

  /**
   * One record.
   *
   * @param css {@code in}, {@code late} or {@code unread}
   * @param need the least bound in seconds with which it is in time
   * @param edge an arrow if it lies outside the picture
   */
  record Mark(
      double x,
      double y,
      String css,
      long need,
      @Nullable String edge,
      String title,
      Labels.@Nullable Spot name,
      String id,
      String amount,
      boolean told,
      Moment happened,
      Moment arrived) {}

  /** Many records: a path of dots, and for each of them the bound it needs. */
  record Dots(String path, String needs) {}

  static PlaneView of(
      TimeSnapshot state, TimeSnapshot.Plane plane, WindowLaneSnapshot lane, int height) {
    return new Drawing(state, plane, lane, height).view();
  }

  /** Draws one plane. */
  private static final class Drawing {

    private final TimeSnapshot state;
    private final List<Point> points;
    private final WindowLaneSnapshot lane;
    private final LateRule rule;
    private final Duration window;
    private final Duration bound;
    private final double bottom;
    private final Instant home;
    private final Axis x;
    private final Axis y;
    private final boolean slope;
    private final Labels labels;

    /** From when on the watermark stood where. */
    private final List<Instant[]> steps = new ArrayList<>();

    Drawing(TimeSnapshot state, TimeSnapshot.Plane plane, WindowLaneSnapshot lane, int height) {
      this.state = state;
      this.points = plane.points();
      this.lane = lane;
      this.rule = TimeView.ruleOf(lane.lane());
      this.window = lane.policy().window();
      this.bound = lane.policy().bound();
      this.bottom = height - 38;
      this.home = TimeView.home(state, plane);
      this.x = across();
      this.y = up();
      this.slope =
          rule == LateRule.PER_RECORD
              || (rule == LateRule.ARRIVAL_WATERMARK && !state.clock().mode().equals("wall"));
      this.labels = new Labels(LEFT, TOP, RIGHT, bottom);
      climb();
    }

    private Axis across() {
      if (points.isEmpty()) {
        Instant from = state.clock().now() == null ? home : state.clock().now();
        return new Axis(from, from.plus(Duration.ofMinutes(45)), LEFT, RIGHT);
      }
      List<Instant> arrivals = points.stream().map(Point::arrivalTime).toList();
      Instant[] most = Axis.most(arrivals, 40, Duration.ofHours(2));
      Duration span = Axis.longer(Duration.between(most[0], most[1]), Duration.ofSeconds(20));
      Instant now = state.clock().now();
      Instant last = most[1];
      if (now != null && now.isAfter(last)) {
        Instant reach =
            last.plus(Axis.longer(span.multipliedBy(2).dividedBy(3), Duration.ofMinutes(10)));
        last = now.isBefore(reach) ? now : reach;
      }
      Duration shown = Duration.between(most[0], last);
      Duration margin = Axis.longer(shown.dividedBy(12), Duration.ofSeconds(2));
      return new Axis(most[0].minus(margin), last.plus(margin), LEFT, RIGHT);
    }

    private Axis up() {
      if (points.isEmpty()) {
        return new Axis(
            x.from().minus(Duration.ofMinutes(10)),
            x.from().plus(Duration.ofMinutes(15)),
            bottom,
            TOP);
      }
      Duration span = Duration.between(x.from(), x.to());
      Duration near = Axis.shorter(window.multipliedBy(3), span);
      Instant[] most = Axis.most(points.stream().map(Point::eventTime).toList(), 4, near);
      Instant low = most[0];
      Instant high = most[1];
      Duration range = Axis.longer(Duration.between(low, high), Duration.ofSeconds(10));
      if (window.compareTo(range.multipliedBy(3)) <= 0) {
        low = Window.of(low, window).start();
        high = Window.of(high, window).end();
        range = Duration.between(low, high);
      }
      // Room below for the watermark, which follows the newest event; above for what is to come.
      Duration below =
          Axis.shorter(
              range.multipliedBy(9).dividedBy(10),
              Axis.longer(range.dividedBy(8), window.multipliedBy(2)));
      Duration above =
          Axis.shorter(
              range.multipliedBy(2).dividedBy(5), Axis.longer(range.dividedBy(12), window));
      return new Axis(low.minus(below), high.plus(above), bottom, TOP);
    }

    private void climb() {
      for (Point point : points) {
        Instant stood = point.watermarks().get(lane.lane());
        if (stood != null) {
          step(point.arrivalTime(), stood);
        }
      }
      // A reading of the clock may have moved it since.
      if (lane.watermark() != null) {
        Instant now = state.clock().now();
        step(now == null ? x.to() : now, lane.watermark());
      }
    }

    private void step(Instant at, Instant watermark) {
      if (steps.isEmpty() || watermark.isAfter(steps.get(steps.size() - 1)[1])) {
        steps.add(new Instant[] {at, watermark});
      }
    }

    private @Nullable Instant closing(Instant end) {
      if (rule == LateRule.PER_RECORD) {
        return null;
      }
      if (slope) {
        return end.plus(bound);
      }
      return steps.stream()
          .filter(step -> !step[1].isBefore(end))
          .map(step -> step[0])
          .findFirst()
          .orElse(null);
    }

    PlaneView view() {
      List<Band> bands = bands();
      LineLabel label = lineLabel();
      boolean futureNamed = x.at(y.to()) - LEFT > 90 && y.at(x.from()) - TOP > 42;
      if (futureNamed) {
        labels.take(LEFT, TOP, LEFT + 85, TOP + 40);
      }
      boolean few = points.size() <= FEW;
      Set<Point> single = single(few);
      List<Mark> marks = marks(single);
      return new PlaneView(
          lane.lane(),
          rule.label(),
          slope,
          x.from(),
          x.scale(),
          y.scale(),
          y.at(x.from()),
          bound.toSeconds(),
          Figure.duration(bound.toSeconds()),
          steps.stream()
              .map(s -> Axis.seconds(x.from(), s[0]) + "," + Axis.seconds(x.from(), s[1]))
              .collect(Collectors.joining(" ")),
          ticks(x, 9, Duration.ofSeconds(1)),
          ticks(
              y,
              7,
              window.compareTo(Duration.between(y.from(), y.to()).dividedBy(2)) < 0
                  ? window
                  : Duration.ofSeconds(1)),
          bands,
          bands.isEmpty() && !points.isEmpty(),
          future(),
          futureNamed,
          line(),
          label,
          marks,
          dots(single, "in"),
          dots(single, "late"),
          dots(single, "unread"),
          outside(single),
          clock(),
          said());
    }

    private List<Tick> ticks(Axis axis, int most, Duration atLeast) {
      return axis.ticks(most, atLeast).stream()
          .map(time -> new Tick(axis.at(time), Moment.of(time, home)))
          .toList();
    }

    private List<Band> bands() {
      SortedSet<Instant> starts = new TreeSet<>();
      points.forEach(point -> starts.add(Window.of(point.eventTime(), window).start()));
      starts.removeIf(start -> !start.isBefore(y.to()) || !start.plus(window).isAfter(y.from()));
      if (starts.size() > BANDS) {
        return List.of();
      }
      Map<Instant, WindowLaneSnapshot.WindowView> known = new HashMap<>();
      lane.windows().forEach(view -> known.put(view.start(), view));
      List<Band> bands = new ArrayList<>();
      for (Instant start : starts) {
        bands.add(band(start, known.get(start)));
      }
      return bands;
    }

    private Band band(Instant start, WindowLaneSnapshot.@Nullable WindowView view) {
      Instant end = start.plus(window);
      double top = Math.max(TOP, y.at(end));
      double height = Axis.tenth(Math.min(bottom, y.at(start)) - top);
      Instant closes = closing(end);
      Double closed =
          closes == null || closes.isAfter(x.to())
              ? null
              : Double.valueOf(Math.max(LEFT, x.at(closes)));
      boolean told = height >= 17;
      if (told) {
        double left = closed == null ? RIGHT - 150 : closed > RIGHT - 240 ? closed - 240 : closed;
        labels.take(left, top, left + 240, top + 17);
        labels.take(RIGHT - 150, top + height - 18, RIGHT, top + height);
      }
      boolean missing = view != null && view.events() < view.trueEvents();
      String counts =
          view == null
              ? ""
              : missing
                  ? view.events()
                      + " of "
                      + Figure.count(view.trueEvents(), "event")
                      + ", "
                      + Figure.money(view.revenue())
                      + " of "
                      + Figure.money(view.trueRevenue())
                  : Figure.count(view.trueEvents(), "event")
                      + ", "
                      + Figure.money(view.trueRevenue());
      return new Band(
          Axis.tenth(top),
          height,
          Axis.seconds(x.from(), end),
          closed,
          told,
          Moment.of(start, home),
          Moment.of(end, home),
          closes == null ? null : Moment.of(closes, home),
          counts,
          missing);
    }

    /** What lies above "event time equals arrival". */
    private String future() {
      Instant first = x.from().isBefore(y.from()) ? x.from() : y.from();
      Instant last = x.to().isAfter(y.to()) ? x.to() : y.to();
      return "M%s %sL%s %sH%sz"
          .formatted(x.at(first), y.at(first), x.at(last), y.at(last), x.at(first));
    }

    private String line() {
      if (slope) {
        double reach = 4000;
        double steep = y.scale() / x.scale();
        double atLeft = y.at(x.from().minus(bound));
        return "M%s %sL%s %s"
            .formatted(
                LEFT - reach,
                Axis.tenth(atLeft + reach * steep),
                RIGHT + reach,
                Axis.tenth(atLeft - (RIGHT - LEFT + reach) * steep));
      }
      StringBuilder path = new StringBuilder();
      for (Instant[] step : steps) {
        path.append(path.isEmpty() ? "M" : "H")
            .append(
                path.isEmpty()
                    ? x.at(step[0]) + " " + y.at(step[1])
                    : x.at(step[0]) + "V" + y.at(step[1]));
      }
      return path.isEmpty() ? "" : path.append("H").append(RIGHT).toString();
    }

    private LineLabel lineLabel() {
      String what =
          switch (rule) {
            case PER_RECORD -> "limit = arrival";
            case ARRIVAL_WATERMARK -> slope ? "watermark = clock" : "watermark = wall clock";
            case EVENT_TIME_WATERMARK ->
                lane.lane().equals(rule.label())
                    ? "watermark = "
                        + (state.partitions() > 1 ? "lowest newest event" : "newest event")
                    : "stream time";
          };
      Moment stands = lane.watermark() == null ? null : Moment.of(lane.watermark(), home);
      if (slope) {
        double crosses = Math.max(LEFT + 8, Math.min(RIGHT - 8, x.at(y.to().plus(bound))));
        boolean roomRight = crosses < RIGHT - 210;
        double at = Axis.tenth(crosses + (roomRight ? 14 : -14));
        labels.take(roomRight ? at : at - 200, TOP, roomRight ? at + 200 : at, TOP + 36);
        return new LineLabel(
            at,
            TOP + 15,
            roomRight ? "start" : "end",
            what,
            rule == LateRule.PER_RECORD ? null : stands,
            rule == LateRule.PER_RECORD ? "a record below it is late" : "it stands at ");
      }
      double height = steps.isEmpty() ? bottom : y.at(steps.get(steps.size() - 1)[1]);
      double at = Axis.tenth(Math.max(TOP + 15, Math.min(bottom - 7, height + 17)));
      labels.take(RIGHT - 300, at - 15, RIGHT, at + 4);
      return new LineLabel(
          RIGHT - 8, at, "end", what, stands, stands == null ? "none yet" : "it stands at ");
    }

    private Set<Point> single(boolean few) {
      if (few) {
        return new HashSet<>(points);
      }
      List<Point> late = points.stream().filter(point -> css(point).equals("late")).toList();
      Set<Point> single =
          new HashSet<>(late.subList(Math.max(0, late.size() - NAMED), late.size()));
      single.addAll(points.subList(points.size() - LATE_TOLD, points.size()));
      return single;
    }

    private List<Mark> marks(Set<Point> single) {
      double radius = points.size() <= 20 ? 7 : 4.5;
      long lates = points.stream().filter(point -> css(point).equals("late")).count();
      int named = 0;
      List<Mark> marks = new ArrayList<>();
      List<Point> newestFirst = new ArrayList<>(points.stream().filter(single::contains).toList());
      java.util.Collections.reverse(newestFirst);
      for (Point point : newestFirst) {
        double cx = x.at(x.nearest(point.arrivalTime()));
        double cy = y.at(y.nearest(point.eventTime()));
        labels.take(cx - radius, cy - radius, cx + radius, cy + radius);
      }
      // The late ones come first to the room there is.
      newestFirst.sort(java.util.Comparator.comparing(point -> !css(point).equals("late")));
      for (Point point : newestFirst) {
        String css = css(point);
        boolean isLate = css.equals("late");
        boolean told = isLate && lates <= LATE_TOLD;
        boolean wanted =
            isLate ? named < LATE_NAMED : points.size() <= NAMED || named < LATE_NAMED + LATE_TOLD;
        double cx = x.at(x.nearest(point.arrivalTime()));
        double cy = y.at(y.nearest(point.eventTime()));
        String id = Figure.shortened(point.orderId());
        String amount = Figure.money(point.amount());
        String edge = edge(point);
        double width =
            told
                ? Math.max(9.2 * (id.length() + amount.length() + 7), 185)
                : 7.6 * (id.length() + (isLate ? amount.length() + 7 : 0) + (edge == null ? 0 : 8));
        Labels.Spot spot =
            wanted ? labels.beside(cx, cy, isLate ? 13 : radius, width, told ? 40 : 15) : null;
        named += spot == null ? 0 : 1;
        marks.add(
            new Mark(
                cx,
                cy,
                css,
                need(point),
                edge,
                title(point),
                spot,
                id,
                amount,
                told,
                Moment.of(point.eventTime(), home),
                Moment.of(point.arrivalTime(), home)));
      }
      return marks;
    }

    private Dots dots(Set<Point> single, String css) {
      StringBuilder path = new StringBuilder();
      StringBuilder needs = new StringBuilder();
      for (Point point : points) {
        if (!single.contains(point) && edge(point) == null && css(point).equals(css)) {
          path.append('M')
              .append(x.at(point.arrivalTime()))
              .append(' ')
              .append(y.at(point.eventTime()))
              .append("h0");
          needs.append(needs.isEmpty() ? "" : " ").append(need(point));
        }
      }
      return new Dots(path.toString(), needs.toString());
    }

    private @Nullable String edge(Point point) {
      if (point.eventTime().isAfter(y.to())) {
        return "↑";
      }
      if (point.eventTime().isBefore(y.from())) {
        return "↓";
      }
      return x.holds(point.arrivalTime())
          ? null
          : point.arrivalTime().isBefore(x.from()) ? "←" : "→";
    }

    private List<Label> outside(Set<Point> single) {
      Map<String, Long> many =
          points.stream()
              .filter(point -> !single.contains(point) && edge(point) != null)
              .collect(
                  Collectors.groupingBy(
                      point -> String.valueOf(edge(point)), Collectors.counting()));
      List<Label> labels = new ArrayList<>();
      many.forEach(
          (edge, count) ->
              labels.add(
                  switch (edge) {
                    case "↑" ->
                        new Label(LEFT + 100, TOP + 14, "start", "↑ " + count + " more above");
                    case "↓" ->
                        new Label(LEFT + 8, bottom - 7, "start", "↓ " + count + " more below");
                    case "←" ->
                        new Label(LEFT + 8, bottom - 24, "start", "← " + count + " came before");
                    default -> new Label(RIGHT - 8, bottom - 24, "end", count + " came later →");
                  }));
      return labels;
    }

    private @Nullable ClockLine clock() {
      Instant now = state.clock().now();
      if (now == null || points.isEmpty()) {
        return null;
      }
      double at = x.at(x.nearest(now));
      return new ClockLine(at, at > RIGHT - 90 ? "end" : "start", Moment.of(now, home));
    }

    private String css(Point point) {
      String fate = point.fates().get(lane.lane());
      return fate == null ? "unread" : fate.equals("accepted") ? "in" : "late";
    }

    /** The least bound in whole seconds with which the record is in time. */
    private long need(Point point) {
      Duration over;
      if (rule == LateRule.PER_RECORD) {
        over = Duration.between(point.eventTime(), point.arrivalTime());
        return over.isNegative() ? 0 : over.getSeconds() + (over.getNano() > 0 ? 1 : 0);
      }
      Instant stood = point.watermarks().get(lane.lane());
      if (stood == null && !slope) {
        return 0;
      }
      Instant reached = stood == null ? point.arrivalTime() : stood.plus(bound);
      over = Duration.between(Window.of(point.eventTime(), window).end(), reached);
      return over.isNegative() ? 0 : over.getSeconds() + 1;
    }

    private String title(Point point) {
      String fate = point.fates().get(lane.lane());
      return "order %s, %s, happened %s, arrived %s: %s"
          .formatted(
              point.orderId(),
              Figure.money(point.amount()),
              point.eventTime(),
              point.arrivalTime(),
              fate == null ? "not read yet" : TimeView.word(fate));
    }

    private String said() {
      long late = points.stream().filter(point -> css(point).equals("late")).count();
      String watermark =
          rule == LateRule.PER_RECORD
              ? "Each record has its own limit"
              : lane.watermark() == null
                  ? "There is no watermark yet"
                  : "The watermark stands at " + lane.watermark();
      return "Arrival time across, event time up, for the lane %s with a bound of %s. %s, %s late. %s. The tables below tell the same."
          .formatted(
              lane.lane(),
              Figure.duration(bound.toSeconds()),
              Figure.count(points.size(), "record"),
              late == 0 ? "none" : Figure.count(late),
              watermark);
    }
  }
}
