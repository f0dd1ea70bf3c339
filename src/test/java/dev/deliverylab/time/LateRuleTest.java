package dev.deliverylab.time;

import static dev.deliverylab.time.LateRule.ARRIVAL_WATERMARK;
import static dev.deliverylab.time.LateRule.EVENT_TIME_WATERMARK;
import static dev.deliverylab.time.LateRule.PER_RECORD;
import static dev.deliverylab.time.LateRule.STREAMS_WINDOW;
import static dev.deliverylab.time.TimeLogs.DAY;
import static dev.deliverylab.time.TimeLogs.at;
import static dev.deliverylab.time.TimeLogs.judge;
import static dev.deliverylab.time.TimeLogs.late;
import static dev.deliverylab.time.TimeLogs.policy;
import static dev.deliverylab.time.TimeLogs.seen;
import static dev.deliverylab.time.TimeLogs.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.deliverylab.sink.Fate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The founding document's five late events, and real cases, under each rule. */
class LateRuleTest {

  private static final Policy TEN_MINUTES = Policy.FIRST;

  @Test
  void perRecordDropsTheOneThatCameThirtyFiveMinutesLate() {
    List<Judgement> judged = judge(PER_RECORD, TEN_MINUTES, 1, TimeLogs.fiveLateEvents());
    // Latenesses: 2 s, 1 s, 3 s, 6 min 20 s, and 35 min for 1005.
    assertThat(late(judged)).containsExactly(1005L);
    assertThat(judged).extracting(Judgement::watermark).containsOnlyNulls();
  }

  @Test
  void theArrivalClockDropsTheSameOne() {
    List<Judgement> judged = judge(ARRIVAL_WATERMARK, TEN_MINUTES, 1, TimeLogs.fiveLateEvents());
    assertThat(judged.get(4).fate()).isEqualTo(Fate.DROPPED);
    assertThat(judged.get(4).watermark()).isEqualTo(at("09:31:00"));
    assertThat(judged.get(4).window()).isEqualTo(window("09:05:00", "09:10:00"));
    assertThat(late(judged)).containsExactly(1005L);
  }

  @Test
  void theEventTimeWatermarkDropsNoneOfTheFive() {
    List<Judgement> judged = judge(EVENT_TIME_WATERMARK, TEN_MINUTES, 1, TimeLogs.fiveLateEvents());
    // The greatest event time is 09:09:00, so it never passes 08:59:00.
    assertThat(late(judged)).isEmpty();
    assertThat(judged.get(4).watermark()).isEqualTo(at("08:59:00"));
  }

  @ParameterizedTest
  @CsvSource({"09:20:00, true", "09:19:59.999999, false", "09:20:00.000001, true"})
  void unlessAnotherRecordHasClosedItsWindowBefore(String event, boolean closes) {
    TimeLogs log =
        new TimeLogs()
            .order(1001, "25.50", "09:04:00", "09:04:02")
            .order(2000, "1.00", event, "09:20:01")
            .order(1005, "63.20", "09:06:00", "09:41:00");
    assertThat(late(judge(EVENT_TIME_WATERMARK, TEN_MINUTES, 1, log)))
        .isEqualTo(closes ? List.of(1005L) : List.of());
  }

  @Test
  void oneRecordIsLateByItsOwnArrivalAndInTimeByTheClock() {
    TimeLogs log = new TimeLogs().order(1006, "1.00", "09:06:00", "09:17:00");
    assertThat(judge(PER_RECORD, TEN_MINUTES, 1, log).get(0).fate()).isEqualTo(Fate.DROPPED);
    Judgement byClock = judge(ARRIVAL_WATERMARK, TEN_MINUTES, 1, log).get(0);
    assertThat(byClock.fate()).isEqualTo(Fate.ACCEPTED);
    assertThat(byClock.watermark()).isEqualTo(at("09:07:00"));
  }

  @Test
  void aLatenessOfExactlyTheBoundIsInTime() {
    TimeLogs log =
        new TimeLogs()
            .order(1, "1.00", "09:06:00", "09:16:00")
            .order(2, "1.00", "09:06:00", "09:16:00.000001");
    assertThat(late(judge(PER_RECORD, TEN_MINUTES, 1, log))).containsExactly(2L);
  }

  @ParameterizedTest
  @CsvSource({"DROP, DROPPED", "SIDE_OUTPUT, SIDE", "RESTATE, RESTATED"})
  void whatBecomesOfALateRecordIsThePolicys(Late late, Fate fate) {
    Policy policy =
        new Policy(TEN_MINUTES.window(), TEN_MINUTES.bound(), late, null, Duration.ZERO);
    assertThat(judge(PER_RECORD, policy, 1, TimeLogs.fiveLateEvents()).get(4).fate())
        .isEqualTo(fate);
  }

  /** C12: windows of 10 s, event seconds 3, 12, 9, 15, 8, 14. */
  @ParameterizedTest
  @CsvSource({"5, 8", "0, 9 8"})
  void behindTheWatermarkIsNotLateWhileTheWindowIsOpen(long bound, String expected) {
    TimeLogs log = new TimeLogs();
    for (int second : new int[] {3, 12, 9, 15, 8, 14}) {
      log.order(0, second, "1.00", DAY.plusSeconds(second), DAY.plusSeconds(60));
    }
    List<Judgement> judged = judge(EVENT_TIME_WATERMARK, policy(10, bound), 1, log);
    assertThat(late(judged).stream().map(String::valueOf).toList())
        .containsExactly(expected.split(" "));
    Judgement eight = judged.get(4);
    assertThat(eight.watermark()).isEqualTo(DAY.plusSeconds(15 - bound));
    assertThat(eight.window()).isEqualTo(new Window(DAY, DAY.plusSeconds(10)));
  }

  /** C14: two partitions go on for a minute, then the third brings one event that is 50 s old. */
  @Test
  void aSilentPartitionHoldsTheWatermarkBackUntilItIsIdle() {
    TimeLogs log = minute();
    Seen held = seen(EVENT_TIME_WATERMARK, policy(10, 0), 3, log);
    assertThat(held.watermark()).isNull();
    assertThat(waiting(policy(10, 0), held).heldBackBy()).isEqualTo(2);
    assertThat(waiting(policy(10, 0), held).idle()).isEmpty();
    assertThat(waiting(policy(10, 0), held).sentence(new Window(DAY, DAY.plusSeconds(10))))
        .isEqualTo(
            "The window that ends at 2026-01-04T00:00:10Z waits for an event of"
                + " 2026-01-04T00:00:10Z or later in partition 2 (no order yet).");

    Policy idle = idleAfter(30);
    Seen ignored = seen(EVENT_TIME_WATERMARK, idle, 3, log);
    assertThat(ignored.watermark()).isEqualTo(DAY.plusSeconds(59));
    assertThat(waiting(idle, ignored).heldBackBy()).isZero();
    assertThat(waiting(idle, ignored).idle()).containsExactly(2);

    log.order(2, 1000, "1.00", DAY.plusSeconds(10), DAY.plusSeconds(60));
    Seen woken = seen(EVENT_TIME_WATERMARK, idle, 3, log);
    assertThat(late(judge(EVENT_TIME_WATERMARK, idle, 3, log))).containsExactly(1000L);
    assertThat(woken.watermark()).as("never goes back").isEqualTo(DAY.plusSeconds(59));
    assertThat(waiting(idle, woken).heldBackBy()).isEqualTo(2);
    assertThat(waiting(idle, woken).idle()).isEmpty();
    assertThat(waiting(idle, woken).sentence(new Window(DAY.plusSeconds(50), DAY.plusSeconds(60))))
        .contains("in partition 0 (newest so far 2026-01-04T00:00:59Z, left out from")
        .contains("and in partition 1 (")
        .endsWith(
            "and in partition 2 (newest so far 2026-01-04T00:00:10Z, left out from"
                + " 2026-01-04T00:01:30Z if silent).");
  }

  @Test
  void aPartitionIsIdleAtTheVeryEndOfItsTime() {
    TimeLogs log = minute();
    // First arrival 00:00:00, the clock shows 00:00:59.
    assertThat(waiting(idleAfter(59), seen(EVENT_TIME_WATERMARK, idleAfter(59), 3, log)).idle())
        .containsExactly(2);
    assertThat(waiting(idleAfter(60), seen(EVENT_TIME_WATERMARK, idleAfter(60), 3, log)).idle())
        .isEmpty();
  }

  /** C14: three events, then silence; only the clock goes on. */
  @Test
  void inSilenceTheWatermarkStaysAndTheSentenceSaysSo() {
    Policy idle = idleAfter(30);
    TimeLogs log = new TimeLogs();
    for (int partition = 0; partition < 3; partition++) {
      log.order(partition, partition, "1.00", DAY.plusSeconds(partition), DAY.plusSeconds(5));
    }
    Window open = new Window(DAY, DAY.plusSeconds(10));
    assertThat(waiting(idle, seen(EVENT_TIME_WATERMARK, idle, 3, log)).sentence(open))
        .contains("waits for an event of 2026-01-04T00:00:10Z or later in partition 0")
        .contains("and in partition 2");
    for (int partition = 0; partition < 3; partition++) {
      log.clock(partition, DAY.plusSeconds(100));
    }
    Seen silent = seen(EVENT_TIME_WATERMARK, idle, 3, log);
    assertThat(silent.watermark()).isEqualTo(DAY);
    assertThat(waiting(idle, silent).heldBackBy()).isNull();
    assertThat(waiting(idle, silent).idle()).containsExactly(0, 1, 2);
    assertThat(waiting(idle, silent).sentence(open))
        .endsWith("waits for newer events: all partitions are idle.");
    // The clock's own rule closes it.
    assertThat(seen(ARRIVAL_WATERMARK, idle, 3, log).watermark()).isEqualTo(DAY.plusSeconds(100));
  }

  @Test
  void aReadingOfTheClockIsNoOrder() {
    TimeLogs log = TimeLogs.fiveLateEvents().clock(0, at("09:45:00"));
    for (LateRule rule : LateRule.values()) {
      Judgement reading = judge(rule, TEN_MINUTES, 1, log).get(5);
      assertThat(reading.fate()).isEqualTo(Fate.CLOCK);
      assertThat(reading.window()).isNull();
    }
    assertThat(judge(ARRIVAL_WATERMARK, TEN_MINUTES, 1, log).get(5).watermark())
        .isEqualTo(at("09:35:00"));
    assertThat(judge(EVENT_TIME_WATERMARK, TEN_MINUTES, 1, log).get(5).watermark())
        .isEqualTo(at("08:59:00"));
  }

  @Test
  void anEventFromTheFutureCountsButPushesTheWatermarkOnlyAMinuteAhead() {
    TimeLogs log =
        new TimeLogs()
            .order(1, "1.00", "12:00:00", "09:00:00")
            .order(2, "1.00", "08:55:00", "09:00:00")
            .order(3, "1.00", "08:51:00", "09:00:10");
    List<Judgement> judged = judge(EVENT_TIME_WATERMARK, TEN_MINUTES, 1, log);
    // 12:00 counts as 09:01, so the watermark stands at 08:51, not at 11:50.
    assertThat(judged).extracting(Judgement::watermark).containsOnly(at("08:51:00"));
    assertThat(judged).extracting(Judgement::fate).containsOnly(Fate.ACCEPTED);
    assertThat(judged.get(0).window()).isEqualTo(window("12:00:00", "12:05:00"));
    assertThat(((ArrivedOrder) log.records().get(0)).lateness()).isZero();
    // Allowed to push it for hours, the same event makes the others late.
    Policy trusting =
        new Policy(TEN_MINUTES.window(), TEN_MINUTES.bound(), Late.DROP, null, Duration.ofDays(1));
    assertThat(late(judge(EVENT_TIME_WATERMARK, trusting, 1, log))).containsExactly(2L, 3L);
  }

  /** Both times Europe's local clocks jump at 01:00 UTC; windows know only UTC. */
  @Test
  void aDaylightSavingJumpIsNoJumpInUtc() {
    for (String jump : List.of("2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z")) {
      Instant at = Instant.parse(jump);
      TimeLogs log =
          new TimeLogs()
              .order(0, 1, "1.00", at.minusSeconds(1), at)
              .order(0, 2, "1.00", at, at.plusSeconds(1));
      List<Judgement> judged = judge(EVENT_TIME_WATERMARK, policy(3600, 0), 1, log);
      assertThat(judged)
          .extracting(Judgement::window)
          .containsExactly(
              new Window(at.minusSeconds(3600), at), new Window(at, at.plusSeconds(3600)));
      assertThat(late(judged)).isEmpty();
    }
  }

  @Property(tries = 300)
  void whatWasSeenSurvivesAsText(@ForAll("logs") TimeLogs log, @ForAll LateRule rule) {
    Seen seen = seen(rule, idleAfter(5), 3, log);
    assertThat(Seen.parse(seen.text(), 3)).isEqualTo(seen);
    assertThat(seen.text().isEmpty()).isEqualTo(log.records().isEmpty());
  }

  /** A crash anywhere, and a restart from the text, changes no judgement after it. */
  @Property(tries = 300)
  void aRestartFromTheTextJudgesAsIfNothingHadHappened(
      @ForAll("logs") TimeLogs log, @ForAll LateRule rule) {
    Policy policy = idleAfter(5);
    List<Judgement> whole = judge(rule, policy, 3, log);
    String text = "";
    for (int i = 0; i < whole.size(); i++) {
      TimeRecord record = log.records().get(i);
      Seen seen = Seen.parse(text, 3).after(record, rule, policy);
      assertThat(rule.judge(record, seen, policy)).isEqualTo(whole.get(i));
      text = seen.text();
    }
  }

  @Property(tries = 300)
  void theWatermarkNeverGoesBack(@ForAll("logs") TimeLogs log, @ForAll LateRule rule) {
    Instant before = Instant.MIN;
    Seen seen = Seen.nothing(3);
    for (TimeRecord record : log.records()) {
      seen = seen.after(record, rule, idleAfter(3));
      if (seen.watermark() != null) {
        assertThat(seen.watermark()).isAfterOrEqualTo(before);
        before = seen.watermark();
      }
    }
  }

  /** Partition 1 is far ahead; what is old there is new in partition 0. */
  @Test
  void kafkaStreamsJudgesEachPartitionByItsOwnTime() {
    TimeLogs log =
        new TimeLogs()
            .order(1, 1, "1.00", at("10:00:00"), at("10:00:00"))
            .order(0, 2, "1.00", at("09:00:00"), at("10:00:01"))
            .order(1, 3, "1.00", at("09:00:00"), at("10:00:02"));
    assertThat(late(judge(STREAMS_WINDOW, policy(300, 0), 2, log))).containsExactly(3L);
    assertThat(late(judge(EVENT_TIME_WATERMARK, policy(300, 0), 2, log))).isEmpty();
  }

  @Test
  void kafkaStreamsHasNoIdleTimeAndNoLimitOnTheFuture() {
    STREAMS_WINDOW.check(STREAMS_WINDOW.first());
    for (Policy policy : List.of(Policy.FIRST, idleAfter(3))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> STREAMS_WINDOW.check(policy))
          .withMessageContaining("boundSeconds");
      EVENT_TIME_WATERMARK.check(policy);
    }
  }

  @ParameterizedTest
  @EnumSource(LateRule.class)
  void saysWhatOneOpenWindowWaitsFor(LateRule rule) {
    Seen seen = seen(rule, TEN_MINUTES, 1, TimeLogs.fiveLateEvents());
    Window open = window("09:35:00", "09:40:00");
    assertThat(new Waiting(rule, TEN_MINUTES, seen).sentence(open))
        .isEqualTo(
            switch (rule) {
              case PER_RECORD -> "Nothing closes a window: under this rule there is no watermark.";
              case ARRIVAL_WATERMARK ->
                  "The window that ends at 2026-01-04T09:40:00Z waits for the clock to reach"
                      + " 2026-01-04T09:50:00Z; it shows 2026-01-04T09:41:00Z.";
              case EVENT_TIME_WATERMARK, STREAMS_WINDOW ->
                  "The window that ends at 2026-01-04T09:40:00Z waits for an event of"
                      + " 2026-01-04T09:50:00Z or later; newest so far 2026-01-04T09:09:00Z.";
            });
    assertThat(new Waiting(rule, TEN_MINUTES, seen).heldBackBy()).isNull();
  }

  @Test
  void aStateOfAnotherLogIsRefused() {
    String text = seen(PER_RECORD, TEN_MINUTES, 1, TimeLogs.fiveLateEvents()).text();
    assertThatIllegalArgumentException().isThrownBy(() -> Seen.parse(text, 2));
  }

  /** An event a second on each of partitions 0 and 1, nothing on partition 2. */
  private static TimeLogs minute() {
    TimeLogs log = new TimeLogs();
    for (int second = 0; second < 60; second++) {
      Instant now = DAY.plusSeconds(second);
      log.order(0, 2L * second, "1.00", now, now).order(1, 2L * second + 1, "1.00", now, now);
    }
    return log;
  }

  private static Policy idleAfter(long seconds) {
    return new Policy(
        Duration.ofSeconds(10),
        Duration.ZERO,
        Late.DROP,
        Duration.ofSeconds(seconds),
        Duration.ofMinutes(1));
  }

  private static Waiting waiting(Policy policy, Seen seen) {
    return new Waiting(EVENT_TIME_WATERMARK, policy, seen);
  }

  @Provide
  Arbitrary<TimeLogs> logs() {
    return TimeLogs.any(3);
  }
}
