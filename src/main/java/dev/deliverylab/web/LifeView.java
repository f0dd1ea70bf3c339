package dev.deliverylab.web;

import dev.deliverylab.check.Cell;
import dev.deliverylab.history.Event;
import dev.deliverylab.log.Truth;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One order's life: its records in the log, and what became of it in every lane. */
record LifeView(
    String order,
    String amount,
    String eventTime,
    String customer,
    List<Reading> records,
    List<InLane> lanes) {

  record Reading(int partition, long offset, String amount, String kind) {}

  record InLane(
      String lane, OrdersView.Mark mark, String why, List<String> rows, List<String> events) {}

  static LifeView of(Board.Life life) {
    List<Reading> records = new ArrayList<>();
    for (Truth.Entry entry : life.records()) {
      records.add(
          new Reading(
              entry.record().partition(),
              entry.record().offset(),
              Figure.money(entry.record().order().amount()),
              switch (entry.kind()) {
                case FIRST -> "the first: the truth counts this one";
                case RESENT -> "sent again, same content";
                case CONFLICT -> "conflict: same id, other content";
              }));
    }
    List<InLane> lanes = new ArrayList<>();
    for (Board.LaneLife lane : life.lanes()) {
      lanes.add(
          new InLane(
              lane.lane(),
              OrdersView.mark(lane.lane(), lane.cell()),
              why(lane.cell()),
              lane.rows().stream()
                  .map(
                      row ->
                          "row %d, %s, from offset %d, life %d"
                              .formatted(
                                  row.row(), Figure.money(row.amount()), row.offset(), row.life()))
                  .toList(),
              lane.events().stream().map(LifeView::told).toList()));
    }
    return new LifeView(
        life.order().orderId().toString(),
        Figure.money(life.order().amount()),
        LaneView.time(life.order().eventTime()) + " UTC",
        life.order().customer() == null ? "" : life.order().customer(),
        List.copyOf(records),
        List.copyOf(lanes));
  }

  private static String why(@Nullable Cell cell) {
    if (cell == null) {
      return "Nobody can say: the sink does not answer.";
    }
    return switch (cell.outcome()) {
      case LOST ->
          "The lane's position has passed it, nothing of it is in the sink, and nobody has it in"
              + " hand: it will not come.";
      case PENDING -> "It may still come: it lies ahead of the position, or a living lane has it.";
      case UNKNOWN -> "A running balance keeps no row for a single order.";
      default ->
          cell.safe() ? "" : "It is not committed yet: a lane that dies now reads it once more.";
    };
  }

  private static String told(Event event) {
    return (event.life() == null ? "" : "life " + event.life() + ": ")
        + (event.text().isEmpty() ? event.kind().name().toLowerCase(Locale.ROOT) : event.text());
  }
}
