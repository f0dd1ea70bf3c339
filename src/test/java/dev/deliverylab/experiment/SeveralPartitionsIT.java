package dev.deliverylab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deliverylab.check.Position;
import dev.deliverylab.experiment.LaneModel.Gap;
import dev.deliverylab.experiment.LaneModel.Row;
import dev.deliverylab.lane.HostedGuarantee;
import dev.deliverylab.lane.Lane;
import dev.deliverylab.lane.LaneState;
import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.SinkRow;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three partitions: which of them a poll brings first is nobody's promise, so a crash leaves one of
 * many results. What holds for all of them is checked: the order within a partition, the lab's
 * counts against the rows, and what each guarantee lets happen to an order.
 */
class SeveralPartitionsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int PARTITIONS = 3;
  private static final int BATCH = 2;
  private static final int ORDERS = 12;
  private static final int CUSTOMERS = 7;
  private static final int ROUNDS = 4;

  /** Lanes whose readers see each order once after any crash. */
  private static final Set<String> EXACTLY_ONCE =
      Set.of("transactional", "idempotent-key", "insert-ignore");

  @TempDir static Path data;
  private static RunningLab lab;

  @BeforeAll
  static void start() {
    lab = new RunningLab(data);
  }

  @AfterAll
  static void stop() {
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void aCrashAndARestartKeepTheOrderOfEachPartitionAndTheLabCountsWhatIsThere() {
    long first = Long.getLong("lab.model.seed", System.currentTimeMillis());
    for (long seed = first; seed < first + ROUNDS; seed++) {
      crashAndRestart(seed);
    }
  }

  private static void crashAndRestart(long seed) {
    Random random = new Random(seed);
    Experiment experiment = lab.experiments().create(PARTITIONS, BATCH);
    List<LogRecord> log = experiment.log().appendEach(orders());
    assertThat(log).extracting(LogRecord::partition).contains(0, 1, 2);
    assertThat(experiment.truth().await(experiment.log().endOffsets(), PATIENCE)).isTrue();
    for (Lane lane : experiment.lanes()) {
      List<Gap> gaps = LaneModel.gaps(lane.name(), BATCH);
      Gap gap = gaps.get(random.nextInt(gaps.size()));
      // A poll that finds one record left in its partition brings one, so only the first is sure.
      Integer record = gap.record() == null ? null : Integer.valueOf(1);
      lane.arm(gap.after(), record, 1 + random.nextInt(2));
    }
    List<String> armed =
        experiment.lanes().stream().map(each -> each.name() + " " + each.armed()).toList();
    experiment.lanes().parallelStream().forEach(Lane::start);
    for (Lane lane : experiment.lanes()) {
      String trial = lane.name() + " of " + armed + " (again with -Dlab.model.seed=" + seed + ")";
      await(trial).atMost(PATIENCE).until(() -> lane.state() == LaneState.CRASHED);
      counts(trial, experiment, lane, log);
    }
    experiment.lanes().parallelStream().forEach(Lane::start);
    for (Lane lane : experiment.lanes()) {
      String trial = lane.name() + " of " + armed + " (again with -Dlab.model.seed=" + seed + ")";
      await(trial).atMost(PATIENCE).until(() -> lane.is(Lane.Condition.DRAINED));
      LaneSnapshot snapshot = counts(trial, experiment, lane, log);
      assertThat(snapshot.progress()).as(trial).allMatch(at -> at.lag() == 0);
      assertThat(snapshot.counts().pending()).as(trial).isZero();
      promise(trial, lane, snapshot);
      assertThat(experiment.recount(lane.name()).agrees()).as(trial).isTrue();
    }
  }

  private static void promise(String trial, Lane lane, LaneSnapshot snapshot) {
    String name = lane.name();
    if (lane.rule().shape() == Shape.BALANCE) {
      return;
    }
    boolean once = EXACTLY_ONCE.contains(name);
    if (!name.equals("at-most-once") && !name.equals("auto-commit-handoff")) {
      assertThat(snapshot.counts().lost()).as(trial).isZero();
    }
    if (once || name.equals("at-most-once") || name.equals("dedup-on-read")) {
      assertThat(snapshot.counts().duplicates()).as(trial).isZero();
    } else if (!name.startsWith("auto-commit")) {
      assertThat(snapshot.counts().duplicates()).as(trial).isBetween(0L, (long) BATCH);
    }
    if (name.equals("at-most-once")) {
      assertThat(snapshot.counts().lost()).as(trial).isBetween(0L, (long) BATCH);
    }
    if (once) {
      assertThat(snapshot.verdict().numberRight()).as(trial).isTrue();
    }
  }

  /** Holds the lab's counts to the rows, and the rows to the order of the log. */
  private static LaneSnapshot counts(
      String trial, Experiment experiment, Lane lane, List<LogRecord> log) {
    LaneSnapshot snapshot = experiment.snapshot(lane.name());
    if (lane.rule().shape() == Shape.BALANCE) {
      BigDecimal total =
          HostedGuarantee.in(lane).table().balances().values().stream()
              .reduce(BigDecimal.ZERO, BigDecimal::add);
      assertThat(snapshot.sink()).as(trial).isNotNull();
      assertThat(snapshot.sink().total()).as(trial).isEqualByComparingTo(total);
      return snapshot;
    }
    List<SinkRow> rows = HostedGuarantee.in(lane).table().page(0, 1000, false);
    for (SinkRow row : rows) {
      assertThat(log)
          .as(trial)
          .contains(
              new LogRecord(
                  row.partition(),
                  row.offset(),
                  new Order(row.orderId(), row.amount(), row.eventTime(), row.customer())));
    }
    if (lane.rule().shape() == Shape.APPEND_ONLY) {
      inOrder(trial, rows);
    }
    Map<Integer, Long> progress = new HashMap<>();
    for (Position at : snapshot.progress()) {
      if (at.committed() != null) {
        progress.put(at.partition(), at.committed());
      }
    }
    List<Row> plain =
        rows.stream()
            .map(row -> new Row(row.partition(), row.offset(), row.life(), row.writes()))
            .toList();
    assertThat(NaiveCount.of(lane.name(), log, plain, progress).differences(snapshot))
        .as(trial)
        .isEmpty();
    return snapshot;
  }

  /** In each life each partition is read from one place on, without a gap. */
  private static void inOrder(String trial, List<SinkRow> rows) {
    Map<String, List<Long>> offsets = new TreeMap<>();
    for (SinkRow row : rows) {
      offsets
          .computeIfAbsent("life " + row.life() + " p" + row.partition(), key -> new ArrayList<>())
          .add(row.offset());
    }
    offsets.forEach(
        (where, read) -> {
          for (int i = 1; i < read.size(); i++) {
            assertThat(read.get(i)).as(trial + ", " + where).isEqualTo(read.get(i - 1) + 1);
          }
        });
  }

  private static List<Order> orders() {
    List<Order> all = new ArrayList<>();
    for (int i = 0; i < ORDERS; i++) {
      all.add(
          new Order(
              BigInteger.valueOf(1001 + i),
              new BigDecimal(BigInteger.valueOf(1L << i), 2),
              Instant.parse("2026-01-04T09:14:00Z").plusSeconds(i),
              "customer " + i % CUSTOMERS));
    }
    return all;
  }
}
