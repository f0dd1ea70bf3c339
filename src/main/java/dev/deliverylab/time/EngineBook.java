package dev.deliverylab.time;

import dev.deliverylab.sink.Fate;
import dev.deliverylab.sink.LedgerRow;
import dev.deliverylab.sink.Revision;
import dev.deliverylab.sink.WindowBook;
import dev.deliverylab.sink.WindowRow;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What one run of the engine has put out, added up from the records of its two topics. A window is
 * final here once every partition of the log has passed its end. It holds a line for each order of
 * the log, of which there are at most {@value Arrivals#MAX_ORDERS}.
 */
final class EngineBook implements WindowBook {

  private static final BigDecimal NOTHING = new BigDecimal("0.00");

  private final int run;
  private final Policy policy;
  private final List<LedgerRow> lines = new ArrayList<>();
  private final List<LedgerRow> late = new ArrayList<>();
  private final Map<Integer, Long> counted = new HashMap<>();
  private final TreeMap<Instant, Map<Integer, WindowResult>> results = new TreeMap<>();
  private final TreeSet<Instant> open = new TreeSet<>();
  private final Map<Instant, Instant> closedAt = new HashMap<>();
  private final TreeMap<Instant, List<Revision>> published = new TreeMap<>();
  private Seen seen;

  EngineBook(int run, Policy policy, int partitions) {
    this.run = run;
    this.policy = policy;
    this.seen = Seen.nothing(partitions);
  }

  /** The engine sends a window's result again without a new order after a restart: no news. */
  synchronized void add(WindowResult result) {
    ArrivedOrder order = result.last();
    if (order.offset() <= counted.getOrDefault(order.partition(), -1L)) {
      return;
    }
    counted.put(order.partition(), order.offset());
    enter(order, result.window(), result.watermark(), result.fate());
    Instant start = result.window().start();
    results.computeIfAbsent(start, none -> new HashMap<>()).put(order.partition(), result);
    if (!closedAt.containsKey(start)) {
      open.add(start);
    }
    if (result.fate() == Fate.RESTATED) {
      publish(start);
    }
    close();
  }

  synchronized void add(Judgement judged) {
    ArrivedOrder order = (ArrivedOrder) judged.record();
    enter(order, Objects.requireNonNull(judged.window()), judged.watermark(), judged.fate());
  }

  private void enter(ArrivedOrder order, Window window, @Nullable Instant watermark, Fate fate) {
    LedgerRow line =
        new LedgerRow(
            lines.size() + 1L,
            order.partition(),
            order.offset(),
            order.arrivalTime(),
            order.order(),
            window.start(),
            window.end(),
            watermark,
            fate);
    lines.add(line);
    if (fate.late()) {
      late.add(line);
    }
    seen = seen.after(order, LateRule.STREAMS_WINDOW, policy);
  }

  private void close() {
    Instant watermark = seen.watermark();
    while (watermark != null
        && !open.isEmpty()
        && !open.first().plus(policy.window()).isAfter(watermark)) {
      Instant start = Objects.requireNonNull(open.pollFirst());
      closedAt.put(start, clock());
      if (!published.containsKey(start)) {
        publish(start);
      }
    }
  }

  private void publish(Instant start) {
    List<Revision> before = published.computeIfAbsent(start, none -> new ArrayList<>());
    WindowRow now = row(start);
    before.add(new Revision(start, before.size() + 1, now.events(), now.revenue(), clock()));
  }

  private Instant clock() {
    return Objects.requireNonNull(seen.clock());
  }

  private WindowRow row(Instant start) {
    Collection<WindowResult> parts = Objects.requireNonNull(results.get(start)).values();
    Instant closed = closedAt.get(start);
    return new WindowRow(
        start,
        start.plus(policy.window()),
        parts.stream().mapToLong(WindowResult::events).sum(),
        parts.stream().map(WindowResult::revenue).reduce(NOTHING, BigDecimal::add),
        parts.stream().map(WindowResult::maxLateness).max(Duration::compareTo).orElseThrow(),
        published.getOrDefault(start, List.of()).size(),
        closed != null,
        closed);
  }

  @Override
  public synchronized List<WindowRow> windows(Instant after, int limit) {
    return results.tailMap(after, false).keySet().stream().limit(limit).map(this::row).toList();
  }

  @Override
  public synchronized List<LedgerRow> late(long afterSeq, int limit) {
    return late.stream().filter(line -> line.seq() > afterSeq).limit(limit).toList();
  }

  @Override
  public synchronized List<LedgerRow> ledger(long afterSeq, int limit) {
    return List.copyOf(behind(afterSeq).subList(0, Math.min(limit, behind(afterSeq).size())));
  }

  private List<LedgerRow> behind(long seq) {
    return lines.subList((int) Math.min(seq, lines.size()), lines.size());
  }

  @Override
  public synchronized List<Revision> revisions(Instant afterWindow, int limit) {
    return published.tailMap(afterWindow, false).values().stream()
        .flatMap(List::stream)
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized Totals totals() {
    long openEvents = 0;
    BigDecimal emitted = NOTHING;
    BigDecimal closed = NOTHING;
    Long answeredAfter = null;
    for (Instant start : results.keySet()) {
      WindowRow row = row(start);
      emitted = emitted.add(row.revenue());
      Instant at = row.closedAt();
      if (at == null) {
        openEvents += row.events();
      } else {
        closed = closed.add(row.revenue());
        long after = Duration.between(row.end(), at).toSeconds();
        answeredAfter = answeredAfter == null ? after : Math.max(answeredAfter, after);
      }
    }
    return new Totals(open.size(), openEvents, emitted, closed, answeredAfter);
  }

  @Override
  public synchronized Ledger sums(long afterSeq) {
    Map<Fate, Sum> sums = new EnumMap<>(Fate.class);
    for (LedgerRow line : behind(afterSeq)) {
      sums.merge(
          line.fate(),
          new Sum(1, Objects.requireNonNull(line.order()).amount()),
          (one, other) ->
              new Sum(one.events() + other.events(), one.revenue().add(other.revenue())));
    }
    return new Ledger(Math.max(afterSeq, lines.size()), sums);
  }

  @Override
  public synchronized Run run() {
    return new Run(run, policy.text(), seen.text());
  }
}
