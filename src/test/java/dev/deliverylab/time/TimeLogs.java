package dev.deliverylab.time;

import dev.deliverylab.log.Order;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Time logs for tests: what came, in the order in which a lane meets it. */
final class TimeLogs {

  static final Instant DAY = Instant.parse("2026-01-04T00:00:00Z");

  private final List<TimeRecord> records = new ArrayList<>();
  private final Map<Integer, Long> ends = new HashMap<>();

  /** The five of the founding document. */
  static TimeLogs fiveLateEvents() {
    return new TimeLogs()
        .order(1001, "25.50", "09:04:00", "09:04:02")
        .order(1002, "12.00", "09:07:00", "09:07:01")
        .order(1003, "40.00", "09:09:00", "09:09:03")
        .order(1004, "8.75", "09:08:00", "09:14:20")
        .order(1005, "63.20", "09:06:00", "09:41:00");
  }

  TimeLogs order(long id, String amount, String event, String arrival) {
    return order(0, id, amount, at(event), at(arrival));
  }

  TimeLogs order(int partition, long id, String amount, Instant event, Instant arrival) {
    Order order = new Order(BigInteger.valueOf(id), new BigDecimal(amount), event, null);
    records.add(new ArrivedOrder(partition, next(partition), arrival, order));
    return this;
  }

  TimeLogs arrival(Arrival arrival) {
    int partition = arrival.partition() == null ? 0 : arrival.partition();
    records.add(
        new ArrivedOrder(partition, next(partition), arrival.arrivalTime(), arrival.order()));
    return this;
  }

  TimeLogs clock(int partition, Instant reading) {
    records.add(new ClockReading(partition, next(partition), reading));
    return this;
  }

  private long next(int partition) {
    return ends.merge(partition, 1L, Long::sum) - 1;
  }

  List<TimeRecord> records() {
    return List.copyOf(records);
  }

  static Instant at(String timeOfDay) {
    return Instant.parse("2026-01-04T" + timeOfDay + "Z");
  }

  static Window window(String start, String end) {
    return new Window(at(start), at(end));
  }

  static Policy policy(long windowSeconds, long boundSeconds) {
    return new Policy(
        Duration.ofSeconds(windowSeconds),
        Duration.ofSeconds(boundSeconds),
        Late.DROP,
        null,
        Duration.ofMinutes(1));
  }

  /** Judges a log from its first record to its last. */
  static List<Judgement> judge(LateRule rule, Policy policy, int partitions, TimeLogs log) {
    List<Judgement> judged = new ArrayList<>();
    Seen seen = Seen.nothing(partitions);
    for (TimeRecord record : log.records) {
      seen = seen.after(record, rule, policy);
      judged.add(rule.judge(record, seen, policy));
    }
    return judged;
  }

  static Seen seen(LateRule rule, Policy policy, int partitions, TimeLogs log) {
    Seen seen = Seen.nothing(partitions);
    for (TimeRecord record : log.records) {
      seen = seen.after(record, rule, policy);
    }
    return seen;
  }

  /** The orders that were late, by id. */
  static List<Long> late(List<Judgement> judged) {
    return judged.stream()
        .filter(judgement -> judgement.fate().late())
        .map(judgement -> ((ArrivedOrder) judgement.record()).order().orderId().longValueExact())
        .toList();
  }

  /**
   * Logs of a few partitions, with readings of the clock, whose times lie close enough together to
   * meet at the edges.
   */
  static Arbitrary<TimeLogs> any(int partitions) {
    Arbitrary<Integer[]> step =
        Combinators.combine(
                Arbitraries.integers().between(0, partitions - 1),
                Arbitraries.integers().between(0, 8),
                Arbitraries.integers().between(-15, 40),
                Arbitraries.integers().between(0, 9))
            .as((partition, pause, delay, kind) -> new Integer[] {partition, pause, delay, kind});
    return step.list().ofMaxSize(40).map(TimeLogs::of);
  }

  private static TimeLogs of(List<Integer[]> steps) {
    TimeLogs log = new TimeLogs();
    Instant now = DAY.plusSeconds(60);
    for (Integer[] step : steps) {
      now = now.plusMillis(step[1] * 500L);
      if (step[3] == 0) {
        log.clock(step[0], now);
      } else {
        Instant event = now.minusMillis(step[2] * 500L);
        log.order(step[0], log.records.size(), step[3] + ".25", event, now);
      }
    }
    return log;
  }

  @Override
  public String toString() {
    return Arrays.toString(records.toArray());
  }
}
