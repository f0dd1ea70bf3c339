package dev.deliverylab.web;

import dev.deliverylab.time.TimeSnapshot.Point;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The records in the plane. A few are drawn one by one, with names; of many, only the newest are,
 * and the others are dots.
 *
 * @param radius of a record in time
 * @param ring of a late one
 * @param icon half the size of the icon in it
 * @param dense whether even the dots must be small
 * @param outside how many dots lie beyond each edge
 */
record PlaneMarks(
    double radius,
    double ring,
    double icon,
    boolean dense,
    List<Mark> single,
    Dots in,
    Dots late,
    Dots unread,
    List<Outside> outside) {

  private static final int FEW = 60;
  private static final int ROOMY = 20;
  private static final int SPARSE = 600;

  /** Names beside records, where only some get one. */
  private static final int NAMED = 6;

  /**
   * Late records that are told in a whole line; of many records, as many of the newest stand out.
   */
  private static final int TOLD = 3;

  /**
   * One record.
   *
   * @param css {@code in}, {@code late} or {@code unread}
   * @param need the least bound in seconds with which it is in time
   * @param edge an arrow if it lies outside the picture
   * @param name where its name stands; null: there is no room
   * @param told whether its times are told, too
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

  record Outside(double x, double y, String anchor, String text) {}

  static PlaneMarks of(
      List<Point> points,
      String lane,
      PlaneLine line,
      PlaneScale scale,
      Labels labels,
      Instant home) {
    boolean many = many(points);
    List<Point> late = TimeView.late(points, lane);
    Set<Point> single = new HashSet<>(many ? last(late, TOLD) : points);
    if (many) {
      single.addAll(last(points, TOLD));
    }
    double radius = points.size() <= ROOMY ? 7 : 4.5;
    double ring = points.size() <= ROOMY ? 13 : 9;
    boolean told = late.size() <= TOLD && !many;
    List<Point> inOrder = new ArrayList<>();
    // Late ones first, then the newest: who comes first finds room for a name.
    for (int i = points.size() - 1; i >= 0; i--) {
      Point point = points.get(i);
      if (single.contains(point)) {
        boolean isLate = css(point, lane).equals("late");
        inOrder.add(point);
        double room = isLate ? ring : radius;
        labels.take(
            scale.x(point) - room,
            scale.y(point) - room,
            scale.x(point) + room,
            scale.y(point) + room);
      }
    }
    inOrder.sort(Comparator.comparing(point -> !css(point, lane).equals("late")));
    List<Mark> marks = new ArrayList<>();
    int named = 0;
    for (Point point : inOrder) {
      String css = css(point, lane);
      boolean isLate = css.equals("late");
      String id = Figure.shortened(point.orderId());
      String amount = Figure.money(point.amount());
      double height = isLate && told ? 40 : 15;
      double width =
          isLate && told
              ? Math.max(9.4 * (id.length() + amount.length() + 7), 200)
              : 7.4 * (id.length() + (isLate ? amount.length() + 7 : 0));
      Labels.Spot name =
          named < NAMED || points.size() <= ROOMY
              ? labels.beside(scale.x(point), scale.y(point), isLate ? ring : radius, width, height)
              : null;
      named += name == null ? 0 : 1;
      marks.add(
          new Mark(
              scale.x(point),
              scale.y(point),
              css,
              line.need(point, lane),
              scale.edge(point),
              title(point, lane),
              name,
              id,
              amount,
              isLate && told,
              Moment.of(point.eventTime(), home),
              Moment.of(point.arrivalTime(), home)));
    }
    List<Point> rest = points.stream().filter(point -> !single.contains(point)).toList();
    return new PlaneMarks(
        radius,
        ring,
        Axis.tenth(ring * 8 / 13),
        points.size() > SPARSE,
        marks,
        dots(rest, "in", lane, line, scale),
        dots(rest, "late", lane, line, scale),
        dots(rest, "unread", lane, line, scale),
        outside(rest, scale));
  }

  /** Whether they are too many to be drawn one by one. */
  static boolean many(List<Point> points) {
    return points.size() > FEW;
  }

  private static List<Point> last(List<Point> points, int most) {
    return points.subList(Math.max(0, points.size() - most), points.size());
  }

  private static String css(Point point, String lane) {
    String fate = point.fates().get(lane);
    return fate == null ? "unread" : fate.equals("accepted") ? "in" : "late";
  }

  private static Dots dots(
      List<Point> points, String css, String lane, PlaneLine line, PlaneScale scale) {
    StringBuilder path = new StringBuilder();
    StringBuilder needs = new StringBuilder();
    for (Point point : points) {
      if (css(point, lane).equals(css) && scale.edge(point) == null) {
        path.append('M').append(scale.x(point)).append(' ').append(scale.y(point)).append("h0");
        needs.append(needs.isEmpty() ? "" : " ").append(line.need(point, lane));
      }
    }
    return new Dots(path.toString(), needs.toString());
  }

  private static List<Outside> outside(List<Point> points, PlaneScale scale) {
    Map<String, Integer> beyond = new TreeMap<>();
    for (Point point : points) {
      String edge = scale.edge(point);
      if (edge != null) {
        beyond.merge(edge, 1, Integer::sum);
      }
    }
    List<Outside> outside = new ArrayList<>();
    beyond.forEach(
        (edge, many) ->
            outside.add(
                switch (edge) {
                  case "↑" ->
                      new Outside(
                          PlaneScale.LEFT + 100,
                          PlaneScale.TOP + 15,
                          "start",
                          "↑ " + many + " above");
                  case "↓" ->
                      new Outside(
                          PlaneScale.LEFT + 8,
                          PlaneScale.BOTTOM - 7,
                          "start",
                          "↓ " + many + " below");
                  case "←" ->
                      new Outside(
                          PlaneScale.LEFT + 8,
                          PlaneScale.BOTTOM - 24,
                          "start",
                          "← " + many + " earlier");
                  default ->
                      new Outside(
                          PlaneScale.RIGHT - 8, PlaneScale.BOTTOM - 24, "end", many + " later →");
                }));
    return outside;
  }

  private static String title(Point point, String lane) {
    String fate = point.fates().get(lane);
    return "order %s, %s, happened %s, arrived %s: %s"
        .formatted(
            point.orderId(),
            Figure.money(point.amount()),
            point.eventTime(),
            point.arrivalTime(),
            fate == null ? "not read yet" : TimeView.word(fate));
  }
}
