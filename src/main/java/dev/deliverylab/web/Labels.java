package dev.deliverylab.web;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds room for the texts of a picture: none over another one, none outside. */
final class Labels {

  private record Box(double left, double top, double right, double bottom) {

    boolean meets(Box other) {
      return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }

    boolean within(Box other) {
      return left >= other.left
          && right <= other.right
          && top >= other.top
          && bottom <= other.bottom;
    }
  }

  /**
   * Where a text stands.
   *
   * @param y of its first base line
   * @param anchor {@code start}, {@code middle} or {@code end}
   */
  record Spot(double x, double y, String anchor) {}

  private static final double GAP = 10;

  private final Box picture;
  private final List<Box> taken = new ArrayList<>();

  Labels(double left, double top, double right, double bottom) {
    picture = new Box(left, top, right, bottom);
  }

  /** Keeps everything away from here. */
  void take(double left, double top, double right, double bottom) {
    taken.add(new Box(left, top, right, bottom));
  }

  /**
   * Room at the right edge, on one of two base lines.
   *
   * @return null where there is none
   */
  @Nullable Spot atRight(double y, double otherY, double width) {
    for (double base : List.of(y, otherY)) {
      Box box = new Box(picture.right() - 8 - width, base - 12, picture.right() - 8, base + 4);
      if (taken.stream().noneMatch(box::meets)) {
        taken.add(box);
        return new Spot(picture.right() - 8, Axis.tenth(base), "end");
      }
    }
    return null;
  }

  /**
   * Room beside a point: to the right, to the left, above or below.
   *
   * @return null where there is none
   */
  @Nullable Spot beside(double x, double y, double radius, double width, double height) {
    double away = radius + GAP * 0.6;
    double base = y + height * 0.32;
    for (Spot spot :
        List.of(
            new Spot(x - away, y - radius * 0.6, "end"),
            new Spot(x + away, base, "start"),
            new Spot(x - away, base, "end"),
            new Spot(x, y - away, "middle"),
            new Spot(x, y + away + height * 0.7, "middle"))) {
      double left =
          switch (spot.anchor()) {
            case "end" -> spot.x() - width;
            case "middle" -> spot.x() - width / 2;
            default -> spot.x();
          };
      Box box = new Box(left, spot.y() - height * 0.8, left + width, spot.y() + height * 0.25);
      if (box.within(picture) && taken.stream().noneMatch(box::meets)) {
        taken.add(box);
        return new Spot(Axis.tenth(spot.x()), Axis.tenth(spot.y()), spot.anchor());
      }
    }
    return null;
  }
}
