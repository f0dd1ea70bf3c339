package dev.deliverylab.web;

import dev.deliverylab.check.Position;
import dev.deliverylab.log.LogRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One partition as a strip: where the log starts, where the lane's progress stands, what it reads
 * next, where the log ends. All places are numbers for SVG attributes.
 *
 * @param boxes the records one by one, when they fit
 * @param committedX null when nothing is stored
 * @param positionX null when no consumer lives
 */
record StripView(
    int partition,
    List<Box> boxes,
    @Nullable Integer committedX,
    @Nullable Integer positionX,
    String start,
    String committed,
    String position,
    String end,
    String said) {

  static final int LEFT = 44;
  static final int WIDTH = 520;

  record Box(int x, int width, String offset, String order, String title) {}

  static List<StripView> of(Board.Detail detail) {
    List<StripView> strips = new ArrayList<>();
    for (Board.Partition partition : detail.log()) {
      Long committed =
          detail.lane().snapshot().progress().stream()
              .filter(p -> p.partition() == partition.partition())
              .map(Position::committed)
              .filter(Objects::nonNull)
              .findAny()
              .orElse(null);
      strips.add(strip(partition, committed, detail.positions().get(partition.partition())));
    }
    return strips;
  }

  private static StripView strip(
      Board.Partition partition, @Nullable Long committed, @Nullable Long position) {
    long span = partition.end() - partition.start();
    List<Box> boxes = new ArrayList<>();
    if (span > 0 && span <= Board.WINDOW && partition.tail().size() == span) {
      int width = (int) (WIDTH / span);
      for (LogRecord record : partition.tail()) {
        boxes.add(
            new Box(
                LEFT + (int) (record.offset() - partition.start()) * width,
                width - 3,
                Long.toString(record.offset()),
                Figure.shortened(record.order().orderId()),
                "order " + record.order().orderId()));
      }
    }
    String at = committed == null ? "none yet" : Figure.count(committed);
    String reads = position == null ? "none, no consumer lives" : Figure.count(position);
    String end = Figure.count(partition.end());
    return new StripView(
        partition.partition(),
        List.copyOf(boxes),
        committed == null ? null : x(partition, committed),
        position == null ? null : x(partition, position),
        Figure.count(partition.start()),
        at,
        position == null ? "–" : Figure.count(position),
        end,
        "Partition "
            + partition.partition()
            + ": log start "
            + partition.start()
            + ", committed "
            + at
            + ", position "
            + reads
            + ", end "
            + end);
  }

  private static int x(Board.Partition partition, long offset) {
    long span = Math.max(1, partition.end() - partition.start());
    double part = (double) (offset - partition.start()) / span;
    return LEFT + (int) Math.round(Math.max(0, Math.min(1, part)) * WIDTH);
  }
}
