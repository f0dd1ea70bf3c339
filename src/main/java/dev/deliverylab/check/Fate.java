package dev.deliverylab.check;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import dev.deliverylab.log.Truth;
import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.SinkRow;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of one order in one lane: every rule of counting is here, and nowhere else.
 *
 * @param times rows in the sink
 * @param hidden how many of them a view hides
 * @param tally this order's share of the lane's tally
 */
record Fate(Outcome outcome, int times, int hidden, Tally tally) {

  /**
   * The greatest is the row that the sink's view shows: newest event time; of equal ones the later
   * place in the log; of readings of one place the first.
   */
  static final Comparator<SinkRow> IN_VIEW =
      Comparator.comparing(SinkRow::eventTime)
          .thenComparingLong(SinkRow::offset)
          .thenComparingInt(SinkRow::partition)
          .thenComparing(Comparator.comparingLong(SinkRow::row).reversed());

  /**
   * @param records all records of one order, the first one among them
   * @param rows all rows of that order, in row order
   */
  static Fate of(Shape shape, List<Truth.Entry> records, List<SinkRow> rows, Reach reach) {
    var order = firstContent(records);
    if (shape == Shape.BALANCE) {
      // A balance shows no effects, so only the first record is asked about: a later copy would be
      // added too, but
      // waiting for it would keep an order pending that has long been added.
      var open =
          records.stream().filter(Fate::isFirst).anyMatch(e -> reach.mayStillApply(e.record()));
      return new Fate(
          open ? Outcome.PENDING : Outcome.UNKNOWN, 0, 0, withoutEffect(order, 0, open ? 1 : 0));
    }
    if (rows.isEmpty()) {
      var open = records.stream().anyMatch(e -> reach.mayStillApply(e.record()));
      return new Fate(
          open ? Outcome.PENDING : Outcome.LOST,
          0,
          0,
          withoutEffect(order, open ? 0 : 1, open ? 1 : 0));
    }
    return withEffect(shape, order, rows);
  }

  /** Rows of an order that the truth does not know. */
  static Fate stray(Shape shape, List<SinkRow> rows) {
    return withEffect(shape, null, rows);
  }

  static Order firstContent(List<Truth.Entry> records) {
    return records.stream()
        .filter(Fate::isFirst)
        .map(Truth.Entry::record)
        .map(LogRecord::order)
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("the truth holds copies without a first record"));
  }

  private static boolean isFirst(Truth.Entry entry) {
    return entry.kind() == Truth.Kind.FIRST;
  }

  private static Tally withoutEffect(Order order, long lost, long pending) {
    return new Tally(
        1,
        order.amount(),
        0,
        0,
        Tally.NO_MONEY,
        0,
        Tally.NO_MONEY,
        0,
        0,
        0,
        0,
        0,
        lost,
        pending,
        0,
        0);
  }

  private static Fate withEffect(Shape shape, @Nullable Order order, List<SinkRow> rows) {
    var view = shape == Shape.DEDUPLICATED_ON_READ;
    var visible = view ? List.of(rows.stream().max(IN_VIEW).orElseThrow()) : rows;
    var changed = order != null && !Content.of(visible.get(0)).equals(Content.of(order));
    var kinds = kinds(visible);
    var total = sum(rows);
    var tally =
        new Tally(
            order == null ? 0 : 1,
            order == null ? Tally.NO_MONEY : order.amount(),
            rows.size(),
            1,
            total,
            visible.size(),
            view ? sum(visible) : total,
            visible.size() > 1 ? 1 : 0,
            kinds.reRead(),
            kinds.reSent(),
            // Where a row can be replaced or chosen, the loser leaves no row: the changed winner is
            // the only trace.
            kinds.conflict() + (changed && shape != Shape.APPEND_ONLY ? 1 : 0),
            changed ? 1 : 0,
            0,
            0,
            recognised(shape, rows),
            order == null ? rows.size() : 0);
    var outcome = visible.size() > 1 ? Outcome.DOUBLED : changed ? Outcome.CHANGED : Outcome.ONCE;
    return new Fate(outcome, rows.size(), rows.size() - visible.size(), tally);
  }

  /** Each row beyond the first, by what it shares with the rows before it. */
  private static Kinds kinds(List<SinkRow> rows) {
    long reRead = 0;
    long reSent = 0;
    long conflict = 0;
    var places = new HashSet<InHand.Place>();
    var contents = new HashSet<Content>();
    for (var row : rows) {
      var first = places.isEmpty();
      var newPlace = places.add(new InHand.Place(row.partition(), row.offset()));
      var newContent = contents.add(Content.of(row));
      if (first) {
        continue;
      }
      if (!newPlace) {
        reRead++;
      } else if (!newContent) {
        reSent++;
      } else {
        conflict++;
      }
    }
    return new Kinds(reRead, reSent, conflict);
  }

  private static long recognised(Shape shape, List<SinkRow> rows) {
    return switch (shape) {
      case APPEND_ONLY, BALANCE, WINDOWS -> 0;
      case DEDUPLICATED_ON_READ -> rows.size() - 1L;
      case KEYED, FIRST_WINS -> rows.stream().mapToLong(row -> row.writes() - 1L).sum();
    };
  }

  private static BigDecimal sum(List<SinkRow> rows) {
    return rows.stream().map(SinkRow::amount).reduce(Tally.NO_MONEY, BigDecimal::add);
  }

  /** What must be equal for two records to say the same. */
  private record Content(BigDecimal amount, Instant eventTime, @Nullable String customer) {

    static Content of(SinkRow row) {
      return new Content(row.amount().setScale(2), row.eventTime(), row.customer());
    }

    static Content of(Order order) {
      return new Content(order.amount(), order.eventTime(), order.customer());
    }
  }
}
