package dev.deliverylab.web;

import dev.deliverylab.check.Cell;
import dev.deliverylab.check.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where is 1002? Orders by lanes.
 *
 * @param search the digits that the ids start with, or empty
 * @param before where the page before begins, or null
 * @param after where the next page begins, or null
 */
record OrdersView(
    String search,
    long from,
    List<String> lanes,
    List<Line> lines,
    String matching,
    @Nullable Long before,
    @Nullable Long after) {

  static final int PAGE = 25;

  record Line(String order, String fullOrder, String amount, List<Mark> marks) {}

  /** An order in a lane: shape, word and colour. */
  record Mark(String css, String icon, String word, String title) {}

  static OrdersView of(Board board, String search, long from) {
    Board.Orders orders = board.orders(search.isEmpty() ? null : search, from, PAGE);
    List<Line> lines = new ArrayList<>();
    for (Board.OrderRow row : orders.rows()) {
      List<Mark> marks = new ArrayList<>();
      for (String lane : orders.lanes()) {
        marks.add(mark(lane, row.cells().get(lane)));
      }
      lines.add(
          new Line(
              Figure.shortened(row.order().orderId()),
              row.order().orderId().toString(),
              Figure.money(row.order().amount()),
              List.copyOf(marks)));
    }
    long end = from + lines.size();
    return new OrdersView(
        search,
        from,
        orders.lanes(),
        List.copyOf(lines),
        orders.matching() == 0
            ? "no order"
            : Figure.count(from + 1)
                + " to "
                + Figure.count(end)
                + " of "
                + Figure.count(orders.matching(), "order"),
        from == 0 ? null : Long.valueOf(Math.max(0, from - PAGE)),
        end < orders.matching() ? Long.valueOf(end) : null);
  }

  static Mark mark(String lane, @Nullable Cell cell) {
    Icon icon = cell == null ? Icon.UNKNOWN : Icon.of(cell.outcome());
    int seen = cell == null ? 0 : cell.times() - cell.hidden();
    String word =
        cell == null
            ? "unknown"
            : switch (cell.outcome()) {
              case ONCE -> "once";
              case DOUBLED -> seen + "×";
              default -> icon.word();
            };
    boolean ahead = cell != null && cell.outcome() == Outcome.ONCE && !cell.safe();
    return new Mark(
        "mark " + icon.id() + (ahead ? " ahead" : ""),
        icon.id(),
        word,
        lane
            + ": "
            + word
            + (ahead ? ", not committed" : "")
            + (cell != null && cell.hidden() > 0 ? ", " + cell.times() + " raw rows" : ""));
  }
}
