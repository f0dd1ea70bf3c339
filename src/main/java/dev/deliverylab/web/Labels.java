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
  record Spot(double x, double y, String anchor) {

    private Box box(double width, double height) {
      double left =
          switch (anchor) {
            case "end" -> x - width;
            case "middle" -> x - width / 2;
            default -> x;
          };
      return new Box(left, y - LINE * 0.8, left + width, y - LINE * 0.8 + height);
    }
  }

  private static final double LINE = 15;
  private static final double GAP = 6;

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
   * The first of some spots with room for a line of this width.
   *
   * @return null where there is none
   */
  @Nullable Spot first(double width, Spot... spots) {
    return first(width, LINE, List.of(spots));
  }

  /** Room beside a point: to its upper left, right, left, above or below. */
  @Nullable Spot beside(double x, double y, double radius, double width, double height) {
    double away = radius + GAP;
    double middle = y + LINE * 0.8 - height / 2;
    return first(
        width,
        height,
        List.of(
            new Spot(x - away, y + LINE * 0.8 - height + (height > LINE ? 18 : 0), "end"),
            new Spot(x + away, middle, "start"),
            new Spot(x - away, middle, "end"),
            new Spot(x, y - away + LINE * 0.8 - height, "middle"),
            new Spot(x, y + away + LINE * 0.8, "middle")));
  }

  private @Nullable Spot first(double width, double height, List<Spot> spots) {
    for (Spot spot : spots) {
      Box box = spot.box(width, height);
      if (box.within(picture) && taken.stream().noneMatch(box::meets)) {
        taken.add(box);
        return new Spot(Axis.tenth(spot.x()), Axis.tenth(spot.y()), spot.anchor());
      }
    }
    return null;
  }
}
