package dev.deliverylab.time;

import dev.deliverylab.log.InLog;
import dev.deliverylab.log.Order;
import dev.deliverylab.sink.Fate;
import dev.deliverylab.sink.LedgerRow;
import dev.deliverylab.sink.WindowSink;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Counts records in windows, by one rule, into one sink. What it remembers between two batches lies
 * in the sink, beside the windows and the position, so it begins each batch from there.
 */
final class Windowing {

  private final LateRule rule;
  private final Policy policy;
  private final int partitions;
  private final WindowSink sink;
  private final UnaryOperator<TimeRecord> arrival;
  private Seen seen;

  /**
   * @param arrival the record as it is judged: with another arrival, where the wall clock rules
   */
  Windowing(
      LateRule rule,
      Policy policy,
      int partitions,
      WindowSink sink,
      UnaryOperator<TimeRecord> arrival) {
    this.rule = rule;
    this.policy = policy;
    this.partitions = partitions;
    this.sink = sink;
    this.arrival = arrival;
    this.seen = Seen.nothing(partitions);
  }

  void begin() {
    sink.begin();
    seen = Seen.parse(sink.state(), partitions);
  }

  /** Judges a record, writes down what became of it, closes what it has closed, and counts it. */
  Judgement take(TimeRecord fromLog) {
    TimeRecord record = arrival.apply(fromLog);
    Instant before = seen.watermark();
    seen = seen.after(record, rule, policy);
    Judgement judged = rule.judge(record, seen, policy);
    sink.enter(line(judged));
    // First what the record has closed: if it is late itself, its window is among them.
    Instant watermark = seen.watermark();
    if (watermark != null && passedAnEnd(before, watermark)) {
      sink.closeUpTo(watermark, clock());
    }
    if (record instanceof ArrivedOrder order) {
      count(order, judged);
    }
    return judged;
  }

  private void count(ArrivedOrder order, Judgement judged) {
    Window window = Objects.requireNonNull(judged.window());
    boolean closes = rule != LateRule.PER_RECORD;
    if (judged.fate() == Fate.ACCEPTED) {
      sink.count(window.start(), window.end(), order.order().amount(), order.lateness(), !closes);
    } else if (judged.fate() == Fate.RESTATED) {
      sink.restate(
          window.start(), window.end(), order.order().amount(), order.lateness(), clock(), closes);
    }
  }

  private Instant clock() {
    return Objects.requireNonNull(seen.clock());
  }

  /** Most records move the watermark within one window, and then there is nothing to close. */
  private boolean passedAnEnd(@Nullable Instant before, Instant after) {
    Duration size = policy.window();
    return before == null
        || !Window.of(before, size).start().equals(Window.of(after, size).start());
  }

  void store(List<? extends InLog> batch) {
    sink.saveState(seen.text());
    sink.storeOffset(batch);
  }

  /** The lines that remain after a rewind, judged and counted again. */
  void refold(List<LedgerRow> lines) {
    for (LedgerRow line : lines) {
      take(record(line));
    }
    sink.saveState(seen.text());
  }

  private static TimeRecord record(LedgerRow line) {
    Order order = line.order();
    return order == null
        ? new ClockReading(line.partition(), line.offset(), line.arrivalTime())
        : new ArrivedOrder(line.partition(), line.offset(), line.arrivalTime(), order);
  }

  /** What a line of the ledger says. */
  static Judgement judgement(LedgerRow line) {
    Instant start = line.windowStart();
    Instant end = line.windowEnd();
    return new Judgement(
        record(line),
        start == null || end == null ? null : new Window(start, end),
        line.watermark(),
        line.fate());
  }

  private static LedgerRow line(Judgement judged) {
    TimeRecord record = judged.record();
    Window window = judged.window();
    return new LedgerRow(
        0,
        record.partition(),
        record.offset(),
        record.arrivalTime(),
        record instanceof ArrivedOrder order ? order.order() : null,
        window == null ? null : window.start(),
        window == null ? null : window.end(),
        judged.watermark(),
        judged.fate());
  }
}
