package dev.deliverylab.time;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deliverylab.broker.BrokerInFolder;
import dev.deliverylab.broker.LabClients;
import dev.deliverylab.broker.Scope;
import dev.deliverylab.broker.Topics;
import dev.deliverylab.lane.DeadlyBirth;
import dev.deliverylab.lane.LaneDescription;
import dev.deliverylab.time.DoomedEngines.Doom;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The crash of the engine inside the lab against the real thing: engines in a process of their own,
 * which SIGKILL ends in the same gaps. Both must leave the same at the broker, and the next life
 * must make the same of it.
 */
class EngineDeathIT {

  private static final int KILLED = 128 + 9;

  /** In batches of two; the order of 09:17 closes the window of the last. */
  private static final List<TimeRecord> LOG =
      new TimeLogs()
          .order(1, "12.00", "09:07:00", "09:07:01")
          .order(2, "1.00", "09:17:00", "09:17:01")
          .order(3, "63.20", "09:06:00", "09:41:00")
          .order(4, "2.00", "09:16:00", "09:41:00")
          .order(5, "4.00", "09:18:00", "09:41:00")
          .records();

  @TempDir private static Path folder;
  private static BrokerInFolder broker;

  @BeforeAll
  static void start() {
    broker = new BrokerInFolder(folder.resolve("kafka"));
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  private record Gap(String after, @Nullable Integer record, int batch) {}

  private static final List<Gap> GAPS =
      List.of(
          new Gap("poll", null, 1),
          new Gap("begin", null, 1),
          new Gap("effect", 1, 1),
          new Gap("effect", 2, 1),
          new Gap("send-offsets", null, 1),
          new Gap("commit-tx", null, 1),
          new Gap("effect", 1, 2));

  /** What a death leaves that can be looked at from outside. */
  private record Left(long committed, List<String> results, List<String> late) {}

  @Test
  void whatSigkillLeavesIsWhatTheLabsCrashLeaves() throws Exception {
    List<Doom> killed = new ArrayList<>();
    List<Doom> crashed = new ArrayList<>();
    for (int i = 0; i < GAPS.size(); i++) {
      // A process of its own needs no relay: SIGKILL is what cuts it off.
      killed.add(doom("killed-" + i, GAPS.get(i), broker.bootstrapServers()));
      crashed.add(doom("crashed-" + i, GAPS.get(i), broker.laneBootstrapServers()));
    }
    killInTheGaps(killed);
    for (Doom doom : crashed) {
      crash(doom);
    }
    for (int i = 0; i < GAPS.size(); i++) {
      Gap gap = GAPS.get(i);
      Left left = left(crashed.get(i));
      assertThat(left).as(gap + "").isEqualTo(left(killed.get(i)));
      boolean kept = gap.batch() == 2 || gap.after().equals("commit-tx");
      assertThat(left.committed()).as(gap + "").isEqualTo(kept ? 2 : 0);
      assertThat(left.results()).as(gap + "").hasSize(kept ? 2 : 0);
      if (gap.after().equals("send-offsets")) {
        assertThat(List.of(transaction(crashed.get(i)), transaction(killed.get(i))))
            .containsOnly(TransactionState.ONGOING);
      }
    }
    Set<List<String>> answers = new HashSet<>();
    for (Doom doom : crashed) {
      answers.add(finished(doom));
    }
    for (Doom doom : killed) {
      answers.add(finished(doom));
    }
    assertThat(answers)
        .as("whatever the gap, and whatever the death")
        .containsExactly(List.of("09:05 1 12.00", "09:15 3 7.00", "late 3"));
  }

  /** Control: an engine that ends politely in a gap finishes its batch and keeps it. */
  @Test
  void aPoliteEndIsToldApart() throws Exception {
    Doom doom = doom("polite", new Gap("effect", 1, 1), broker.laneBootstrapServers());
    CountDownLatch inTheGap = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    StreamsLife life =
        new StreamsLife(
            doom.lane(),
            DeadlyBirth.untroubled(doom.lane()).footsteps(),
            effect ->
                topology(
                    doom,
                    record -> {
                      inTheGap.countDown();
                      awaitQuietly(goOn);
                      return effect.test(record);
                    }));
    assertThat(life.start()).isTrue();
    inTheGap.await();
    Thread end =
        new Thread(
            () -> {
              try {
                boolean unused = life.stop();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    end.start();
    goOn.countDown();
    end.join();
    assertThat(left(doom).committed()).isGreaterThanOrEqualTo(2);
    assertThat(left(doom).results()).isNotEmpty();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Doom doom(String name, Gap gap, String address) {
    Scope scope = new Scope("proof." + name + ".");
    LaneDescription lane =
        new LaneDescription(
            1,
            "engine",
            1,
            address,
            scope.topic("events"),
            1,
            2,
            scope.group("engine", 1),
            scope.client("engine", 1),
            "engine");
    Doom doom = new Doom(lane, gap.after(), gap.record(), gap.batch());
    for (String topic : List.of(lane.topic(), doom.results(), doom.late())) {
      new Topics(broker).create(topic, 1);
    }
    TimeCodec codec = new TimeCodec();
    try (Producer<byte[], byte[]> producer = LabClients.appender(broker, name)) {
      for (TimeRecord record : LOG) {
        ArrivedOrder order = (ArrivedOrder) record;
        var unused =
            producer.send(
                codec.toLog(lane.topic(), new Arrival(order.order(), order.arrivalTime(), 0)));
      }
    }
    return doom;
  }

  // --- the two deaths, and the life behind them ---

  private static void killInTheGaps(List<Doom> dooms) throws Exception {
    Path orders = Files.createTempFile(folder, "orders", ".bin");
    try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(orders))) {
      out.writeObject(new ArrayList<>(dooms));
    }
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                DoomedEngines.class.getName(),
                orders.toString())
            .redirectErrorStream(true)
            .start();
    Set<String> arrived = java.util.Collections.synchronizedSet(new HashSet<>());
    Thread reader = new Thread(() -> read(process, arrived));
    reader.setDaemon(true);
    reader.start();
    try {
      await().atMost(Duration.ofMinutes(3)).until(() -> arrived.size() == dooms.size());
    } finally {
      boolean alive = process.isAlive();
      process.destroyForcibly();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(alive).as("alive until it was killed").isTrue();
      assertThat(process.exitValue()).as("ended by SIGKILL").isEqualTo(KILLED);
    }
  }

  private static void read(Process process, Set<String> arrived) {
    try (BufferedReader lines = process.inputReader(UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(DoomedEngines.ARRIVED)) {
          arrived.add(line);
        }
      }
    } catch (IOException e) {
      // It is dead, as it should be.
    }
  }

  private static void crash(Doom doom) throws Exception {
    Scope scope = new Scope(doom.lane().topic().replaceAll("events$", ""));
    StreamsLife life =
        new StreamsLife(
            doom.lane(),
            DeadlyBirth.at(
                    doom.lane(),
                    LateRule.STREAMS_WINDOW.loop(Late.DROP),
                    doom.after(),
                    doom.record(),
                    doom.batch(),
                    victim -> {
                      broker.cut(scope, "engine", victim.number());
                      victim.die();
                    })
                .footsteps(),
            effect -> topology(doom, effect));
    assertThat(life.start()).isTrue();
    await().atMost(Duration.ofMinutes(1)).until(life::isOver);
    assertThat(life.awaitGone(Duration.ofMinutes(1))).as("its threads are gone").isTrue();
  }

  private static org.apache.kafka.streams.Topology topology(
      Doom doom, java.util.function.Predicate<TimeRecord> effect) {
    return new WindowTopology(DoomedEngines.POLICY, effect)
        .reading(doom.lane().topic(), doom.results(), doom.late());
  }

  /** What the next life makes of it: the latest of each window, and who was late. */
  private static List<String> finished(Doom doom) throws Exception {
    LaneDescription first = doom.lane();
    LaneDescription second =
        new LaneDescription(
            first.log(),
            first.lane(),
            2,
            broker.laneBootstrapServers(),
            first.topic(),
            1,
            2,
            first.group(),
            first.clientId().replaceAll("1$", "2"),
            first.instanceId());
    StreamsLife life =
        new StreamsLife(
            second, DeadlyBirth.untroubled(second).footsteps(), effect -> topology(doom, effect));
    assertThat(life.start()).isTrue();
    await().atMost(Duration.ofMinutes(1)).until(() -> committed(doom) == LOG.size());
    assertThat(life.stop()).isTrue();
    Left left = left(doom);
    Map<String, String> latest = new java.util.TreeMap<>();
    left.results().forEach(each -> latest.put(each.substring(0, 5), each));
    List<String> answer = new ArrayList<>(latest.values());
    answer.addAll(left.late());
    return answer;
  }

  // --- what is left ---

  private static Left left(Doom doom) throws Exception {
    ResultCodec results = new ResultCodec();
    LateCodec lates = new LateCodec();
    return new Left(
        committed(doom),
        values(doom.results()).stream()
            .map(results::read)
            .map(
                each ->
                    "%s %d %s"
                        .formatted(
                            each.window().start().toString().substring(11, 16),
                            each.events(),
                            each.revenue()))
            .toList(),
        TimeLogs.late(values(doom.late()).stream().map(lates::read).toList()).stream()
            .map(id -> "late " + id)
            .toList());
  }

  private static long committed(Doom doom) throws Exception {
    OffsetAndMetadata offset =
        broker
            .admin()
            .listConsumerGroupOffsets(doom.lane().group())
            .partitionsToOffsetAndMetadata()
            .get(30, TimeUnit.SECONDS)
            .get(new TopicPartition(doom.lane().topic(), 0));
    return offset == null ? 0 : offset.offset();
  }

  private static TransactionState transaction(Doom doom) throws Exception {
    return broker
        .admin()
        .describeTransactions(List.of(doom.lane().group()))
        .description(doom.lane().group())
        .get(30, TimeUnit.SECONDS)
        .state();
  }

  /** As far as a reader of committed records can see. */
  private static List<byte[]> values(String topic) {
    TopicPartition place = new TopicPartition(topic, 0);
    List<byte[]> values = new ArrayList<>();
    try (var consumer =
        LabClients.reader(broker, "left", Map.of("isolation.level", "read_committed"))) {
      consumer.assign(List.of(place));
      long end = consumer.endOffsets(List.of(place)).get(place);
      consumer.seekToBeginning(List.of(place));
      while (consumer.position(place) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
      }
    }
    return values;
  }
}
