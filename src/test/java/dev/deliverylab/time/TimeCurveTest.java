package dev.deliverylab.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TimeCurveTest {

  private static final int PARTITIONS = 3;

  @Property(tries = 500)
  void eachPointIsWhatJudgingTheLogWithItsBoundGives(
      @ForAll("logs") TimeLogs log,
      @ForAll LateRule rule,
      @ForAll @IntRange(min = 0, max = 12) int bound,
      @ForAll @IntRange(min = 0, max = 6) int idle,
      @ForAll @IntRange(min = 0, max = 5) int ahead) {
    Policy asked = policy(5, bound, idle, ahead);
    Policy policy =
        rule == LateRule.STREAMS_WINDOW
            ? new Policy(asked.window(), asked.bound(), asked.late(), null, null)
            : asked;
    Curve curve = TimeCurve.of("any", rule, policy, PARTITIONS, log.records());
    assertThat(curve.points()).isEqualTo(judged(curve, rule, policy, log));
    assertThat(curve.points()).extracting(Curve.Point::boundSeconds).contains((long) bound, 0L);
    assertThat(point(curve, curve.greatestSeconds()).droppedEvents()).isZero();
  }

  /** The comparison sees a bound that is off by one second. */
  @Test
  void theBruteForceIsNoEcho() {
    TimeLogs log = TimeLogs.fiveLateEvents();
    Policy policy = policy(300, 379, 0, 60);
    Curve curve = TimeCurve.of("any", LateRule.PER_RECORD, policy, 1, log.records());
    Curve.Point wrong = brute(380, LateRule.PER_RECORD, policy, 1, log);
    assertThat(point(curve, 379).dropped()).isEqualTo("71.95").isNotEqualTo(wrong.dropped());
  }

  @Test
  void theFiveLateEvents() {
    List<TimeRecord> log = TimeLogs.fiveLateEvents().records();
    Curve perRecord = TimeCurve.of("per-record", LateRule.PER_RECORD, Policy.FIRST, 1, log);
    assertThat(perRecord.greatestSeconds()).isEqualTo(2100);
    // Latenesses: 2 s, 1 s, 3 s, 380 s and 2100 s. No window ever closes: 2 windows, 5 events.
    assertThat(point(perRecord, 0)).isEqualTo(unclosed(0, "149.45", 5, 0, 0));
    assertThat(point(perRecord, 3)).isEqualTo(unclosed(3, "71.95", 2, 2, 3));
    assertThat(point(perRecord, 380)).isEqualTo(unclosed(380, "63.20", 1, 2, 4));
    assertThat(point(perRecord, 600)).isEqualTo(unclosed(600, "63.20", 1, 2, 4));
    assertThat(point(perRecord, 2100)).isEqualTo(unclosed(2100, "0.00", 0, 2, 5));

    Curve arrival =
        TimeCurve.of("arrival-watermark", LateRule.ARRIVAL_WATERMARK, Policy.FIRST, 1, log);
    // 1005's window ends 09:10 and it comes at 09:41: 1861 s keep it, 1860 s do not. With ten
    // minutes both windows close at 09:41: 2160 s after 09:05.
    assertThat(point(arrival, 600))
        .isEqualTo(new Curve.Point(600, new BigDecimal("63.20"), 1, 2160L, 2, 4));
    assertThat(point(arrival, 1861).droppedEvents()).isZero();

    Curve event =
        TimeCurve.of("event-time-watermark", LateRule.EVENT_TIME_WATERMARK, Policy.FIRST, 1, log);
    // Even with no bound at all only 09:05 is passed, by the event of 09:07, at 09:07:01.
    assertThat(point(event, 0))
        .isEqualTo(new Curve.Point(0, new BigDecimal("0.00"), 0, 121L, 1, 4));
    assertThat(point(event, 600)).isEqualTo(unclosed(600, "0.00", 0, 2, 5));
  }

  @Test
  void anEmptyLogHasACurveOfNothing() {
    Curve curve = TimeCurve.of("any", LateRule.PER_RECORD, policy(300, 0, 0, 0), 1, List.of());
    assertThat(curve.greatestSeconds()).isZero();
    assertThat(curve.points()).containsExactly(unclosed(0, "0.00", 0, 0, 0));
  }

  @Test
  void aLongLogHasFewPointsAndAllItsEnds() {
    Random random = new Random(5);
    TimeLogs log = new TimeLogs();
    for (int i = 0; i < 100_000; i++) {
      Instant arrival = TimeLogs.DAY.plusMillis(200L * i).plusSeconds(20_000);
      long late = (long) (5 / Math.pow(random.nextDouble() + 1e-4, 0.9));
      log.order(i % PARTITIONS, i, "1.00", arrival.minusSeconds(late), arrival);
    }
    for (LateRule rule : LateRule.values()) {
      Curve curve = TimeCurve.of("any", rule, Policy.FIRST, PARTITIONS, log.records());
      assertThat(curve.points()).hasSizeBetween(40, 204);
      assertThat(point(curve, curve.greatestSeconds()).droppedEvents()).isZero();
      assertThat(point(curve, 600)).isEqualTo(brute(600, rule, Policy.FIRST, PARTITIONS, log));
    }
  }

  private static Curve.Point unclosed(
      long bound, String dropped, long droppedEvents, long windows, long events) {
    return new Curve.Point(bound, new BigDecimal(dropped), droppedEvents, null, windows, events);
  }

  private static Curve.Point point(Curve curve, long bound) {
    return curve.points().stream().filter(p -> p.boundSeconds() == bound).findFirst().orElseThrow();
  }

  private static List<Curve.Point> judged(Curve curve, LateRule rule, Policy policy, TimeLogs log) {
    return curve.points().stream()
        .map(point -> brute(point.boundSeconds(), rule, policy, PARTITIONS, log))
        .toList();
  }

  /** Judges the whole log again, with windows as a lane keeps them. */
  private static Curve.Point brute(
      long bound, LateRule rule, Policy like, int partitions, TimeLogs log) {
    Policy policy =
        new Policy(
            like.window(),
            Duration.ofSeconds(bound),
            like.late(),
            like.idleAfter(),
            like.maxAhead());
    Map<Window, Integer> open = new HashMap<>();
    BigDecimal dropped = new BigDecimal("0.00");
    long droppedEvents = 0;
    List<Duration> delays = new ArrayList<>();
    long mostOpen = 0;
    long mostHeld = 0;
    Seen seen = Seen.nothing(partitions);
    for (TimeRecord record : log.records()) {
      seen = seen.after(record, rule, policy);
      Judgement judgement = rule.judge(record, seen, policy);
      if (judgement.fate().late()) {
        dropped = dropped.add(((ArrivedOrder) record).order().amount());
        droppedEvents++;
      } else if (judgement.window() != null) {
        open.merge(judgement.window(), 1, Integer::sum);
      }
      for (Window window : List.copyOf(open.keySet())) {
        if (seen.watermark() != null && !seen.watermark().isBefore(window.end())) {
          open.remove(window);
          delays.add(Duration.between(window.end(), seen.clock()));
        }
      }
      mostOpen = Math.max(mostOpen, open.size());
      mostHeld = Math.max(mostHeld, open.values().stream().mapToInt(n -> n).sum());
    }
    Long delay =
        delays.isEmpty() ? null : delays.stream().max(Duration::compareTo).get().toSeconds();
    return new Curve.Point(bound, dropped, droppedEvents, delay, mostOpen, mostHeld);
  }

  private static Policy policy(int window, int bound, int idle, int ahead) {
    return new Policy(
        Duration.ofSeconds(window),
        Duration.ofSeconds(bound),
        Late.DROP,
        idle == 0 ? null : Duration.ofSeconds(idle),
        Duration.ofSeconds(ahead));
  }

  @Provide
  Arbitrary<TimeLogs> logs() {
    return TimeLogs.any(PARTITIONS);
  }
}
