package dev.deliverylab.time;

import dev.deliverylab.broker.BrokerUnavailable;
import dev.deliverylab.lane.Lane;
import dev.deliverylab.lane.LaneUnavailable;
import dev.deliverylab.lane.Standing;
import dev.deliverylab.sink.Fate;
import dev.deliverylab.sink.LedgerRow;
import dev.deliverylab.sink.Revision;
import dev.deliverylab.sink.SinkUnreachable;
import dev.deliverylab.sink.WindowBook;
import dev.deliverylab.sink.WindowRow;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is to be seen of one window lane, computed from its sink and the log. Late records are added
 * up as they come: a look costs what is new.
 */
final class LaneReader {

  private static final int WINDOWS = 500;
  private static final int PAGE = 1_000;

  /** Lines that are kept for the plane. */
  static final int LINES = 4_000;

  private static final Instant BEFORE_ALL = Instant.EPOCH.minusSeconds(1);

  private final Lane lane;
  private final Windowed hosted;
  private final TimeLog log;
  private final Arrivals arrivals;

  private volatile @Nullable WindowLaneSnapshot last;
  private int run;
  private long upTo;
  private int linesOfRun;
  private long linesUpTo;
  private final Map<String, LedgerRow> lines =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, LedgerRow> eldest) {
          return size() > LINES;
        }
      };
  private final Map<Fate, WindowBook.Sum> sums = new EnumMap<>(Fate.class);

  LaneReader(Lane lane, Windowed hosted, TimeLog log, Arrivals arrivals) {
    this.lane = lane;
    this.hosted = hosted;
    this.log = log;
    this.arrivals = arrivals;
  }

  /** As it is now; what nobody can read now, as it was when somebody last could. */
  WindowLaneSnapshot snapshot() {
    try {
      return fresh();
    } catch (SinkUnreachable | BrokerUnavailable | LaneUnavailable e) {
      return stale(e);
    }
  }

  private WindowLaneSnapshot stale(RuntimeException why) {
    WindowLaneSnapshot known = last == null ? WindowLaneSnapshot.nothing(hosted, lane) : last;
    String reason = lane.reason();
    return known.as(
        lane.state(),
        (reason == null ? why.getMessage() : reason) + " The numbers are those of before.",
        Standing.of(lane));
  }

  /**
   * As it is now, and nothing else.
   *
   * @throws RuntimeException when its sink or the broker does not answer
   */
  WindowLaneSnapshot fresh() {
    WindowLaneSnapshot now = look();
    last = now;
    return now;
  }

  private WindowLaneSnapshot look() {
    Standing standing = Standing.of(lane);
    Policy policy = hosted.policy();
    Arrivals.Totals truth = arrivals.totals();
    WindowBook book = hosted.book();
    WindowBook.Run current = book.run();
    Map<Fate, WindowBook.Sum> fates = sums(book, current.number());
    WindowBook.Totals totals = book.totals();
    Seen seen = Seen.parse(current.state(), log.partitions());
    Waiting waiting = new Waiting(hosted.lateRule(), policy, seen);
    List<WindowLaneSnapshot.WindowView> windows = windows(book, BEFORE_ALL, WINDOWS + 1);
    boolean more = windows.size() > WINDOWS;
    SortedMap<Integer, Long> committed = new TreeMap<>(lane.committed());
    long lag =
        lane.end().entrySet().stream()
            .mapToLong(end -> end.getValue() - committed.getOrDefault(end.getKey(), 0L))
            .sum();
    BigDecimal missing = of(fates, Fate.DROPPED).revenue();
    return new WindowLaneSnapshot(
        lane.name(),
        hosted.lateRule().formula(),
        lane.state(),
        lane.reason(),
        standing.steps(),
        standing.armed(),
        standing.now(),
        standing.lastCrash(),
        current.number(),
        lane.crashes(),
        policy,
        seen.watermark(),
        waiting.heldBackBy(),
        waiting.idle(),
        windows.stream()
            .filter(window -> !window.isFinal() && window.events() > 0)
            .findFirst()
            .map(open -> waiting.sentence(new Window(open.start(), open.end())))
            .orElse(null),
        of(fates, Fate.ACCEPTED).events(),
        new WindowLaneSnapshot.LateCounts(
            of(fates, Fate.DROPPED).events(),
            of(fates, Fate.SIDE).events(),
            of(fates, Fate.RESTATED).events(),
            of(fates, Fate.SIDE).revenue()),
        totals.emitted(),
        totals.closed(),
        truth.total(),
        missing,
        share(missing, truth.total()),
        totals.openWindows(),
        totals.openEvents(),
        totals.answeredAfterSeconds(),
        hosted.engineDropped(),
        committed,
        lag,
        more ? windows.subList(0, WINDOWS) : windows,
        more);
  }

  private static WindowBook.Sum of(Map<Fate, WindowBook.Sum> fates, Fate fate) {
    return fates.getOrDefault(fate, new WindowBook.Sum(0, new BigDecimal("0.00")));
  }

  private static @Nullable BigDecimal share(BigDecimal missing, BigDecimal all) {
    return all.signum() == 0
        ? null
        : missing.multiply(BigDecimal.valueOf(100)).divide(all, 1, RoundingMode.HALF_UP);
  }

  private synchronized Map<Fate, WindowBook.Sum> sums(WindowBook book, int current) {
    if (current != run) {
      sums.clear();
      upTo = 0;
      run = current;
    }
    WindowBook.Ledger added = book.sums(upTo);
    added
        .byFate()
        .forEach(
            (fate, sum) ->
                sums.merge(
                    fate,
                    sum,
                    (one, other) ->
                        new WindowBook.Sum(
                            one.events() + other.events(), one.revenue().add(other.revenue()))));
    upTo = added.upTo();
    return Map.copyOf(sums);
  }

  /** Windows that start after this time, with the true ones beside them. */
  List<WindowLaneSnapshot.WindowView> windows(Instant after, int limit) {
    return windows(hosted.book(), after, limit);
  }

  private List<WindowLaneSnapshot.WindowView> windows(WindowBook book, Instant after, int limit) {
    Map<Instant, WindowRow> rows = new HashMap<>();
    book.windows(after, limit).forEach(row -> rows.put(row.start(), row));
    Map<Instant, List<WindowLaneSnapshot.Published>> published = published(book, after, limit);
    Duration size = hosted.policy().window();
    Map<Instant, Arrivals.Windows.Sum> truth = arrivals.windows(size);
    TreeSet<Instant> starts = new TreeSet<>(rows.keySet());
    truth.keySet().stream().filter(start -> start.isAfter(after)).forEach(starts::add);
    return starts.stream()
        .limit(limit)
        .map(
            start ->
                view(
                    start,
                    start.plus(size),
                    rows.get(start),
                    truth.getOrDefault(start, Arrivals.Windows.Sum.NONE),
                    published.getOrDefault(start, List.of())))
        .toList();
  }

  private Map<Instant, List<WindowLaneSnapshot.Published>> published(
      WindowBook book, Instant after, int limit) {
    Map<Instant, List<WindowLaneSnapshot.Published>> byWindow = new HashMap<>();
    for (Revision each : book.revisions(after, 4 * limit)) {
      byWindow
          .computeIfAbsent(each.windowStart(), start -> new ArrayList<>())
          .add(
              new WindowLaneSnapshot.Published(
                  each.revision(), each.events(), each.revenue(), each.publishedAt()));
    }
    return byWindow;
  }

  private static WindowLaneSnapshot.WindowView view(
      Instant start,
      Instant end,
      @Nullable WindowRow row,
      Arrivals.Windows.Sum truth,
      List<WindowLaneSnapshot.Published> published) {
    return new WindowLaneSnapshot.WindowView(
        start,
        end,
        row == null ? 0 : row.events(),
        row == null ? new BigDecimal("0.00") : row.revenue(),
        row == null ? 0 : row.maxLateness().toSeconds(),
        row == null ? 0 : row.revision(),
        row != null && row.isFinal(),
        truth.events(),
        truth.revenue(),
        truth.maxLateness().toSeconds(),
        published);
  }

  List<LedgerRow> late(long seq, int limit) {
    return hosted.book().late(seq, limit);
  }

  /** The newest lines of the ledger, by place, read from where the last look ended. */
  synchronized Map<String, LedgerRow> newest() {
    try {
      readOn(hosted.book());
    } catch (SinkUnreachable | BrokerUnavailable e) {
      // The lane's snapshot says so; what was read is still true of its time.
    }
    return Map.copyOf(lines);
  }

  private void readOn(WindowBook book) {
    int current = book.run().number();
    if (current != linesOfRun) {
      lines.clear();
      linesUpTo = 0;
      linesOfRun = current;
    }
    sums(book, current);
    linesUpTo = Math.max(linesUpTo, upTo - LINES);
    List<LedgerRow> page;
    do {
      page = book.ledger(linesUpTo, PAGE);
      for (LedgerRow line : page) {
        lines.put(place(line.partition(), line.offset()), line);
        linesUpTo = line.seq();
      }
    } while (page.size() == PAGE);
  }

  static String place(int partition, long offset) {
    return partition + "@" + offset;
  }
}
