package dev.deliverylab.web;

import dev.deliverylab.check.SinkSummary;
import dev.deliverylab.check.TruthSummary;
import dev.deliverylab.experiment.LaneSnapshot;
import dev.deliverylab.history.Event;
import dev.deliverylab.sink.SinkRow;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One lane's page. {@code row} is what the dashboard shows of it. */
record LaneView(
    RowView row,
    long experiment,
    String group,
    String lives,
    SourceView source,
    TimelineView timeline,
    List<StripView> strips,
    List<SinkLine> rows,
    List<SinkLine> view,
    List<Balance> balances,
    String sinkSays,
    boolean hasView,
    Totals totals,
    List<Past> history) {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  /**
   * @param again where it was before, or null
   */
  record SinkLine(
      String row,
      String order,
      String fullOrder,
      String amount,
      String eventTime,
      String fullTime,
      String place,
      int life,
      @Nullable String again,
      boolean hidden) {}

  record Balance(String account, String amount) {}

  /** What stands under the rows: what the reader sees, the truth, and what lies between. */
  record Totals(String rows, String total, String orders, String truth, String difference) {}

  record Past(long seq, String at, String life, String kind, String text) {}

  static LaneView of(Board.Detail detail) {
    Board.Lane lane = detail.lane();
    LaneSnapshot snapshot = lane.snapshot();
    // The log strip of the dashboard is not on this page, so the row has no cells.
    LogView noLog = new LogView(List.of(), List.of(), "", "");
    List<SinkLine> rows = new ArrayList<>();
    for (Board.Row row : detail.rows()) {
      rows.add(line(row.row(), row.sameAs(), row.hidden()));
    }
    List<Past> history = new ArrayList<>();
    for (Event event : detail.history()) {
      history.add(
          new Past(
              event.seq(),
              CLOCK.format(event.at()),
              event.life() == null ? "" : Integer.toString(event.life()),
              event.kind().name().toLowerCase(Locale.ROOT),
              event.text()));
    }
    Collections.reverse(history);
    return new LaneView(
        RowView.of(lane, noLog, detail.batchSize()),
        detail.experiment(),
        snapshot.group(),
        lives(snapshot),
        SourceView.of(detail.sourceClass(), snapshot),
        TimelineView.of(
            snapshot.steps(),
            snapshot.counts().duplicates() == null || snapshot.counts().duplicates() > 0,
            detail.history()),
        StripView.of(detail),
        List.copyOf(rows),
        detail.view().stream().map(row -> line(row, null, false)).toList(),
        detail.balances().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(b -> new Balance(b.getKey(), Figure.money(b.getValue())))
            .toList(),
        sinkSays(detail),
        snapshot.sink() != null && snapshot.sink().view() != null,
        totals(snapshot),
        List.copyOf(history));
  }

  static String time(Instant instant) {
    return TIME.format(instant);
  }

  private static SinkLine line(SinkRow row, @Nullable Long sameAs, boolean hidden) {
    String again =
        sameAs != null
            ? "again, same as row " + sameAs
            : row.writes() > 1 ? "met " + row.writes() + " times, kept once" : null;
    return new SinkLine(
        Figure.count(row.row()),
        Figure.shortened(row.orderId()),
        row.orderId().toString(),
        Figure.money(row.amount()),
        SECONDS.format(row.eventTime()),
        time(row.eventTime()) + " UTC",
        row.partition() + " / " + row.offset(),
        row.life(),
        again,
        hidden);
  }

  private static String lives(LaneSnapshot snapshot) {
    return snapshot.life() == 0
        ? "Never started."
        : "Crashed "
            + Figure.count(snapshot.crashes(), "time")
            + ", restarted "
            + Figure.count(snapshot.restarts(), "time")
            + ", now in life "
            + snapshot.life()
            + ".";
  }

  private static String sinkSays(Board.Detail detail) {
    return switch (detail.shape()) {
      case APPEND_ONLY -> "append only: every write is a row";
      case DEDUPLICATED_ON_READ -> "append only; readers use the view on the right";
      case KEYED -> "one row a key, the last write wins";
      case FIRST_WINS -> "one row an order, the first write wins";
      case BALANCE -> "a running balance: nothing to count";
      case WINDOWS -> "one row a window, the latest revision";
    };
  }

  private static Totals totals(LaneSnapshot snapshot) {
    SinkSummary sink = snapshot.sink();
    TruthSummary truth = snapshot.truth();
    return new Totals(
        sink == null ? "unknown" : Figure.count(sink.rows(), "row"),
        sink == null ? "?" : Figure.money(sink.total()),
        Figure.count(truth.records(), "order"),
        Figure.money(truth.total()),
        sink == null ? "?" : Figure.difference(sink.total().subtract(truth.total())));
  }
}
