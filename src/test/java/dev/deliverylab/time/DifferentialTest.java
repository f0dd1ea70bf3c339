package dev.deliverylab.time;

import static dev.deliverylab.time.LateRule.EVENT_TIME_WATERMARK;
import static dev.deliverylab.time.LateRule.STREAMS_WINDOW;
import static dev.deliverylab.time.TimeLogs.DAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The lab's {@code event-time-watermark} beside Kafka Streams, on the same records with the same
 * window and with the bound as the grace period: the same windows, the same drops.
 */
class DifferentialTest {

  @ParameterizedTest
  @CsvSource({
    // seed, orders, delay, its scale, percent out of order, percent ahead, window, bound
    "1, 10000, HEAVY_TAIL, 30, 0, 0, 300, 600",
    "2, 10000, HEAVY_TAIL, 30, 10, 0, 60, 0",
    "3, 10000, UNIFORM, 120, 0, 0, 60, 60",
    "4, 10000, UNIFORM, 120, 20, 1, 7, 90",
    "5, 10000, NONE, 0, 50, 0, 1, 0",
    "6, 10000, NONE, 0, 0, 5, 3600, 3600",
    "7, 2500, HEAVY_TAIL, 600, 30, 1, 86400, 1"
  })
  void seededStreams(
      long seed, int count, Delay delay, int scale, int disorder, int ahead, int size, int bound) {
    DelayGenerator generator =
        new DelayGenerator(count, seed, 20, delay, scale, disorder, null, ahead, DAY, 1);
    TimeLogs log = new TimeLogs();
    for (Arrival arrival : generator.arrivals(BigInteger.ONE, 1)) {
      log.arrival(arrival);
    }
    same(policy(size, bound), log);
  }

  /** Whole seconds and small windows, so that most records lie at an edge of something. */
  @Property(tries = 300)
  void streamsFullOfEdges(
      @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 40) Integer> seconds,
      @ForAll @IntRange(min = 1, max = 6) int size,
      @ForAll @IntRange(min = 0, max = 8) int bound) {
    same(policy(size, bound), events(seconds));
  }

  /** Each is the last record; what it shares with the window's end is an edge. */
  @ParameterizedTest
  @CsvSource({
    // window 10 s; the record of second 3 comes after the one of second `newest`
    "10, 0, true", // the watermark exactly at the window's end
    "9, 0, false",
    "15, 5, true",
    "14, 5, false",
    "15, 6, false",
    "3, 0, false" // the same second twice, no bound at all
  })
  void theEdges(int newest, int bound, boolean late) {
    TimeLogs log = events(List.of(newest, 3));
    assertThat(same(policy(10, bound), log).late()).hasSize(late ? 1 : 0);
  }

  @Test
  void anEventExactlyAtAWindowsEndBelongsToTheNextWindow() {
    Outcome both = same(policy(10, 0), events(List.of(9, 10, 19, 20)));
    assertThat(both.windows())
        .extractingByKeys(DAY, DAY.plusSeconds(10), DAY.plusSeconds(20))
        .extracting(Counted::events)
        .containsExactly(1L, 2L, 1L);
  }

  /** The engine knows milliseconds; what lies between them is cut off, and changes no verdict. */
  @Test
  void microsecondsChangeNoVerdict() {
    Instant end = DAY.plusSeconds(10);
    for (long micros : new long[] {-1, 0, 1, 999, 1000}) {
      TimeLogs log =
          new TimeLogs()
              .order(0, 1, "1.00", end.plusNanos(micros * 1000), end)
              .order(0, 2, "1.00", DAY, end);
      assertThat(same(policy(10, 0), log).late()).hasSize(micros < 0 ? 0 : 1);
    }
  }

  @Test
  void theFiveLateEventsAndTheOneThatClosesTheirWindow() {
    TimeLogs five = TimeLogs.fiveLateEvents();
    assertThat(same(Policy.FIRST, five).late()).isEmpty();
    TimeLogs six =
        new TimeLogs()
            .order(1001, "25.50", "09:04:00", "09:04:02")
            .order(1006, "1.00", "09:20:00", "09:20:01")
            .order(1005, "63.20", "09:06:00", "09:41:00");
    assertThat(same(Policy.FIRST, six).late()).containsExactly(1005L);
  }

  /** A rule that is off by one unit at the window's end makes the comparison red. */
  @Test
  void aRuleThatIsOffByOneUnitIsFound() {
    Policy policy = policy(10, 5);
    TimeLogs log = events(List.of(15, 3));
    Outcome engine = engine(policy, log);
    assertThat(engine).isEqualTo(ours(policy, log, judged -> judged.fate().late()));
    assertThat(engine)
        .isNotEqualTo(
            ours(policy, log, judged -> judged.watermark().isAfter(judged.window().end())));
    TimeLogs before = events(List.of(14, 3));
    assertThat(engine(policy, before))
        .isNotEqualTo(
            ours(
                policy,
                before,
                judged -> !judged.watermark().plusSeconds(1).isBefore(judged.window().end())));
  }

  /** Beyond the limit on events from the future the two part: the engine has no such limit. */
  @Test
  void theEngineBelievesEveryEventFromTheFuture() {
    TimeLogs log =
        new TimeLogs()
            .order(1, "1.00", "12:00:00", "09:00:00")
            .order(2, "1.00", "08:55:00", "09:00:00");
    assertThat(ours(Policy.FIRST, log, judged -> judged.fate().late()).late()).isEmpty();
    assertThat(engine(Policy.FIRST, log).late()).containsExactly(2L);
    // As its own policy says: there is no limit in it.
    same(STREAMS_WINDOW.first(), log);
  }

  private static Outcome same(Policy policy, TimeLogs log) {
    Outcome engine = engine(policy, log);
    assertThat(engine).isEqualTo(ours(policy, log, judged -> judged.fate().late()));
    assertThat(engine).isEqualTo(ours(STREAMS_WINDOW, policy, log, judged -> judged.fate().late()));
    return engine;
  }

  private static Outcome ours(Policy policy, TimeLogs log, Predicate<Judgement> late) {
    return ours(EVENT_TIME_WATERMARK, policy, log, late);
  }

  private static Outcome ours(
      LateRule rule, Policy policy, TimeLogs log, Predicate<Judgement> late) {
    SortedMap<Instant, Counted> windows = new TreeMap<>();
    List<Long> dropped = new ArrayList<>();
    Seen seen = Seen.nothing(1);
    for (TimeRecord record : log.records()) {
      seen = seen.after(record, rule, policy);
      Judgement judged = rule.judge(record, seen, policy);
      ArrivedOrder order = (ArrivedOrder) record;
      if (late.test(judged)) {
        dropped.add(order.order().orderId().longValueExact());
      } else {
        windows.merge(
            judged.window().start(),
            new Counted(1, order.order().amount(), order.lateness()),
            Counted::plus);
      }
    }
    return new Outcome(windows, dropped, dropped.size());
  }

  private static Outcome engine(Policy policy, TimeLogs log) {
    try (Engine engine = new Engine(policy)) {
      engine.read(log.records());
      SortedMap<Instant, Counted> windows = new TreeMap<>();
      for (WindowResult result : engine.results()) {
        windows.put(
            result.window().start(),
            new Counted(result.events(), result.revenue(), result.maxLateness()));
      }
      return new Outcome(windows, TimeLogs.late(engine.late()), engine.dropped());
    }
  }

  private static TimeLogs events(List<Integer> seconds) {
    TimeLogs log = new TimeLogs();
    for (int i = 0; i < seconds.size(); i++) {
      log.order(0, i + 1, "1.25", DAY.plusSeconds(seconds.get(i)), DAY.plusSeconds(60 + i));
    }
    return log;
  }

  private static Policy policy(long windowSeconds, long boundSeconds) {
    return new Policy(
        Duration.ofSeconds(windowSeconds),
        Duration.ofSeconds(boundSeconds),
        Late.DROP,
        null,
        Policy.MAX_BOUND);
  }

  /**
   * @param metric the count of drops: the engine's own, and ours
   */
  private record Outcome(SortedMap<Instant, Counted> windows, List<Long> late, long metric) {}

  private record Counted(long events, BigDecimal revenue, Duration maxLateness) {

    private Counted plus(Counted other) {
      return new Counted(
          events + other.events,
          revenue.add(other.revenue),
          maxLateness.compareTo(other.maxLateness) > 0 ? maxLateness : other.maxLateness);
    }
  }
}
