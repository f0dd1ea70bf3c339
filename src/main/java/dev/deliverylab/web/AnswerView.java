package dev.deliverylab.web;

import dev.deliverylab.check.Counts;
import dev.deliverylab.check.SinkSummary;
import dev.deliverylab.check.TruthSummary;
import dev.deliverylab.check.ViewSummary;
import dev.deliverylab.experiment.LaneSnapshot;
import dev.deliverylab.time.WindowLaneSnapshot;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One box with an answer: a line above, the answer with its icon, a line below.
 *
 * @param css how it is filled
 * @param icon its shape in the sprite
 */
record AnswerView(String css, String icon, String above, String answer, String below) {

  /** Was the promise kept? Black and white: an outline, or inverted. */
  static AnswerView promise(LaneSnapshot lane) {
    Boolean kept = lane.verdict().promiseKept();
    if (lane.truth().records() == 0) {
      return new AnswerView("open", "pend", "promise", "open", "");
    }
    if (kept == null) {
      return new AnswerView("unknown", "unknown", "promise", "unknown", "");
    }
    boolean open = pending(lane) > 0;
    return kept
        ? new AnswerView("kept", "ok", open ? "promise, so far" : "promise", "kept", "")
        : new AnswerView("broken", "lost", "promise", "broken", "");
  }

  /** Is the number right? The only box that is filled with colour. */
  static AnswerView number(LaneSnapshot lane) {
    SinkSummary sink = lane.sink();
    TruthSummary truth = lane.truth();
    if (sink == null) {
      return new AnswerView("num unknown", "unknown", "number unknown", "no evidence", "");
    }
    ViewSummary view = sink.view();
    BigDecimal total = view == null ? sink.total() : view.total();
    String rows = Figure.count(view == null ? sink.rows() : view.rows(), "row");
    if (view != null) {
      rows = "view " + rows;
    }
    if (truth.records() == 0 && sink.rows() == 0) {
      return new AnswerView("num open", "pend", "number", Figure.money(total), "nothing to reach");
    }
    Boolean right = lane.verdict().numberRight();
    if (right == null) {
      return pending(lane) > 0
          ? new AnswerView(
              "num pend",
              "pend",
              "number open, to come",
              Figure.money(truth.total().subtract(total)),
              Figure.money(total) + " so far, " + rows)
          : new AnswerView("num unknown", "unknown", "number unknown", Figure.money(total), rows);
    }
    if (right) {
      return new AnswerView("num ok", "ok", "number right", Figure.money(total), rows);
    }
    BigDecimal difference = total.subtract(truth.total());
    String wrong = wrong(lane.counts());
    String fill = fill(lane.counts(), difference);
    long pending = pending(lane);
    // While orders are to come, the distance to the truth says nothing about the mistake.
    return pending > 0
        ? new AnswerView(
            "num " + fill,
            fill,
            "number wrong",
            wrong.isEmpty() ? Figure.money(total) : wrong,
            Figure.money(total) + ", " + Figure.count(pending) + " to come")
        : new AnswerView(
            "num " + fill,
            fill,
            "number wrong" + (wrong.isEmpty() ? "" : ", " + wrong),
            difference.signum() == 0 ? wrong : Figure.difference(difference),
            Figure.money(total) + " in " + rows);
  }

  /** What lies beneath a reader's view; null for a sink without one. */
  static @Nullable AnswerView raw(LaneSnapshot lane) {
    SinkSummary sink = lane.sink();
    ViewSummary view = sink == null ? null : sink.view();
    if (sink == null || view == null || lane.truth().records() == 0) {
      return null;
    }
    boolean same = sink.rows() == view.rows();
    return new AnswerView(
        same ? "num plain" : "num dup",
        same ? "rows" : "dup",
        "",
        Figure.money(sink.total()),
        "raw " + Figure.count(sink.rows(), "row"));
  }

  /** What a window lane publishes. Green only once all is read, closed and there. */
  static AnswerView windows(WindowLaneSnapshot lane) {
    WindowLaneSnapshot.LateCounts late = lane.late();
    String counts =
        "accepted " + Figure.count(lane.accepted()) + ", late " + Figure.count(late.all());
    String emitted = Figure.money(lane.emitted());
    if (lane.trueRevenue().signum() == 0 && lane.accepted() + late.all() + lane.lag() == 0) {
      return new AnswerView("num open", "pend", "number", emitted, "nothing to reach");
    }
    if (late.dropped() > 0) {
      return new AnswerView(
          "num late",
          "late",
          counts,
          emitted,
          Figure.money(lane.missing())
              + " missing, "
              + percent(lane.missing(), lane.trueRevenue())
              + " %");
    }
    if (late.side() > 0) {
      return new AnswerView(
          "num late",
          "late",
          counts,
          emitted,
          Figure.money(late.sideRevenue())
              + " set aside, "
              + percent(late.sideRevenue(), lane.trueRevenue())
              + " %");
    }
    if (lane.lag() > 0) {
      return new AnswerView(
          "num pend", "pend", counts, emitted, Figure.count(lane.lag(), "record") + " to read");
    }
    if (lane.openWindows() > 0) {
      boolean ever = lane.watermark() != null;
      return new AnswerView(
          "num pend", "pend", counts, emitted, ever ? "held, not yet answered" : "never final");
    }
    boolean right = lane.emitted().compareTo(lane.trueRevenue()) == 0;
    return right
        ? new AnswerView("num ok", "ok", counts, emitted, "all closed, number right")
        : new AnswerView("num unknown", "unknown", counts, emitted, "not the true total");
  }

  private static String wrong(Counts counts) {
    List<String> parts = new ArrayList<>();
    if (positive(counts.lost())) {
      parts.add(counts.lost() + " lost");
    }
    if (positive(counts.duplicates())) {
      parts.add(counts.duplicates() + " twice");
    }
    return String.join(", ", parts);
  }

  private static String fill(Counts counts, BigDecimal difference) {
    if (positive(counts.lost())) {
      return "lost";
    }
    return positive(counts.duplicates()) || difference.signum() > 0 ? "dup" : "lost";
  }

  static long pending(LaneSnapshot lane) {
    Long pending = lane.counts().pending();
    return pending == null ? 0 : pending;
  }

  private static boolean positive(@Nullable Long number) {
    return number != null && number > 0;
  }

  /** One decimal; nothing of nothing is nothing. */
  static BigDecimal percent(BigDecimal part, BigDecimal whole) {
    return whole.signum() == 0
        ? BigDecimal.ZERO
        : part.multiply(BigDecimal.valueOf(100)).divide(whole, 1, RoundingMode.HALF_UP);
  }
}
