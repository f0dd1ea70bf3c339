package dev.deliverylab.lane;

import static dev.deliverylab.lane.LaneHouse.awaitState;
import static org.assertj.core.api.Assertions.assertThat;

import dev.deliverylab.guarantee.Guarantee;
import dev.deliverylab.guarantee.Guarantees;
import dev.deliverylab.guarantee.Rule;
import dev.deliverylab.guarantee.Step;
import dev.deliverylab.lane.DoomedLanes.Doom;
import dev.deliverylab.lane.LaneHouse.Stage;
import dev.deliverylab.sink.SinkTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The crash inside the lab against the real thing: the same lanes in a process of their own, which
 * SIGKILL ends in the same gaps. Both must leave the same rows and the same progress, and a restart
 * must make the same of them.
 */
class CrashIsADeathIT {

  /** 128 and the number of the signal, as Java reports a process that a signal ended. */
  private static final int KILLED = 128 + 9;

  private static final int BATCH_SIZE = 2;

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

  /** A place in a lane's loop. */
  private record Gap(String lane, String after, Integer record, int batch) {}

  /** What a death leaves that can be looked at from outside. */
  private record Left(
      List<String> rows, Map<String, BigDecimal> balances, Map<Integer, Long> progress) {

    static Left by(Lane lane) {
      SinkTable table = LaneHouse.table(lane);
      Map<Integer, Long> progress = new HashMap<>(lane.committed());
      // A client that commits by itself may have committed its position before it read anything.
      progress.values().removeIf(offset -> offset == 0);
      return new Left(
          table.page(0, 1_000, false).stream()
              .map(row -> row.orderId() + " of " + row.partition() + "@" + row.offset())
              .toList(),
          table.balances(),
          progress);
    }
  }

  @Test
  void whatSigkillLeavesIsWhatTheLabsCrashLeaves() throws Exception {
    // Each round has at most one gap of each lane, so that lanes of a round can share a log.
    List<List<Gap>> rounds = rounds();
    List<Stage> inTheLab = rounds.stream().map(round -> house.fiveOrders()).toList();
    List<Stage> inAProcess = rounds.stream().map(round -> house.fiveOrders()).toList();
    ArrayList<Doom> dooms = new ArrayList<>();
    for (int i = 0; i < rounds.size(); i++) {
      for (Gap gap : rounds.get(i)) {
        dooms.add(doom(inAProcess.get(i), gap));
      }
    }

    killInTheGaps(dooms);
    Map<String, Lane> crashed = crashInTheGaps(rounds, inTheLab);
    Map<String, Lane> killed = new LinkedHashMap<>();
    for (int i = 0; i < rounds.size(); i++) {
      for (Gap gap : rounds.get(i)) {
        inAProcess.get(i).remember(gap.lane());
        killed.put(gap.toString(), inAProcess.get(i).lane(gap.lane()));
      }
    }

    assertThat(killed.keySet()).isEqualTo(crashed.keySet()).hasSize(dooms.size());
    Set<String> mayDiffer = new HashSet<>();
    for (String gap : crashed.keySet()) {
      Left real = Left.by(killed.get(gap));
      Left staged = Left.by(crashed.get(gap));
      assertThat(killed.get(gap).state()).isEqualTo(LaneState.CRASHED);
      if (clientMayHaveCommitted(gap)) {
        // The client decides by the clock whether it commits the batch before with this poll.
        assertThat(real.rows()).as(gap).isEqualTo(staged.rows());
        assertThat(List.of(real, staged))
            .as(gap)
            .allSatisfy(left -> assertThat(left.progress().getOrDefault(0, 0L)).isIn(0L, 2L));
        if (!real.progress().getOrDefault(0, 0L).equals(staged.progress().getOrDefault(0, 0L))) {
          mayDiffer.add(gap);
        }
      } else {
        assertThat(real).as(gap).isEqualTo(staged);
      }
    }

    drain(crashed);
    drain(killed);
    for (String gap : crashed.keySet()) {
      if (!mayDiffer.contains(gap)) {
        assertThat(Left.by(killed.get(gap)))
            .as(gap + ", after the restart")
            .isEqualTo(Left.by(crashed.get(gap)));
      }
    }
    house.discardLanes();
  }

  /** Control: a process that ends its lanes politely in the same gap leaves something else. */
  @Test
  void aPoliteEndIsToldApart() throws Exception {
    Gap gap = new Gap("auto-commit", "effect", 2, 1);
    Stage stage = house.fiveOrders();
    Process process = launch(List.of(doom(stage, gap)), true);
    try {
      awaitLines(process, Set.of(DoomedLanes.ENDED));
    } finally {
      kill(process);
    }
    stage.remember("auto-commit");
    Lane lane = stage.lane("auto-commit");

    // A death would have left nothing committed, as the first test has seen.
    assertThat(lane.committed().getOrDefault(0, 0L)).isGreaterThanOrEqualTo(2L);
    drain(Map.of("", lane));
    assertThat(LaneHouse.orderIds(LaneHouse.table(lane)))
        .as("no order twice, unlike after a death")
        .containsExactly(1001L, 1002L, 1003L, 1004L, 1005L);
  }

  // --- the places ---

  /** Every gap of every lane in batch 1, and the one behind the first effect of batch 2. */
  private static List<List<Gap>> rounds() {
    Map<String, List<Gap>> gaps = new LinkedHashMap<>();
    for (Guarantee guarantee : Guarantees.all()) {
      Rule rule = guarantee.rule();
      List<Gap> its = new ArrayList<>();
      for (Step step : rule.steps()) {
        if (step.perRecord()) {
          IntStream.rangeClosed(1, BATCH_SIZE)
              .forEach(record -> its.add(new Gap(rule.name(), step.label(), record, 1)));
        } else {
          its.add(new Gap(rule.name(), step.label(), null, 1));
        }
      }
      its.add(new Gap(rule.name(), Step.EFFECT.label(), 1, 2));
      gaps.put(rule.name(), its);
    }
    int most = gaps.values().stream().mapToInt(List::size).max().orElseThrow();
    List<List<Gap>> rounds = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      int nth = i;
      rounds.add(
          gaps.values().stream().filter(its -> its.size() > nth).map(its -> its.get(nth)).toList());
    }
    return rounds;
  }

  private static boolean clientMayHaveCommitted(String gap) {
    return gap.contains("lane=auto-commit,") && gap.contains("batch=2");
  }

  private static Doom doom(Stage stage, Gap gap) {
    // A process of its own needs no relay: SIGKILL is what cuts it off.
    return new Doom(
        stage.firstLife(gap.lane(), house.broker.bootstrapServers()),
        gap.after(),
        gap.record(),
        gap.batch());
  }

  // --- the two deaths ---

  private static Map<String, Lane> crashInTheGaps(List<List<Gap>> rounds, List<Stage> stages) {
    Map<String, Lane> lanes = new LinkedHashMap<>();
    for (int i = 0; i < rounds.size(); i++) {
      for (Gap gap : rounds.get(i)) {
        Lane lane = stages.get(i).lane(gap.lane());
        lane.arm(gap.after(), gap.record(), gap.batch());
        lanes.put(gap.toString(), lane);
      }
    }
    lanes.values().parallelStream().forEach(Lane::start);
    lanes.values().forEach(lane -> awaitState(lane, LaneState.CRASHED));
    lanes.values().forEach(lane -> LaneHouse.awaitThreadsGone(lane, 1));
    return lanes;
  }

  private static void killInTheGaps(List<Doom> dooms) throws Exception {
    Process process = launch(dooms, false);
    try {
      Set<String> expected = new HashSet<>();
      dooms.forEach(doom -> expected.add(DoomedLanes.ARRIVED + doom.name()));
      awaitLines(process, expected);
    } finally {
      kill(process);
    }
    // The database notices by itself; nothing of an open transaction is left then.
    LaneHouse.patiently().until(() -> house.openTransactions() == 0);
  }

  private static void drain(Map<String, Lane> lanes) {
    lanes.values().parallelStream().forEach(Lane::start);
    lanes.values().forEach(LaneHouse::awaitDrained);
    lanes.values().parallelStream().forEach(Lane::stop);
  }

  // --- the process ---

  private static Process launch(List<Doom> dooms, boolean politely) throws IOException {
    Path orders = Files.createTempFile(folder, "orders", ".bin");
    try (OutputStream bytes = Files.newOutputStream(orders);
        ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(
          new DoomedLanes.Orders(
              new ArrayList<>(dooms), house.database.address(), LaneHouse.SINK_PREFIX, politely));
    }
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-cp",
            System.getProperty("java.class.path"),
            DoomedLanes.class.getName(),
            orders.toString())
        .redirectErrorStream(true)
        .start();
  }

  /** Reads what the process says until all these lines have come. */
  private static void awaitLines(Process process, Set<String> expected) throws Exception {
    Set<String> missing = new HashSet<>(expected);
    List<String> others = new ArrayList<>();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    CompletableFuture<Void> all =
        CompletableFuture.runAsync(
            () -> {
              try {
                for (String line = lines.readLine();
                    line != null && !missing.isEmpty();
                    line = missing.isEmpty() ? line : lines.readLine()) {
                  if (!missing.remove(line) && others.size() < 200) {
                    others.add(line);
                  }
                }
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    try {
      all.get(120, TimeUnit.SECONDS);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new AssertionError("still missing " + missing + "; it said " + others, e);
    }
    assertThat(missing).as("it said " + others).isEmpty();
  }

  private static void kill(Process process) throws InterruptedException {
    boolean alive = process.isAlive();
    process.destroyForcibly();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(alive).as("alive until it was killed").isTrue();
    assertThat(process.exitValue()).as("ended by SIGKILL").isEqualTo(KILLED);
  }
}
