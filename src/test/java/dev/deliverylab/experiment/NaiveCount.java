package dev.deliverylab.experiment;

import dev.deliverylab.experiment.LaneModel.Row;
import dev.deliverylab.log.LogRecord;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a lane's rows and progress say about every order of a log whose ids are all different, by
 * walking the one and the other. For a lane with nothing in hand.
 *
 * @param rows raw rows; accounts for a running balance
 * @param distinct null for a running balance, like all that it cannot know
 * @param view what readers see through a view, or null
 * @param promiseKept null where it cannot be known
 */
record NaiveCount(
    long rows,
    @Nullable Long distinct,
    BigDecimal total,
    @Nullable View view,
    @Nullable Long duplicates,
    @Nullable Long lost,
    long pending,
    @Nullable Long reRead,
    @Nullable Long recognised,
    @Nullable Boolean promiseKept,
    @Nullable Boolean numberRight) {

  record View(long rows, BigDecimal total) {}

  private static final BigDecimal NO_MONEY = new BigDecimal("0.00");

  /** What breaks the promise of each lane. */
  private static final Set<String> BROKEN_BY_DUPLICATES =
      Set.of(
          "at-most-once",
          "transactional",
          "idempotent-key",
          "insert-ignore",
          "dedup-on-read",
          "random-key");

  private static final Set<String> BROKEN_BY_LOSS =
      Set.of(
          "at-least-once",
          "auto-commit",
          "auto-commit-handoff",
          "transactional",
          "idempotent-key",
          "insert-ignore",
          "dedup-on-read",
          "random-key");

  static NaiveCount of(
      String lane, List<LogRecord> log, List<Row> rows, Map<Integer, Long> progress) {
    Map<String, Long> writesByPlace = new LinkedHashMap<>();
    Map<String, BigDecimal> amounts = new LinkedHashMap<>();
    BigDecimal truth = NO_MONEY;
    for (LogRecord record : log) {
      amounts.put(place(record.partition(), record.offset()), record.order().amount());
      truth = truth.add(record.order().amount());
    }
    BigDecimal total = NO_MONEY;
    BigDecimal once = NO_MONEY;
    long recognised = 0;
    for (Row row : rows) {
      String place = place(row.partition(), row.offset());
      BigDecimal amount = Objects.requireNonNull(amounts.get(place), "a row without an order");
      total = total.add(amount);
      if (writesByPlace.merge(place, 1L, Long::sum) == 1) {
        once = once.add(amount);
      }
      recognised += row.writes() - 1;
    }
    boolean balance = lane.equals("increment-in-place");
    boolean view = lane.equals("dedup-on-read");
    long distinct = writesByPlace.size();
    long again = rows.size() - distinct;
    long lost = 0;
    long pending = 0;
    for (LogRecord record : log) {
      Long next = progress.get(record.partition());
      boolean passed = next != null && record.offset() < next;
      if (balance) {
        pending += passed ? 0 : 1;
      } else if (!writesByPlace.containsKey(place(record.partition(), record.offset()))) {
        lost += passed ? 1 : 0;
        pending += passed ? 0 : 1;
      }
    }
    boolean sumIsRight = (view ? once : total).compareTo(truth) == 0;
    if (balance) {
      Boolean answer = pending > 0 ? null : Boolean.valueOf(sumIsRight);
      Boolean kept = (answer == null || answer) ? null : answer; // a sum may agree by chance
      return new NaiveCount(
          accounts(log, rows), null, total, null, null, null, pending, null, null, kept, answer);
    }
    long duplicates = view ? 0 : again;
    boolean kept =
        !(BROKEN_BY_DUPLICATES.contains(lane) && duplicates > 0)
            && !(BROKEN_BY_LOSS.contains(lane) && lost > 0);
    Boolean right = Boolean.valueOf(sumIsRight);
    if (duplicates > 0 || lost > 0) {
      right = false;
    } else if (pending > 0) {
      right = null;
    }
    return new NaiveCount(
        rows.size(),
        distinct,
        total,
        view ? new View(distinct, once) : null,
        duplicates,
        lost,
        pending,
        duplicates,
        view ? again : recognised,
        kept,
        right);
  }

  private static long accounts(List<LogRecord> log, List<Row> rows) {
    Set<String> accounts = new HashSet<>();
    for (Row row : rows) {
      for (LogRecord record : log) {
        if (record.partition() == row.partition() && record.offset() == row.offset()) {
          accounts.add(String.valueOf(record.order().customer()));
        }
      }
    }
    return accounts.size();
  }

  private static String place(int partition, long offset) {
    return partition + "@" + offset;
  }

  /** The figures of a snapshot that differ, each with both values. */
  List<String> differences(LaneSnapshot seen) {
    List<String> found = new ArrayList<>();
    var sink = seen.sink();
    if (sink == null) {
      return List.of("the snapshot has no sink: " + seen.verdict().why());
    }
    differ(found, "sink.rows", rows, sink.rows());
    differ(found, "sink.distinct", distinct, sink.distinct());
    differ(found, "sink.total", total, sink.total());
    var seenView = sink.view();
    differ(
        found,
        "sink.view",
        view,
        seenView == null ? null : new View(seenView.rows(), seenView.total()));
    differ(found, "duplicates", duplicates, seen.counts().duplicates());
    differ(found, "lost", lost, seen.counts().lost());
    differ(found, "pending", pending, seen.counts().pending());
    var kinds = seen.kinds();
    differ(found, "reRead", reRead, kinds == null ? null : kinds.reRead());
    if (kinds != null) {
      differ(found, "reSent", 0L, kinds.reSent());
      differ(found, "conflict", 0L, kinds.conflict());
    }
    differ(found, "recognised", recognised, seen.recognised());
    differ(found, "promiseKept", promiseKept, seen.verdict().promiseKept());
    differ(found, "numberRight", numberRight, seen.verdict().numberRight());
    if (!found.isEmpty()) {
      found.add("the lab says: " + seen.verdict().why());
    }
    return found;
  }

  private static void differ(
      List<String> found, String what, @Nullable Object expected, @Nullable Object seen) {
    if (!Objects.equals(expected, seen)) {
      found.add(what + " is " + seen + ", expected " + expected);
    }
  }
}
