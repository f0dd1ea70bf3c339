package dev.deliverylab.lane;

import static dev.deliverylab.lane.LaneHouse.awaitDrained;
import static dev.deliverylab.lane.LaneHouse.awaitState;
import static dev.deliverylab.lane.LaneHouse.awaitThreadsGone;
import static dev.deliverylab.lane.LaneHouse.orderIds;
import static dev.deliverylab.lane.LaneHouse.patiently;
import static dev.deliverylab.lane.LaneHouse.table;
import static org.assertj.core.api.Assertions.assertThat;

import dev.deliverylab.guarantee.Guarantees;
import dev.deliverylab.history.Event;
import dev.deliverylab.lane.LaneHouse.Stage;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Start, stop, pause, resume: one at a time, and each leaves the lane in one piece. */
class CommandsIT {

  @TempDir static Path folder;
  static LaneHouse house;

  @BeforeAll
  static void open() {
    house = new LaneHouse(folder);
  }

  @AfterAll
  static void close() {
    house.close();
  }

  @AfterEach
  void endWhatIsLeft() {
    house.discardLanes();
  }

  static List<String> guarantees() {
    return Guarantees.names();
  }

  @Test
  void startingARunningLaneChangesNothing() {
    Lane lane = house.fiveOrders().lane("at-least-once");
    lane.start();
    lane.start();
    assertThat(lane.life()).isEqualTo(1);
    assertThat(lane.restarts()).isZero();
    awaitDrained(lane);
    assertThat(orderIds(table(lane))).hasSize(5);
  }

  @Test
  void stoppingAStoppedLaneChangesNothing() {
    Lane lane = house.fiveOrders().lane("at-least-once");
    lane.stop();
    assertThat(lane.state()).isEqualTo(LaneState.STOPPED);
    assertThat(lane.life()).isZero();
  }

  /**
   * Stopped politely and started again, a lane goes on where it was: nothing twice, nothing lost.
   */
  @ParameterizedTest
  @MethodSource("guarantees")
  void aPoliteStopKeepsWhatWasDone(String guarantee) {
    Stage stage = house.fiveOrders();
    Lane lane = stage.lane(guarantee);
    lane.start();
    patiently().until(() -> sum(lane), new BigDecimal("149.45")::equals);
    lane.stop();
    assertThat(lane.state()).isEqualTo(LaneState.STOPPED);
    assertThat(lane.committed()).containsEntry(0, 5L);
    awaitThreadsGone(lane, 1);

    stage.log.appendEach(LaneHouse.orders(1, 1));
    lane.start();
    awaitDrained(lane);
    patiently().until(() -> sum(lane), new BigDecimal("150.45")::equals);
    assertThat(lane.restarts()).isZero();
    assertThat(lane.life()).isEqualTo(2);
  }

  @Test
  void aPoliteStopWorksOffWhatWasHandedOver() {
    Lane lane = house.fiveOrders().lane("auto-commit-handoff");
    house.pace.set(Pace.SLOWEST);
    lane.start();
    // The next batch is polled while the other thread lingers on the first.
    patiently().until(() -> lane.batches() >= 2);
    assertThat(orderIds(table(lane))).as("control").hasSizeLessThan(2 * lane.batches());

    lane.stop();

    assertThat(lane.state()).isEqualTo(LaneState.STOPPED);
    int polled = Math.min(5, 2 * lane.batches());
    assertThat(orderIds(table(lane)))
        .isEqualTo(List.of(1001L, 1002L, 1003L, 1004L, 1005L).subList(0, polled));
    assertThat(lane.committed()).containsEntry(0, (long) polled);
    awaitThreadsGone(lane, 1);
  }

  @Test
  void aPausedLaneStaysInItsGroupAndReadsNothing() throws Exception {
    Stage stage = house.fiveOrders();
    Lane paused = stage.lane("at-least-once");
    Lane witness = stage.lane("idempotent-key");
    paused.start();
    witness.start();
    awaitDrained(paused);
    paused.pause();
    assertThat(paused.state()).isEqualTo(LaneState.PAUSED);
    int batches = paused.batches();

    stage.log.appendEach(LaneHouse.orders(1, 3));
    awaitDrained(witness);

    assertThat(paused.batches()).isEqualTo(batches);
    assertThat(orderIds(table(paused))).hasSize(5);
    assertThat(house.members(paused.groupId())).hasSize(1);
    assertThat(paused.is(Lane.Condition.DRAINED)).isFalse();
    paused.pause(); // changes nothing
    paused.resume();
    awaitDrained(paused);
    assertThat(orderIds(table(paused))).hasSize(8);
    assertThat(paused.life()).isEqualTo(1);
    paused.resume(); // changes nothing
    paused.pause();
    paused.start(); // resumes
    assertThat(paused.state()).isEqualTo(LaneState.RUNNING);
    assertThat(paused.life()).isEqualTo(1);
  }

  @Test
  void whoeverPressesAtOnceIsServedInTurn() throws Exception {
    Lane lane = house.fiveOrders().lane("at-least-once");
    together(8, thread -> lane.start());
    assertThat(lane.life()).isEqualTo(1);
    assertThat(house.members(lane.groupId())).hasSize(1);
    awaitDrained(lane);
    assertThat(orderIds(table(lane))).hasSize(5);
    together(8, thread -> lane.stop());
    assertThat(lane.state()).isEqualTo(LaneState.STOPPED);
  }

  /** Seeded; whatever the commands were, each life began once and the last one works. */
  @Test
  void aStormOfCommandsLeavesALaneInOnePiece() throws Exception {
    Stage stage = house.fiveOrders();
    Lane lane = stage.lane("idempotent-key");
    together(
        4,
        thread -> {
          Random random = new Random(thread);
          for (int i = 0; i < 6; i++) {
            try {
              command(lane, random.nextInt(7));
            } catch (LaneRefused e) {
              // In the state it was in by then, it may say no.
            }
          }
        });
    lane.disarm();
    lane.restart();
    awaitDrained(lane);

    assertThat(orderIds(table(lane))).containsExactly(1001L, 1002L, 1003L, 1004L, 1005L);
    List<Integer> begun =
        house.history.of(lane.name(), 0, Integer.MAX_VALUE).stream()
            .filter(event -> event.kind() == Event.Kind.STARTED)
            .filter(event -> event.text().startsWith("life "))
            .map(Event::life)
            .toList();
    // Other tests' lanes have the same name, and count their own lives; the last ones are ours.
    assertThat(begun.subList(begun.size() - lane.life(), begun.size()))
        .isEqualTo(java.util.stream.IntStream.rangeClosed(1, lane.life()).boxed().toList());
    for (int life = 1; life < lane.life(); life++) {
      String client = lane.groupId() + ".life-" + life + "-";
      patiently()
          .until(
              () ->
                  Thread.getAllStackTraces().keySet().stream()
                      .noneMatch(thread -> thread.getName().contains(client)));
    }
  }

  @Test
  void threePartitionsAndEveryLane() {
    Stage stage = house.stage(3, 4);
    stage.log.appendEach(LaneHouse.orders(1, 30));
    List<Lane> lanes = stage.all();
    lanes.parallelStream().forEach(Lane::start);
    for (Lane lane : lanes) {
      awaitDrained(lane);
      assertThat(lane.committed()).as(lane.name()).isEqualTo(lane.end());
      assertThat(lane.end()).hasSize(3);
      assertThat(sum(lane)).as(lane.name()).isEqualTo("30.00");
    }

    // A crash each, then what a restart makes of it.
    lanes.parallelStream()
        .forEach(
            lane -> {
              lane.arm("effect", 1, 1);
            });
    stage.log.appendEach(LaneHouse.orders(31, 30));
    lanes.forEach(lane -> awaitState(lane, LaneState.CRASHED));
    lanes.parallelStream().forEach(Lane::start);
    for (Lane lane : lanes) {
      awaitDrained(lane);
      List<Long> ids = orderIds(table(lane));
      int distinct = new HashSet<>(ids).size();
      switch (lane.name()) {
        case "at-most-once", "auto-commit-handoff" -> {
          assertThat(ids).as(lane.name()).doesNotHaveDuplicates();
          assertThat(distinct).isBetween(31, 60);
        }
        case "at-least-once", "auto-commit", "dedup-on-read", "random-key" -> {
          assertThat(distinct).as(lane.name()).isEqualTo(60);
          assertThat(ids).as(lane.name()).hasSizeGreaterThanOrEqualTo(61);
        }
        case "increment-in-place" -> assertThat(sum(lane)).isGreaterThan(new BigDecimal("60.00"));
        default -> {
          assertThat(ids).as(lane.name()).hasSize(60);
          assertThat(distinct).as(lane.name()).isEqualTo(60);
        }
      }
    }
  }

  // ---

  private static void command(Lane lane, int which) {
    switch (which) {
      case 0 -> lane.start();
      case 1 -> lane.stop();
      case 2 -> lane.restart();
      case 3 -> lane.pause();
      case 4 -> lane.resume();
      case 5 -> lane.crashNow();
      default -> lane.arm("effect", 2, 1);
    }
  }

  private static BigDecimal sum(Lane lane) {
    return table(lane).balances().isEmpty()
        ? table(lane).page(0, 1_000, false).stream()
            .map(row -> row.amount())
            .reduce(BigDecimal.ZERO.setScale(2), BigDecimal::add)
        : table(lane).balances().values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private interface Work {
    void by(int thread);
  }

  /** All begin at the same moment; the first failure is the caller's. */
  private static void together(int threads, Work work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CountDownLatch ready = new CountDownLatch(threads);
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int mine = i;
        all.add(
            pool.submit(
                () -> {
                  ready.countDown();
                  ready.await();
                  work.by(mine);
                  return null;
                }));
      }
      for (Future<?> each : all) {
        each.get(Duration.ofMinutes(3).toSeconds(), TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
