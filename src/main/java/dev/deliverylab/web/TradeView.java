package dev.deliverylab.web;

import dev.deliverylab.time.Curve;
import dev.deliverylab.time.WindowLaneSnapshot;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What waiting buys: for each bound, three figures, each in a strip of its own over the same axis.
 *
 * @param axisSeconds the end of the axis, a little beyond the greatest bound that matters
 * @param stepSeconds by how much the arrow keys move the bound
 * @param points for the script, as JSON: bound, place, three heights, three texts
 */
record TradeView(
    String lane,
    long boundSeconds,
    String bound,
    long axisSeconds,
    long stepSeconds,
    double at,
    List<Strip> strips,
    List<Tick> ticks,
    String points) {

  static final double LEFT = 9;
  static final double RIGHT = 365;
  private static final double PITCH = 90;
  private static final double HEAD = 25;

  /** Round ends of an axis, in seconds. */
  private static final List<Long> ENDS =
      List.of(
          10L,
          30L,
          60L,
          120L,
          300L,
          600L,
          1200L,
          1800L,
          2400L,
          3600L,
          5400L,
          7200L,
          10_800L,
          14_400L,
          21_600L,
          43_200L,
          86_400L,
          172_800L,
          345_600L,
          604_800L,
          1_209_600L,
          2_592_000L,
          7_776_000L,
          15_552_000L,
          31_536_000L);

  private static final int TICKS = 4;
  private static final int KEYSTROKES = 80;
  private static final List<Long> STEPS =
      List.of(1L, 5L, 10L, 30L, 60L, 300L, 600L, 1800L, 3600L, 21_600L, 86_400L, 432_000L);

  /**
   * @param name what it counts
   * @param css its line
   * @param path of the line
   * @param area below the line
   * @param most at its top
   * @param now its value at the lane's bound
   * @param y its height there; null if there is none
   */
  record Strip(
      String id,
      String name,
      String css,
      double top,
      double base,
      String path,
      String area,
      String most,
      String now,
      @Nullable Double y) {}

  record Tick(double at, String anchor, String text) {}

  /** What becomes of what is late. */
  private static String fate(WindowLaneSnapshot lane) {
    return switch (lane.policy().late()) {
      case DROP -> "dropped";
      case SIDE_OUTPUT -> "set aside";
      case RESTATE -> "restated";
    };
  }

  static TradeView of(Curve curve, WindowLaneSnapshot lane) {
    long axis = axis(Math.max(curve.greatestSeconds(), curve.boundSeconds()));
    List<Curve.Point> points = curve.points();
    Measure dropped =
        new Measure(
            "dropped", fate(lane), "s-late", 0, points, axis, p -> p.dropped().doubleValue());
    Measure delay =
        new Measure(
            "delay",
            "a result waits",
            "s-wait",
            1,
            points,
            axis,
            p ->
                p.delaySeconds() == null
                    ? null
                    : Double.valueOf((double) Math.max(0, p.delaySeconds())));
    Measure held =
        new Measure(
            "held",
            "held open",
            "s-held",
            2,
            points,
            axis,
            p -> Double.valueOf((double) p.heldWindows()));
    List<String> json = new ArrayList<>();
    for (Curve.Point p : points) {
      json.add(
          "[%d,%s,%s,%s,\"%s\",\"%s\",\"%s\"]"
              .formatted(
                  p.boundSeconds(),
                  dropped.y(p),
                  delay.y(p),
                  held.y(p),
                  money(p, lane),
                  wait(p),
                  state(p)));
    }
    Curve.Point now = at(points, curve.boundSeconds());
    List<Strip> strips =
        List.of(
            dropped.strip(now, money(now, lane), p -> Figure.money(p.dropped())),
            delay.strip(now, wait(now), TradeView::wait),
            held.strip(now, state(now), p -> Figure.count(p.heldWindows(), "window")));
    return new TradeView(
        curve.lane(),
        curve.boundSeconds(),
        Figure.duration(curve.boundSeconds()),
        axis,
        STEPS.stream().filter(step -> axis / step <= KEYSTROKES).findFirst().orElse(86_400L),
        x(curve.boundSeconds(), axis),
        strips,
        ticks(axis),
        "[" + String.join(",", json) + "]");
  }

  private static final class Measure {
    private final String id;
    private final String name;
    private final String css;
    private final double top;
    private final List<Curve.Point> points;
    private final long axis;
    private final Function<Curve.Point, @Nullable Double> value;
    private final double most;

    Measure(
        String id,
        String name,
        String css,
        int place,
        List<Curve.Point> points,
        long axis,
        Function<Curve.Point, @Nullable Double> value) {
      this.id = id;
      this.name = name;
      this.css = css;
      this.top = place * PITCH;
      this.points = points;
      this.axis = axis;
      this.value = value;
      double greatest = 0;
      for (Curve.Point point : points) {
        Double here = value.apply(point);
        greatest = Math.max(greatest, here == null ? 0 : here);
      }
      this.most = greatest;
    }

    private double base() {
      return top + PITCH - 6;
    }

    private @Nullable Double y(Curve.Point point) {
      Double here = value.apply(point);
      double room = base() - top - HEAD;
      return here == null ? null : Axis.tenth(base() - (most == 0 ? 0 : here / most * room));
    }

    /** A staircase: a bound has the figures of the greatest point that is not above it. */
    private String path() {
      StringBuilder path = new StringBuilder();
      boolean drawn = false;
      for (Curve.Point point : points) {
        Double y = y(point);
        String x = x(point.boundSeconds(), axis) + "";
        if (drawn) {
          path.append('H').append(x);
        }
        if (y != null) {
          path.append(drawn ? "V" + y : "M" + x + " " + y);
        }
        drawn = y != null;
      }
      return drawn ? path.append('H').append(RIGHT).toString() : path.toString();
    }

    private Strip strip(Curve.Point now, String text, Function<Curve.Point, String> words) {
      String path = path();
      String area =
          path.isEmpty() || path.indexOf("M", 1) > 0
              ? ""
              : path + "V" + base() + "H" + path.substring(1, path.indexOf(' ')) + "z";
      String greatest =
          points.stream()
              .filter(point -> most > 0 && Double.valueOf(most).equals(value.apply(point)))
              .findFirst()
              .map(words)
              .orElse("");
      return new Strip(id, name, css, top, base(), path, area, greatest, text, y(now));
    }
  }

  private static Curve.Point at(List<Curve.Point> points, long bound) {
    Curve.Point at = points.get(0);
    for (Curve.Point point : points) {
      at = point.boundSeconds() <= bound ? point : at;
    }
    return at;
  }

  private static String money(Curve.Point point, WindowLaneSnapshot lane) {
    BigDecimal all = lane.trueRevenue();
    return point.droppedEvents() == 0
        ? "nothing"
        : Figure.money(point.dropped())
            + (all.signum() == 0
                ? ""
                : ", "
                    + point
                        .dropped()
                        .multiply(BigDecimal.valueOf(100))
                        .divide(all, 1, RoundingMode.HALF_UP)
                    + " %");
  }

  private static String wait(Curve.Point point) {
    Long delay = point.delaySeconds();
    return delay == null ? "no window closes" : Figure.duration(delay);
  }

  private static String state(Curve.Point point) {
    return Figure.count(point.heldWindows(), "window")
        + ", "
        + Figure.count(point.heldEvents(), "order");
  }

  private static long axis(long greatest) {
    long wanted = Math.max(60, greatest + greatest / 12);
    return ENDS.stream().filter(end -> end >= wanted).findFirst().orElse(31_536_000L);
  }

  private static double x(long bound, long axis) {
    return Axis.tenth(LEFT + (RIGHT - LEFT) * Math.min(bound, axis) / axis);
  }

  private static List<Tick> ticks(long axis) {
    long step = ENDS.stream().filter(end -> axis / end <= TICKS).findFirst().orElse(axis);
    List<Tick> ticks = new ArrayList<>();
    for (long at = 0; at <= axis; at += step) {
      double x = x(at, axis);
      String text = at == 0 ? "0" : Figure.duration(at);
      boolean last = x > RIGHT - 3.2 * text.length();
      ticks.add(new Tick(last ? RIGHT + 9 : x, at == 0 ? "start" : last ? "end" : "middle", text));
    }
    return ticks;
  }
}
