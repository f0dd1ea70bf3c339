package dev.deliverylab.time;

import static dev.deliverylab.time.TimeLogs.at;
import static dev.deliverylab.time.TimeLogs.late;
import static dev.deliverylab.time.TimeLogs.policy;
import static dev.deliverylab.time.TimeLogs.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.deliverylab.sink.Fate;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowTopologyTest {

  /** The one of 09:20 closes the window of the last. */
  private static TimeLogs log() {
    return new TimeLogs()
        .order(1001, "25.50", "09:04:00", "09:04:02")
        .order(1002, "12.00", "09:07:00", "09:07:01")
        .order(1006, "1.00", "09:20:00", "09:20:01")
        .order(1005, "63.20", "09:06:00", "09:41:00");
  }

  @Test
  void aResultForEachOrderThatIsCountedAndALateOneWithAllThatExplainsIt() {
    try (Engine engine = new Engine(Policy.FIRST)) {
      engine.read(log().records());
      assertThat(engine.results())
          .containsExactly(
              result(0, "09:00:00", "09:05:00", "25.50", 2, "08:54:00"),
              result(1, "09:05:00", "09:10:00", "12.00", 1, "08:57:00"),
              result(2, "09:20:00", "09:25:00", "1.00", 1, "09:10:00"));
      assertThat(engine.late())
          .containsExactly(
              new Judgement(
                  log().records().get(3),
                  window("09:05:00", "09:10:00"),
                  at("09:10:00"),
                  Fate.DROPPED));
      assertThat(engine.dropped()).isEqualTo(1);
    }
  }

  @Test
  void withASideOutputTheLateOneSaysSo() {
    Policy side =
        new Policy(
            Policy.FIRST.window(), Policy.FIRST.bound(), Late.SIDE_OUTPUT, null, Duration.ZERO);
    try (Engine engine = new Engine(side)) {
      engine.read(log().records());
      assertThat(engine.late()).extracting(Judgement::fate).containsExactly(Fate.SIDE);
    }
  }

  /** Also where the store would have let the window go long ago: a day later. */
  @Test
  void whereLateOnesAreRestatedTheEngineTakesThemAllAndSaysWhichWereLate() {
    Policy restate = new Policy(Duration.ofMinutes(5), Duration.ZERO, Late.RESTATE, null, null);
    try (Engine engine = new Engine(restate)) {
      engine.read(
          log()
              .order(0, 7, "2.00", at("09:00:00").plus(Duration.ofDays(1)), at("09:45:00"))
              .order(1008, "4.00", "09:09:59", "09:46:00")
              .records());
      assertThat(engine.results())
          .extracting(result -> result.fate() + " " + result.events() + " " + result.revenue())
          .containsExactly(
              "ACCEPTED 1 25.50",
              "ACCEPTED 1 12.00",
              "ACCEPTED 1 1.00",
              "RESTATED 2 75.20",
              "ACCEPTED 1 2.00",
              "RESTATED 3 79.20");
      assertThat(engine.late()).isEmpty();
      assertThat(engine.dropped()).isZero();
    }
  }

  @Test
  void theEffectOfEachOrderComesAfterItsVerdict() {
    List<String> effects = new ArrayList<>();
    AtomicReference<Engine> running = new AtomicReference<>();
    try (Engine engine =
        new Engine(
            Policy.FIRST, record -> effects.add(record.title() + ", " + running.get().dropped()))) {
      running.set(engine);
      engine.read(log().clock(0, at("10:00:00")).records());
      assertThat(effects)
          .containsExactly(
              "order 1001, 0",
              "order 1002, 0",
              "order 1006, 0",
              "order 1005, 1",
              "the clock, 2026-01-04T10:00:00Z, 1");
    }
  }

  @Test
  void anEffectThatDiesEndsTheThread() {
    try (Engine engine =
        new Engine(
            Policy.FIRST,
            record -> {
              throw new AssertionError("death");
            })) {
      assertThatThrownBy(() -> engine.read(log().records().get(0)))
          .isInstanceOf(AssertionError.class)
          .hasMessage("death");
    }
  }

  /** Nor is it dropped: the engine's own count stays at zero. */
  @Test
  void aReadingOfTheClockMovesNothing() {
    TimeLogs log =
        new TimeLogs()
            .clock(0, at("09:00:00"))
            .order(1, "1.00", "09:04:00", "09:04:02")
            .clock(0, at("12:00:00"))
            .order(2, "1.00", "09:04:30", "12:00:00");
    try (Engine engine = new Engine(policy(300, 0))) {
      engine.read(log.records());
      assertThat(engine.results()).extracting(WindowResult::events).containsExactly(1L, 2L);
      assertThat(engine.late()).isEmpty();
      assertThat(engine.dropped()).isZero();
    }
  }

  /**
   * Found by trial: its stream time is a field of the window's processor and starts at -1. With ten
   * minutes of grace the store has let the closed window go meanwhile (the window that starts at
   * 09:20 less 15 minutes), so the late order is published as if it were all there is, and counted
   * as dropped all the same. With seven the window is still there, and gets it.
   */
  @ParameterizedTest
  @CsvSource({"10, 09:20:00, 1, 1", "7, 09:17:00, 2, 0"})
  void theEngineForgetsItsStreamTimeInARestart(
      int bound, String closing, long events, long dropped) {
    Policy policy = policy(300, bound * 60L);
    try (Engine first = new Engine(policy);
        Engine second = new Engine(policy)) {
      first.read(
          new TimeLogs()
              .order(1002, "12.00", "09:07:00", "09:07:01")
              .order(1006, "1.00", closing, "09:20:01")
              .records());
      second.restore(first, false);
      second.read(log().records().get(3));
      assertThat(second.late()).as("taken, although its window was closed").isEmpty();
      assertThat(second.results()).extracting(WindowResult::events).containsExactly(events);
      assertThat(second.dropped()).isEqualTo(dropped);
    }
  }

  @Test
  void theReminderCuresItAndChangesNoWindow() {
    List<TimeRecord> log = log().records();
    try (Engine first = new Engine(Policy.FIRST);
        Engine second = new Engine(Policy.FIRST)) {
      first.read(log.subList(0, 3));
      WindowResult newest = first.results().get(2);
      second.restore(first, true);
      second.read(log.get(3));
      second.read(log.get(3));
      assertThat(late(second.late())).containsExactly(1005L, 1005L);
      assertThat(second.dropped()).isEqualTo(2);
      assertThat(second.results()).as("said once more, unchanged").containsExactly(newest);
    }
  }

  @Test
  void aRecordThatIsNoOrderEndsIt() {
    try (Engine engine = new Engine(Policy.FIRST)) {
      assertThatThrownBy(() -> engine.readBytes("{\"orderId\":1}"))
          .hasStackTraceContaining("p0@0 is not an order: amount is missing");
    }
  }

  private static WindowResult result(
      int record, String start, String end, String revenue, long lateness, String watermark) {
    return new WindowResult(
        (ArrivedOrder) log().records().get(record),
        Fate.ACCEPTED,
        window(start, end),
        1,
        new BigDecimal(revenue),
        Duration.ofSeconds(lateness),
        at(watermark));
  }
}
