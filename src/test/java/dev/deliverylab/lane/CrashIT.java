package dev.deliverylab.lane;

import static dev.deliverylab.lane.LaneHouse.awaitDrained;
import static dev.deliverylab.lane.LaneHouse.awaitState;
import static dev.deliverylab.lane.LaneHouse.awaitThreadsGone;
import static dev.deliverylab.lane.LaneHouse.orderIds;
import static dev.deliverylab.lane.LaneHouse.patiently;
import static dev.deliverylab.lane.LaneHouse.table;
import static dev.deliverylab.lane.LaneHouse.threadsOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.deliverylab.fault.CrashPoint;
import dev.deliverylab.fault.Trap;
import dev.deliverylab.guarantee.Guarantees;
import dev.deliverylab.guarantee.Step;
import dev.deliverylab.lane.LaneHouse.Stage;
import dev.deliverylab.sink.SinkTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A crash is a death: nothing more is sent, nothing is tidied up, nothing of it lives on. */
class CrashIT {

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
    return dev.deliverylab.guarantee.Guarantees.names();
  }

  // --- no commit ---

  @Test
  void whatTheClientWouldHaveCommittedOnCloseIsNotCommitted() {
    Lane lane = house.fiveOrders().lane("auto-commit");
    lane.arm("effect", 2, 1);
    lane.start();
    awaitState(lane, LaneState.CRASHED);
    awaitThreadsGone(lane, 1); // so its close is over, too

    assertThat(orderIds(table(lane))).containsExactly(1001L, 1002L);
    assertThat(lane.committed().getOrDefault(0, 0L)).isZero();
  }

  /** Control: the same death without the cut lets the client's close commit both orders. */
  @Test
  void withoutTheCutTheSameCloseCommitsThem() throws Exception {
    Stage stage = house.fiveOrders();
    Lane lane = stage.lane("auto-commit"); // only to look at its group
    Trap trap = new Trap();
    trap.arm(CrashPoint.in(lane.rule(), 2, "effect", 2, 1), 0);
    SinkTable table = stage.table("auto-commit");
    CountDownLatch executed = new CountDownLatch(1);
    Life life =
        new HostedGuarantee(Guarantees.named("auto-commit"), table)
            .life(
                new Birth(
                    stage.firstLife("auto-commit", house.broker.laneBootstrapServers()),
                    trap,
                    house.pace,
                    new Unwatched(),
                    (victim, point) -> executed.countDown()));
    assertThat(life.start()).isTrue();
    assertThat(executed.await(60, TimeUnit.SECONDS)).isTrue();
    awaitThreadsGone(lane, 1);

    assertThat(orderIds(table)).containsExactly(1001L, 1002L);
    assertThat(lane.committed()).containsEntry(0, 2L);
    life.die();
  }

  /** Control: so does a polite stop, for all that was done. */
  @Test
  void aPoliteStopCommitsThem() {
    Lane lane = house.fiveOrders().lane("auto-commit");
    lane.start();
    patiently().until(() -> orderIds(table(lane)).size() == 5);
    lane.stop();
    assertThat(lane.committed()).containsEntry(0, 5L);
    assertThat(lane.state()).isEqualTo(LaneState.STOPPED);
  }

  // --- no goodbye ---

  @ParameterizedTest
  @MethodSource("guarantees")
  void theMemberStaysInItsGroupAndTheNextLifeTakesItsPlaceAtOnce(String guarantee)
      throws Exception {
    Lane lane = house.fiveOrders().lane(guarantee);
    lane.arm("effect", 1, 1);
    lane.start();
    awaitState(lane, LaneState.CRASHED);
    awaitThreadsGone(lane, 1);

    MemberDescription left = house.members(lane.groupId()).get(0);
    assertThat(left.groupInstanceId()).contains(guarantee);
    assertThat(left.clientId()).contains(".life-1");

    long begun = System.nanoTime();
    lane.start(); // returns when it has its partitions
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    assertThat(took).as("well under the session's ten seconds").isLessThan(Duration.ofSeconds(7));
    assertThat(house.members(lane.groupId()))
        .singleElement()
        .satisfies(
            member -> {
              assertThat(member.groupInstanceId()).contains(guarantee);
              assertThat(member.consumerId()).isNotEqualTo(left.consumerId());
            });
    awaitDrained(lane);
  }

  /** Control: a member of the same kind that says goodbye is not in the group any more. */
  @Test
  void aMemberThatLeavesIsGone() throws Exception {
    Stage stage = house.fiveOrders();
    String group = house.broker.names().group(stage.experiment, "at-least-once", 1);
    try (KafkaConsumer<byte[], byte[]> consumer = member(group, "at-least-once", "goodbye")) {
      consumer.subscribe(List.of(stage.log.topic()));
      patiently()
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(100));
                return !consumer.assignment().isEmpty();
              });
      assertThat(house.members(group)).hasSize(1);
      consumer.close(
          CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
    }
    assertThat(house.members(group)).isEmpty();
  }

  // --- the database by itself ---

  @ParameterizedTest
  @org.junit.jupiter.params.provider.CsvSource({"begin,", "effect,1", "effect,2", "store-offset,"})
  void anOpenTransactionIsRolledBack(String after, Integer record) {
    Lane lane = house.fiveOrders().lane("transactional");
    lane.arm(after, record, 1);
    lane.start();
    awaitState(lane, LaneState.CRASHED);

    assertThat(orderIds(table(lane))).isEmpty();
    assertThat(lane.committed()).isEmpty();
    assertThat(house.openTransactions()).isZero();
    lane.restart();
    awaitDrained(lane);
    assertThat(orderIds(table(lane))).containsExactly(1001L, 1002L, 1003L, 1004L, 1005L);
  }

  /** Control: a step later both are there. */
  @Test
  void aCommittedTransactionIsKept() {
    Lane lane = house.fiveOrders().lane("transactional");
    lane.arm("commit-tx", null, 1);
    lane.start();
    awaitState(lane, LaneState.CRASHED);

    assertThat(orderIds(table(lane))).containsExactly(1001L, 1002L);
    assertThat(lane.committed()).containsEntry(0, 2L);
  }

  // --- crash now ---

  @Test
  void anIdleLaneDiesAtOnceAndNothingOfItIsLeft() {
    Stage stage = house.fiveOrders();
    int connections = house.broker.laneConnections();
    Lane lane = stage.lane("at-least-once");
    lane.start();
    awaitDrained(lane);
    // Control for what is looked at below.
    assertThat(threadsOf(lane, 1)).hasSizeGreaterThanOrEqualTo(2);
    assertThat(house.broker.laneConnections()).isGreaterThan(connections);

    lane.crashNow();

    assertThat(lane.state()).isEqualTo(LaneState.CRASHED);
    awaitThreadsGone(lane, 1);
    patiently().until(() -> house.broker.laneConnections() <= connections);
    assertThat(lane.lastDeath()).get().extracting(Lane.LastDeath::after).isNull();
    assertThat(lane.inHand()).isEmpty();
    assertThat(lane.now()).isNull();
    assertThat(lane.committed()).containsEntry(0, 5L);
  }

  @Test
  void aLaneDiesWhileItLingersOnAStepInsideItsTransaction() {
    Lane lane = house.fiveOrders().lane("transactional");
    house.pace.set(Pace.SLOWEST);
    lane.start();
    patiently().until(() -> at(lane, Step.EFFECT));
    assertThat(house.openTransactions()).as("control").isEqualTo(1);

    lane.crashNow();

    awaitThreadsGone(lane, 1);
    assertThat(house.openTransactions()).isZero();
    assertThat(orderIds(table(lane))).isEmpty();
    house.pace.set(Duration.ZERO);
    lane.start();
    awaitDrained(lane);
    assertThat(orderIds(table(lane))).hasSize(5);
  }

  @Test
  void theOtherThreadOfAHandoffDiesToo() {
    Lane lane = house.fiveOrders().lane("auto-commit-handoff");
    house.pace.set(Pace.SLOWEST);
    lane.start();
    patiently().until(() -> at(lane, Step.EFFECT) || at(lane, Step.HAND_OVER));
    lane.crashNow();
    awaitThreadsGone(lane, 1);
    assertThat(lane.state()).isEqualTo(LaneState.CRASHED);
    assertThat(orderIds(table(lane))).hasSizeLessThan(5);
  }

  @Test
  void aPausedLaneDiesToo() {
    Lane lane = house.fiveOrders().lane("insert-ignore");
    lane.start();
    awaitDrained(lane);
    lane.pause();
    lane.crashNow();
    assertThat(lane.state()).isEqualTo(LaneState.CRASHED);
    awaitThreadsGone(lane, 1);
    assertThatThrownBy(lane::resume).isInstanceOf(LaneRefused.class).hasMessageContaining("start");
    lane.start();
    awaitDrained(lane);
    assertThat(lane.life()).isEqualTo(2);
  }

  @Test
  void whatDoesNotLiveCannotDie() {
    Lane lane = house.fiveOrders().lane("at-least-once");
    assertThatThrownBy(lane::crashNow)
        .isInstanceOf(LaneRefused.class)
        .hasMessageContaining("is STOPPED");
  }

  @Test
  void aDeathDoesNotDependOnASinkThatAnswers() {
    Lane lane = house.fiveOrders().lane("at-least-once", SinkThatKeepsSilent::new);
    lane.start();
    awaitDrained(lane);
    lane.crashNow();
    assertThat(lane.state()).isEqualTo(LaneState.CRASHED);
    awaitThreadsGone(lane, 1);
  }

  // --- for ever ---

  @Test
  void aDeadLifeIsRefusedForEverWhileTheNextOneWorks() throws Exception {
    Stage stage = house.fiveOrders();
    Lane lane = stage.lane("at-least-once");
    lane.arm("effect", 1, 1);
    lane.start();
    awaitState(lane, LaneState.CRASHED);
    lane.start();
    awaitDrained(lane);

    String client = house.broker.names().client(stage.experiment, "at-least-once", 1);
    try (Admin revenant = adminAs(client + "-0")) {
      assertThatThrownBy(() -> revenant.describeCluster().nodes().get(60, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(org.apache.kafka.common.errors.TimeoutException.class);
    }
    // Control: the life after it gets through, by the same way and in the same time.
    String next = house.broker.names().client(stage.experiment, "at-least-once", 2);
    try (Admin living = adminAs(next + "-0")) {
      patiently()
          .ignoreExceptions()
          .until(() -> living.describeCluster().nodes().get(60, TimeUnit.SECONDS).size() == 1);
    }
    stage.log.appendEach(LaneHouse.orders(1, 1));
    awaitDrained(lane);
    assertThat(lane.state()).isEqualTo(LaneState.RUNNING);
  }

  // --- the crash that waits ---

  @Test
  void armingReplacesAndFiringDisarms() {
    Lane lane = house.fiveOrders().lane("at-least-once");
    lane.arm("poll", null, 1);
    lane.arm("commit", null, 2);
    lane.start();
    awaitState(lane, LaneState.CRASHED);
    assertThat(lane.lastDeath())
        .get()
        .satisfies(
            death -> {
              assertThat(death.after()).isEqualTo("commit");
              assertThat(death.record()).isNull();
              assertThat(death.batch()).isEqualTo(2);
            });
    assertThat(lane.armed()).isEmpty();
    assertThat(lane.committed()).containsEntry(0, 4L);

    lane.start();
    awaitDrained(lane);
    assertThat(lane.crashes()).isEqualTo(1);
    assertThat(orderIds(table(lane))).containsExactly(1001L, 1002L, 1003L, 1004L, 1005L);
  }

  @Test
  void whatIsDisarmedDoesNotFire() {
    Lane lane = house.fiveOrders().lane("at-least-once");
    lane.arm("poll", null, 1);
    lane.disarm();
    lane.start();
    awaitDrained(lane);
    assertThat(lane.crashes()).isZero();
  }

  @Test
  void batchesCountFromTheArmingInARunningLane() {
    Stage stage = house.fiveOrders();
    Lane lane = stage.lane("at-least-once");
    lane.start();
    awaitDrained(lane);
    assertThat(lane.batches()).isEqualTo(3);

    lane.arm("effect", 1, 2); // the fifth batch of this life
    assertThat(lane.armedWaitsFor()).get().asString().contains("effect 1 of batch 5");
    stage.log.appendEach(LaneHouse.orders(1, 1));
    awaitDrained(lane);
    assertThat(lane.batches()).isEqualTo(4);
    assertThat(lane.state()).isEqualTo(LaneState.RUNNING);
    stage.log.appendEach(LaneHouse.orders(2, 1));
    awaitState(lane, LaneState.CRASHED);
    assertThat(lane.lastDeath()).get().extracting(Lane.LastDeath::batch).isEqualTo(5);
    assertThat(lane.committed()).containsEntry(0, 6L);
  }

  // --- a crash in the middle of a command ---

  @Test
  void aLaneThatDiesWhileItIsStoppedIsCrashed() {
    Lane lane = house.fiveOrders().lane("at-least-once");
    lane.arm("effect", 2, 1);
    house.pace.set(Pace.SLOWEST);
    lane.start();
    patiently().until(() -> at(lane, Step.POLL) || at(lane, Step.EFFECT));

    lane.stop();

    assertThat(lane.state()).isEqualTo(LaneState.CRASHED);
    assertThat(lane.crashes()).isEqualTo(1);
    awaitThreadsGone(lane, 1);
    assertThat(orderIds(table(lane))).containsExactly(1001L, 1002L);
    assertThat(lane.committed()).isEmpty();
    house.pace.set(Duration.ZERO);
    lane.restart();
    awaitDrained(lane);
    assertThat(orderIds(table(lane))).hasSize(7);
  }

  @Test
  void aLaneThatDiesWhileItIsPausedIsCrashedAndTheCommandSaysSo() {
    Lane lane = house.fiveOrders().lane("idempotent-key");
    lane.arm("effect", 2, 1);
    house.pace.set(Duration.ofMillis(500));
    lane.start();
    patiently().until(() -> at(lane, Step.POLL) || at(lane, Step.EFFECT));

    assertThatThrownBy(lane::pause)
        .isInstanceOf(LaneRefused.class)
        .hasMessageContaining("is CRASHED");

    assertThat(lane.state()).isEqualTo(LaneState.CRASHED);
    awaitThreadsGone(lane, 1);
    house.pace.set(Duration.ZERO);
    lane.start();
    awaitDrained(lane);
    assertThat(orderIds(table(lane))).hasSize(5);
  }

  // ---

  private static boolean at(Lane lane, Step step) {
    Now now = lane.now();
    return now != null && now.step() == step;
  }

  private static Admin adminAs(String client) {
    return Admin.create(
        Map.of(
            "bootstrap.servers",
            house.broker.laneBootstrapServers(),
            "client.id",
            client,
            "request.timeout.ms",
            "2000",
            "default.api.timeout.ms",
            "4000"));
  }

  private static KafkaConsumer<byte[], byte[]> member(
      String group, String instance, String client) {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers", house.broker.bootstrapServers(),
            "group.id", group,
            "group.instance.id", instance,
            "client.id", client),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private static final class Unwatched implements Life.Watcher {

    @Override
    public void stepDone(Life life, Now place) {}

    @Override
    public void failed(Life life, Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  /** A sink that works, and of which nobody learns at the end whether the session is over. */
  private record SinkThatKeepsSilent(SinkTable real) implements SinkTable {

    @Override
    public Connected connect(int life) {
      Connected connected = real.connect(life);
      return new Connected() {
        @Override
        public dev.deliverylab.sink.Sink sink() {
          return connected.sink();
        }

        @Override
        public void cut() {
          connected.cut();
          throw new IllegalStateException("The database does not answer.");
        }
      };
    }

    @Override
    public dev.deliverylab.sink.Shape shape() {
      return real.shape();
    }

    @Override
    public List<dev.deliverylab.sink.SinkRow> changedAfter(long change, int limit) {
      return real.changedAfter(change, limit);
    }

    @Override
    public List<dev.deliverylab.sink.SinkRow> rowsOf(
        java.util.Collection<java.math.BigInteger> orderIds) {
      return real.rowsOf(orderIds);
    }

    @Override
    public List<dev.deliverylab.sink.SinkRow> page(long afterRow, int limit, boolean deduplicated) {
      return real.page(afterRow, limit, deduplicated);
    }

    @Override
    public List<dev.deliverylab.sink.SinkRow> newest(int limit) {
      return real.newest(limit);
    }

    @Override
    public Map<String, java.math.BigDecimal> balances() {
      return real.balances();
    }

    @Override
    public Map<Integer, Long> storedOffsets() {
      return real.storedOffsets();
    }

    @Override
    public void rewind(Map<Integer, Long> offsets) {
      real.rewind(offsets);
    }
  }
}
