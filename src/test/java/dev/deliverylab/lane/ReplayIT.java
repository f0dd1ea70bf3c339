package dev.deliverylab.lane;

import static dev.deliverylab.lane.LaneHouse.awaitDrained;
import static dev.deliverylab.lane.LaneHouse.awaitState;
import static dev.deliverylab.lane.LaneHouse.orderIds;
import static dev.deliverylab.lane.LaneHouse.patiently;
import static dev.deliverylab.lane.LaneHouse.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.deliverylab.lane.LaneHouse.Stage;
import dev.deliverylab.lane.Rewind.Move;
import dev.deliverylab.lane.Rewind.Plan;
import dev.deliverylab.lane.Rewind.Target;
import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Progress moved back on purpose, where the lane keeps it, and nothing but the progress. */
class ReplayIT {

  private static final Instant FIRST = Instant.parse("2026-01-04T09:00:00Z");

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

  // --- CASES C06: three partitions of ten records, the group stopped at 10, 10, 10 ---

  @ParameterizedTest
  @CsvSource({
    "at-least-once,  EARLIEST,  ,    , 0,  30",
    "at-least-once,  LATEST,    ,    , 10, 0",
    "at-least-once,  OFFSET,    4,   , 4,  18",
    "at-least-once,  TIMESTAMP, ,    5, 5, 15",
    "at-least-once,  SHIFT,     -3,  , 7,  9",
    "transactional,  EARLIEST,  ,    , 0,  30",
    "transactional,  OFFSET,    4,   , 4,  18",
    "transactional,  TIMESTAMP, ,    5, 5, 15",
    "transactional,  SHIFT,     -3,  , 7,  9",
  })
  void everyTargetOnEveryPartition(
      String guarantee,
      Target target,
      @Nullable Long number,
      @Nullable Integer record,
      long to,
      int replayed) {
    Stage stage = threeTimesTen();
    Lane lane = stage.lane(guarantee);
    lane.start();
    awaitDrained(lane);
    lane.stop();
    assertThat(lane.committed()).isEqualTo(Map.of(0, 10L, 1, 10L, 2, 10L));
    Rewind rewind =
        new Rewind(target, number, record == null ? null : FIRST.plusSeconds(record), null, false);

    Plan preview = lane.preview(rewind);
    assertThat(lane.committed()).as("a preview").isEqualTo(Map.of(0, 10L, 1, 10L, 2, 10L));
    assertThat(lane.rewound()).isFalse();
    Plan plan = lane.replay(rewind);

    assertThat(plan).isEqualTo(preview);
    assertThat(plan.partitions())
        .containsExactly(
            new Move(0, 10L, to, 10 - to),
            new Move(1, 10L, to, 10 - to),
            new Move(2, 10L, to, 10 - to));
    assertThat(lane.committed()).as("read back").isEqualTo(Map.of(0, to, 1, to, 2, to));
    assertThat(lane.state()).isEqualTo(LaneState.STOPPED);
    assertThat(lane.rewound()).as("records are read again").isEqualTo(to < 10);
    lane.start();
    awaitDrained(lane);
    assertThat(orderIds(table(lane))).as("rows, the replayed ones too").hasSize(30 + replayed);
    assertThat(new HashSet<>(orderIds(table(lane)))).hasSize(30);
  }

  @Test
  void aKeyedSinkReadsThirtyAgainAndRecognisesThirty() {
    Stage stage = threeTimesTen();
    Lane lane = stage.lane("idempotent-key");
    lane.start();
    awaitDrained(lane);
    lane.replay(to(Target.EARLIEST));
    assertThat(lane.state()).as("as it was found").isEqualTo(LaneState.RUNNING);
    awaitDrained(lane);
    assertThat(table(lane).page(0, 100, false))
        .hasSize(30)
        .allSatisfy(row -> assertThat(row.writes()).isEqualTo(2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"at-least-once", "transactional", "auto-commit"})
  void aGroupThatNeverCommittedCanBeMoved(String guarantee) {
    Stage stage = threeTimesTen();
    Lane lane = stage.lane(guarantee);
    assertThat(lane.committed()).isEmpty();

    Plan plan = lane.replay(new Rewind(Target.OFFSET, 4L, null, null, false));

    assertThat(plan.partitions())
        .containsExactly(new Move(0, null, 4, 6), new Move(1, null, 4, 6), new Move(2, null, 4, 6));
    assertThat(lane.committed()).isEqualTo(Map.of(0, 4L, 1, 4L, 2, 4L));
    lane.start();
    awaitDrained(lane);
    assertThat(orderIds(table(lane))).hasSize(18);
  }

  @ParameterizedTest
  @ValueSource(strings = {"at-least-once", "transactional"})
  void anEmptyTopicHasNothingToReplay(String guarantee) {
    Stage stage = house.stage(3, 2);
    Lane lane = stage.lane(guarantee);
    for (Target target : List.of(Target.EARLIEST, Target.LATEST)) {
      assertThat(lane.replay(to(target)).partitions())
          .allSatisfy(
              move -> {
                assertThat(move.to()).isZero();
                assertThat(move.records()).isZero();
              })
          .hasSize(3);
    }
    lane.start();
    assertThat(lane.is(Lane.Condition.DRAINED)).isTrue();
  }

  @Test
  void onePartitionLeavesTheOthersAlone() {
    Stage stage = threeTimesTen();
    Lane lane = stage.lane("at-least-once");
    lane.start();
    awaitDrained(lane);
    lane.stop();

    Plan plan = lane.replay(new Rewind(Target.EARLIEST, null, null, 1, false));

    assertThat(plan.partitions()).containsExactly(new Move(1, 10L, 0, 10));
    assertThat(lane.committed()).isEqualTo(Map.of(0, 10L, 1, 0L, 2, 10L));
    lane.start();
    awaitDrained(lane);
    assertThat(orderIds(table(lane))).hasSize(40);
  }

  @Test
  void aNewGroupReadsAndTheOldOneStaysWhereItWas() {
    Stage stage = house.fiveOrders();
    Lane lane = stage.lane("at-least-once");
    lane.start();
    awaitDrained(lane);
    String before = lane.groupId();
    Rewind rewind = new Rewind(Target.EARLIEST, null, null, null, true);
    assertThat(lane.preview(rewind).group()).isNotEqualTo(before);
    assertThat(lane.groupId()).as("a preview").isEqualTo(before);

    Plan plan = lane.replay(rewind);

    assertThat(plan.partitions()).containsExactly(new Move(0, null, 0, 5));
    assertThat(plan.group()).isEqualTo(lane.groupId()).isNotEqualTo(before);
    assertThat(lane.state()).isEqualTo(LaneState.RUNNING);
    awaitDrained(lane);
    assertThat(orderIds(table(lane))).hasSize(10);
    assertThat(group(stage).committed(before)).containsEntry(0, 5L);
    assertThat(lane.replay(new Rewind(Target.LATEST, null, null, null, true)).group())
        .isNotIn(before, plan.group());
  }

  @Test
  void aShiftStopsAtTheEndsOfTheLog() {
    Lane lane = house.fiveOrders().lane("at-least-once");
    lane.start();
    awaitDrained(lane);
    lane.stop();
    for (long shift : new long[] {-6, Long.MIN_VALUE}) {
      assertThat(shifted(lane, shift)).isZero();
    }
    for (long shift : new long[] {6, Long.MAX_VALUE}) {
      assertThat(shifted(lane, shift)).isEqualTo(5);
    }
    assertThat(shifted(lane, 0)).isEqualTo(5);
  }

  @Test
  void aTimeBehindTheLastRecordIsTheEnd() {
    Lane lane = house.fiveOrders().lane("at-least-once");
    Rewind rewind =
        new Rewind(Target.TIMESTAMP, null, Instant.parse("2030-01-01T00:00:00Z"), null, false);
    assertThat(lane.preview(rewind).partitions()).containsExactly(new Move(0, null, 5, 0));
  }

  // --- the state it is left in ---

  @Test
  void aCrashedLaneIsStoppedAfterItAndTheGroupNeedsNoWait() {
    Lane lane = house.fiveOrders().lane("at-least-once");
    lane.arm("effect", 2, 2);
    lane.start();
    awaitState(lane, LaneState.CRASHED); // its member is still listed: C07 (b)

    Plan plan = lane.replay(to(Target.EARLIEST));

    assertThat(plan.partitions()).containsExactly(new Move(0, 2L, 0, 5));
    assertThat(lane.state()).isEqualTo(LaneState.STOPPED);
    assertThat(lane.committed()).containsEntry(0, 0L);
    lane.start();
    awaitDrained(lane);
    assertThat(orderIds(table(lane))).hasSize(9);
  }

  @Test
  void aPausedLaneIsPausedAfterIt() {
    Lane lane = house.fiveOrders().lane("at-least-once");
    lane.start();
    awaitDrained(lane);
    lane.pause();
    lane.replay(to(Target.EARLIEST));
    assertThat(lane.state()).isEqualTo(LaneState.PAUSED);
    lane.resume();
    awaitDrained(lane);
    assertThat(orderIds(table(lane))).hasSize(10);
  }

  @Test
  void aCrashThatStrikesWhileTheLaneIsStoppedForItLeavesTheLaneStopped() {
    Lane lane = house.fiveOrders().lane("at-least-once");
    lane.arm("effect", 2, 1);
    house.pace.set(Pace.SLOWEST);
    lane.start();
    patiently().until(() -> lane.now() != null);
    lane.replay(to(Target.LATEST));
    assertThat(lane.crashes()).isEqualTo(1);
    assertThat(lane.state()).isEqualTo(LaneState.STOPPED);
    assertThat(lane.committed()).containsEntry(0, 5L);
  }

  @Test
  void theLaneThatKeepsItsPlaceBesideItsDataIsMovedThere() {
    Lane lane = house.fiveOrders().lane("transactional");
    lane.start();
    awaitDrained(lane);
    lane.replay(new Rewind(Target.EARLIEST, null, null, null, true));
    awaitDrained(lane);
    assertThat(orderIds(table(lane))).hasSize(10);
    assertThat(table(lane).storedOffsets()).containsEntry(0, 5L);
  }

  // --- what is refused ---

  /** CASES C07 (a): a member that the lab does not own. */
  @ParameterizedTest
  @ValueSource(strings = {"STOPPED", "CRASHED"})
  void aStrangerInTheGroupIsNamedAndNothingMoves(LaneState state) {
    Stage stage = house.fiveOrders();
    Lane lane = stage.lane("at-least-once");
    lane.start();
    awaitDrained(lane);
    if (state == LaneState.CRASHED) {
      lane.crashNow();
    } else {
      lane.stop();
    }
    try (KafkaConsumer<byte[], byte[]> stranger = stranger(lane.groupId())) {
      join(stranger, stage);
      assertThatThrownBy(() -> lane.replay(to(Target.EARLIEST)))
          .isInstanceOf(LaneRefused.class)
          .hasMessageContaining("stranger-in-the-house");
    }
    assertThat(lane.committed()).containsEntry(0, 5L);
    assertThat(lane.state()).isEqualTo(state);
    assertThat(lane.rewound()).isFalse();
    assertThat(lane.replay(to(Target.EARLIEST)).partitions()).as("once it has left").hasSize(1);
  }

  @Test
  void aRunningLaneIsNotEvenStoppedWhenAStrangerIsThere() {
    Stage stage = threeTimesTen();
    Lane lane = stage.lane("at-least-once");
    lane.start();
    awaitDrained(lane);
    try (KafkaConsumer<byte[], byte[]> stranger = stranger(lane.groupId())) {
      join(stranger, stage);
      assertThatThrownBy(() -> lane.replay(to(Target.EARLIEST)))
          .isInstanceOf(LaneRefused.class)
          .hasMessageContaining("stranger-in-the-house");
      assertThat(lane.state()).isEqualTo(LaneState.RUNNING);
      assertThat(lane.life()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 6, 1_000})
  void aTargetOutsideTheLogNamesTheRange(long target) {
    Lane lane = house.fiveOrders().lane("at-least-once");
    lane.start();
    awaitDrained(lane);
    Rewind rewind = new Rewind(Target.OFFSET, target, null, null, false);
    for (Runnable attempt :
        List.<Runnable>of(() -> lane.preview(rewind), () -> lane.replay(rewind))) {
      assertThatThrownBy(attempt::run)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(Long.toString(target))
          .hasMessageContaining("0 to 5");
    }
    assertThat(lane.life()).as("not even stopped").isEqualTo(1);
    assertThat(lane.committed()).containsEntry(0, 5L);
  }

  @Test
  void aPartitionThatIsNotThereNamesTheRange() {
    Lane lane = threeTimesTen().lane("at-least-once");
    assertThatThrownBy(() -> lane.replay(new Rewind(Target.EARLIEST, null, null, 3, false)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 to 2");
    assertThat(lane.committed()).isEmpty();
  }

  // ---

  /** Ten records on each of three partitions; the n-th of each has the same time. */
  private static Stage threeTimesTen() {
    Stage stage = house.stage(3, 2);
    Map<Integer, String> customers = customers(stage);
    List<Order> orders = new ArrayList<>();
    for (int n = 0; n < 10; n++) {
      for (int partition = 0; partition < 3; partition++) {
        orders.add(
            new Order(
                BigInteger.valueOf(100L * partition + n),
                new BigDecimal("1.00"),
                FIRST.plusSeconds(n),
                customers.get(partition)));
      }
    }
    for (LogRecord placed : stage.log.appendEach(orders)) {
      assertThat(placed.order().orderId().longValue())
          .isEqualTo(100L * placed.partition() + placed.offset());
    }
    return stage;
  }

  /** A customer for each partition, as Kafka's partitioner sees it. */
  private static Map<Integer, String> customers(Stage stage) {
    Map<Integer, String> customers = new java.util.HashMap<>();
    IntStream.range(0, 100)
        .mapToObj(i -> "customer-" + i)
        .forEach(
            name ->
                customers.putIfAbsent(
                    org.apache.kafka.common.utils.Utils.toPositive(
                            org.apache.kafka.common.utils.Utils.murmur2(
                                name.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                        % stage.partitions,
                    name));
    assertThat(customers).hasSize(stage.partitions);
    return customers;
  }

  private static Rewind to(Target target) {
    return new Rewind(target, null, null, null, false);
  }

  private static long shifted(Lane lane, long by) {
    return lane.preview(new Rewind(Target.SHIFT, by, null, null, false)).partitions().get(0).to();
  }

  private static Group group(Stage stage) {
    return new Group(house.broker.admin(), stage.log.topic(), stage.partitions);
  }

  private static KafkaConsumer<byte[], byte[]> stranger(String group) {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            house.broker.bootstrapServers(),
            "group.id",
            group,
            "client.id",
            "stranger-in-the-house",
            "enable.auto.commit",
            "false"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private static void join(KafkaConsumer<byte[], byte[]> consumer, Stage stage) {
    consumer.subscribe(List.of(stage.log.topic()));
    patiently()
        .until(
            () -> {
              consumer.poll(Duration.ofMillis(100));
              return !consumer.assignment().isEmpty();
            });
  }
}
