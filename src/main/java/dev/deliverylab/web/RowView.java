package dev.deliverylab.web;

import dev.deliverylab.check.Cell;
import dev.deliverylab.check.Outcome;
import dev.deliverylab.check.Position;
import dev.deliverylab.check.SinkSummary;
import dev.deliverylab.experiment.LaneSnapshot;
import dev.deliverylab.lane.LaneState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One lane as a row of the dashboard.
 *
 * @param state the word for its state
 * @param stateCss how that is drawn
 * @param cells one for each column of the log
 * @param single whether the log has one partition, so that its progress is one offset
 * @param at where its progress stands, or how many records are left
 * @param raw the total beneath a view, or null
 * @param start what its start button says: "start", or "restart" for a lane that died
 */
record RowView(
    String name,
    String state,
    String stateCss,
    @Nullable String reason,
    String promise,
    LoopView loop,
    List<CellView> cells,
    boolean single,
    String at,
    String atTitle,
    String earlier,
    List<ChipView> chips,
    AnswerView kept,
    AnswerView number,
    @Nullable AnswerView raw,
    String why,
    String start,
    boolean startFirst,
    boolean paused,
    boolean canPause,
    boolean canCrash) {

  /**
   * One record in this lane. {@code past}: the lane's progress has passed it; {@code tick}: it ends
   * there.
   */
  record CellView(String css, @Nullable String icon, String text, String title) {}

  record ChipView(String css, @Nullable String icon, String text, String title) {}

  static RowView of(Board.Lane lane, LogView log, int batchSize) {
    LaneSnapshot snapshot = lane.snapshot();
    LaneState state = snapshot.state();
    long rows = snapshot.sink() == null ? 0 : snapshot.sink().rows();
    boolean dead = state == LaneState.CRASHED;
    return new RowView(
        snapshot.lane(),
        state.name().toLowerCase(Locale.ROOT),
        css(state),
        snapshot.reason(),
        snapshot.verdict().promise(),
        LoopView.of(lane, batchSize),
        cells(lane, log),
        snapshot.progress().size() == 1,
        at(snapshot),
        atTitle(snapshot),
        lane.chips().isEmpty() || rows <= lane.chips().size()
            ? ""
            : Figure.count(rows - lane.chips().size()),
        chips(lane, rows),
        AnswerView.promise(snapshot),
        AnswerView.number(snapshot),
        AnswerView.raw(snapshot),
        snapshot.verdict().why(),
        state == LaneState.STOPPED && snapshot.life() == 0 ? "start" : "restart",
        dead || state == LaneState.FENCED || state == LaneState.FAILED,
        state == LaneState.PAUSED,
        state == LaneState.RUNNING || state == LaneState.PAUSED,
        state == LaneState.RUNNING || state == LaneState.PAUSED);
  }

  static String css(LaneState state) {
    return switch (state) {
      case RUNNING -> "run";
      case PAUSED -> "held";
      case STOPPED -> "stopped";
      case CRASHED -> "dead";
      case FENCED -> "fenced";
      case FAILED -> "failed";
    };
  }

  private static List<CellView> cells(Board.Lane lane, LogView log) {
    Map<String, Cell> byPlace = new HashMap<>();
    for (Cell cell : lane.cells()) {
      byPlace.put(cell.partition() + ":" + cell.offset(), cell);
    }
    Map<Integer, Long> committed = new HashMap<>();
    for (Position position : lane.snapshot().progress()) {
      Long at = position.committed();
      committed.put(position.partition(), at == null ? -1L : at);
    }
    List<CellView> cells = new ArrayList<>();
    for (LogView.Column column : log.columns()) {
      if (column.older() > 0) {
        cells.add(older(lane, log, column.older()));
      } else {
        long at = committed.getOrDefault(column.partition(), -1L);
        cells.add(one(column, byPlace.get(column.partition() + ":" + column.offset()), at));
      }
    }
    return List.copyOf(cells);
  }

  private static CellView one(LogView.Column column, @Nullable Cell cell, long committed) {
    String bar =
        (column.offset() < committed ? " past" : "")
            + (column.offset() + 1 == committed ? " tick" : "")
            + (column.first() ? " first" : "");
    String where = "offset " + column.offset() + ", order " + column.title();
    if (cell == null) {
      return new CellView("cell unknown" + bar, "unknown", "", where + ": not looked at yet");
    }
    int seen = cell.times() - cell.hidden();
    Outcome outcome = cell.outcome();
    if (outcome == Outcome.ONCE) {
      boolean under = cell.hidden() > 0;
      return new CellView(
          "cell one" + (cell.safe() ? "" : " ahead") + (under ? " under" : "") + bar,
          under ? "dup" : null,
          "1×",
          where
              + ": applied once"
              + (under ? " for the reader, " + cell.times() + " raw rows" : "")
              + (cell.safe() ? "" : ", not committed: a restart reads it again"));
    }
    Icon icon = Icon.of(outcome);
    String text = Icon.times(cell);
    String said =
        switch (outcome) {
          case DOUBLED -> "the reader sees it " + seen + " times";
          case LOST -> "lost, it will never come";
          case PENDING -> "pending, it may still come";
          case CHANGED -> "applied with other content than the truth";
          default -> "this sink cannot tell single orders apart";
        };
    return new CellView("cell " + icon.id() + bar, icon.id(), text, where + ": " + said);
  }

  /** What the counts say beyond the records that have a column of their own. */
  private static CellView older(Board.Lane lane, LogView log, long records) {
    LaneSnapshot snapshot = lane.snapshot();
    Long lost = snapshot.counts().lost();
    Long duplicates = snapshot.counts().duplicates();
    Long pending = snapshot.counts().pending();
    if (lost == null || duplicates == null || pending == null) {
      return new CellView("cell unknown", "unknown", "", "this sink cannot tell orders apart");
    }
    for (Cell cell : lane.cells()) {
      boolean shown =
          log.columns().stream()
              .anyMatch(c -> c.partition() == cell.partition() && c.offset() == cell.offset());
      if (shown) {
        switch (cell.outcome()) {
          case LOST -> lost--;
          case PENDING -> pending--;
          case DOUBLED -> duplicates -= cell.times() - cell.hidden() - 1;
          default -> {}
        }
      }
    }
    String title =
        records
            + " older records: "
            + Math.max(0, lost)
            + " lost, "
            + Math.max(0, duplicates)
            + " doubled, "
            + Math.max(0, pending)
            + " pending";
    String bar = pending > 0 ? "" : " past";
    if (lost > 0) {
      return new CellView("cell lost" + bar, "lost", brief(lost), title);
    }
    if (duplicates > 0) {
      return new CellView("cell dup" + bar, "dup", brief(duplicates), title);
    }
    if (pending > 0) {
      return new CellView("cell pend", "pend", brief(pending), title);
    }
    return new CellView("cell one past", null, "1×", title);
  }

  private static String brief(long number) {
    return number < 10_000
        ? Long.toString(number)
        : number < 1_000_000 ? number / 1000 + "k" : number / 1_000_000 + "M";
  }

  private static String at(LaneSnapshot snapshot) {
    if (snapshot.progress().size() == 1) {
      Long committed = snapshot.progress().get(0).committed();
      return committed == null ? "–" : Figure.count(committed);
    }
    return Figure.count(lag(snapshot)) + " left";
  }

  private static String atTitle(LaneSnapshot snapshot) {
    if (snapshot.progress().size() == 1) {
      return snapshot.progress().get(0).committed() == null
          ? "no progress stored yet"
          : "its progress: a restart goes on here";
    }
    StringBuilder title = new StringBuilder("its progress, by partition:");
    for (Position position : snapshot.progress()) {
      Long committed = position.committed();
      title
          .append(position.partition() == 0 ? " " : ", ")
          .append(position.partition())
          .append(" at ")
          .append(committed == null ? "none" : committed)
          .append(" of ")
          .append(position.end());
    }
    return title.toString();
  }

  static long lag(LaneSnapshot snapshot) {
    return snapshot.progress().stream().mapToLong(Position::lag).sum();
  }

  private static List<ChipView> chips(Board.Lane lane, long rows) {
    List<ChipView> chips = new ArrayList<>();
    for (Board.Chip chip : lane.chips()) {
      chips.add(
          new ChipView(
              "chip" + (chip.again() ? " dup" : "") + (chip.hidden() ? " hid" : ""),
              chip.again() ? "dup" : null,
              Figure.shortened(chip.orderId()),
              "row "
                  + chip.row()
                  + ": order "
                  + chip.orderId()
                  + (chip.again() ? ", again" : "")
                  + (chip.hidden() ? ", hidden by the view" : "")));
    }
    if (chips.isEmpty()) {
      SinkSummary sink = lane.snapshot().sink();
      chips.add(
          rows > 0 && sink != null
              ? new ChipView(
                  "chip",
                  null,
                  "balance " + Figure.money(sink.total()),
                  "a running balance keeps no row for each order")
              : new ChipView("chip none", null, "no row yet", "the sink is empty"));
    }
    return List.copyOf(chips);
  }
}
