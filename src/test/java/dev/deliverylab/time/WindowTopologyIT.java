package dev.deliverylab.time;

import static dev.deliverylab.time.TimeLogs.at;
import static dev.deliverylab.time.TimeLogs.policy;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deliverylab.broker.BrokerInFolder;
import dev.deliverylab.broker.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine itself, exactly-once, on a real broker, over a death and a restart. */
class WindowTopologyIT {

  /** A window of five minutes, and seven of grace: a closed window is still in the store. */
  private static final Policy SEVEN = policy(300, 420);

  private static final Map<String, String> KEPT = Map.of("retention.ms", "-1");

  private static final AtomicInteger RUNS = new AtomicInteger();

  @TempDir private static Path folder;
  private static BrokerInFolder broker;

  private final String prefix = "proof.time-" + RUNS.incrementAndGet() + ".";
  private final String log = prefix + "events";
  private final String results = prefix + "results";
  private final String late = prefix + "late";
  private final TimeCodec codec = new TimeCodec();

  @BeforeAll
  static void start() {
    broker = new BrokerInFolder(folder.resolve("kafka"));
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @BeforeEach
  void topics() {
    for (String topic : List.of(log, results, late)) {
      new Topics(broker).create(topic, 2);
    }
  }

  /** The order of 09:17 closes the window of the one that comes last. */
  private static final List<TimeRecord> CLOSED =
      new TimeLogs()
          .order(1002, "12.00", "09:07:00", "09:07:01")
          .order(1006, "1.00", "09:17:00", "09:17:01")
          .records();

  private static final TimeRecord LATE =
      new TimeLogs().order(1005, "63.20", "09:06:00", "09:41:00").records().get(0);

  private static final TimeRecord IN_TIME =
      new TimeLogs().order(1007, "2.00", "09:16:00", "09:41:00").records().get(0);

  @Test
  void aRestartJudgesByTheStreamTimeOfTheLifeBefore() {
    append(CLOSED);
    try (Running first = new Running(topology(record -> false))) {
      awaitCommitted(results, 2);
      assertThat(first.dropped()).isZero();
    }
    append(List.of(LATE, IN_TIME));
    try (Running second = new Running(topology(record -> false))) {
      awaitCommitted(late, 1);
      awaitCommitted(results, 4);
      assertThat(second.dropped()).isEqualTo(1);
    }
    assertThat(lateIds()).containsExactly(1005L);
    assertThat(latest(results())).containsExactlyInAnyOrder("09:05 1 12.00", "09:15 2 3.00");
  }

  /** Without the reminder, in the engine's own words only: the same records, another answer. */
  @Test
  void theEngineAloneForgetsAndTakesTheLateOne() {
    append(CLOSED);
    try (Running first = new Running(plain(KEPT))) {
      awaitCommitted(results, 2);
      assertThat(first.dropped()).isZero();
    }
    append(List.of(LATE));
    try (Running second = new Running(plain(KEPT))) {
      awaitCommitted(results, 3);
      assertThat(second.dropped()).isZero();
    }
    assertThat(committed(results))
        .extracting(record -> record.key() + " " + new String(record.value(), UTF_8))
        .containsOnlyOnce("2026-01-04T09:05:00Z 2");
  }

  @Test
  void aDeathAfterEachVerdictChangesNothing() {
    List<TimeRecord> all = new ArrayList<>(CLOSED);
    all.add(LATE);
    append(all);
    for (int deadly = 1; deadly <= all.size(); deadly++) {
      int last = deadly;
      AtomicInteger effects = new AtomicInteger();
      try (Running doomed =
          new Running(
              topology(
                  record -> {
                    if (effects.incrementAndGet() == last) {
                      throw new AssertionError("death after verdict " + last);
                    }
                    return false;
                  }),
              Duration.ofMinutes(1))) {
        await().atMost(Duration.ofMinutes(1)).until(doomed::dead);
      }
      assertThat(committed(results)).as("death %d left nothing", deadly).isEmpty();
      assertThat(committed(late)).isEmpty();
    }
    try (Running healthy = new Running(topology(record -> false))) {
      awaitCommitted(results, 2);
      awaitCommitted(late, 1);
      assertThat(healthy.dropped()).isEqualTo(1);
    }
    assertThat(latest(results())).containsExactlyInAnyOrder("09:05 1 12.00", "09:15 1 1.00");
    assertThat(lateIds()).containsExactly(1005L);
  }

  /** Each has a stream time of its own, and its results in the same partition. */
  @Test
  void partitionsAreJudgedApart() {
    Instant now = at("09:41:00");
    append(
        new TimeLogs()
            .order(0, 1, "1.00", at("09:17:00"), now)
            .order(0, 2, "2.00", at("09:06:00"), now)
            .clock(0, now)
            .clock(1, now)
            .order(1, 3, "3.00", at("09:06:00"), now)
            .records());
    try (Running running = new Running(topology(record -> false))) {
      awaitCommitted(results, 2);
      awaitCommitted(late, 1);
      assertThat(running.dropped()).isEqualTo(1);
    }
    assertThat(lateIds()).containsExactly(2L);
    assertThat(committed(results))
        .extracting(ConsumerRecord::partition)
        .containsExactlyInAnyOrder(0, 1);
    assertThat(latest(results())).containsExactlyInAnyOrder("09:05 1 3.00", "09:15 1 1.00");
  }

  /** The broker would refuse what is too far ahead. */
  @Test
  void anyTimeOfEventIsCounted() {
    append(
        new TimeLogs()
            .order(0, 1, "1.00", Instant.parse("1970-01-01T00:00:00Z"), at("09:00:00"))
            .order(0, 2, "1.00", Instant.parse("9999-12-31T23:59:59Z"), at("09:00:00"))
            .records());
    try (Running running = new Running(topology(record -> false))) {
      awaitCommitted(results, 2);
      assertThat(running.dead()).isFalse();
    }
  }

  /**
   * By default a window's changelog keeps what is younger than the window, its grace and a day, by
   * the time of the event: of older events nothing is left after some seconds, and a restart counts
   * from zero. Ours keeps all.
   */
  @Test
  void theChangelogsForgetNothingForItsAge() throws Exception {
    append(CLOSED);
    try (Running forgetful = new Running(plain(Map.of()))) {
      awaitCommitted(results, 2);
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(firstKept("counts")).isPositive());
      assertThat(forgetful.dead()).isFalse();
    }
    new Topics(broker).deleteGroups(List.of(prefix + "app"));
    try (Running ours = new Running(topology(record -> false))) {
      awaitCommitted(results, 4);
      assertThat(ours.dropped()).isZero();
    }
    for (String store : List.of("windows", "stream-time")) {
      ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, changelog(store));
      Config config =
          broker.admin().describeConfigs(List.of(topic)).all().get(30, TimeUnit.SECONDS).get(topic);
      assertThat(config.get("cleanup.policy").value()).isEqualTo("compact");
      assertThat(config.get("retention.ms").value()).isEqualTo("-1");
      assertThat(firstKept(store)).isZero();
    }
  }

  private String changelog(String store) {
    return prefix + "app-" + store + "-changelog";
  }

  private long firstKept(String store) throws Exception {
    TopicPartition first = new TopicPartition(changelog(store), 0);
    return broker
        .admin()
        .listOffsets(Map.of(first, OffsetSpec.earliest()))
        .partitionResult(first)
        .get(30, TimeUnit.SECONDS)
        .offset();
  }

  private Topology topology(Predicate<TimeRecord> effect) {
    return new WindowTopology(SEVEN, effect).reading(log, results, late);
  }

  /** The window as one would write it: a count, and whatever the engine does with late records. */
  private Topology plain(Map<String, String> changelog) {
    StreamsBuilder builder = new StreamsBuilder();
    Serde<String> all = Serdes.serdeFrom(new StringSerializer(), (topic, key) -> "all");
    builder.stream(log, Consumed.with(all, Serdes.ByteArray()).withTimestampExtractor(this::event))
        .groupByKey()
        .windowedBy(TimeWindows.ofSizeAndGrace(SEVEN.window(), SEVEN.bound()))
        .count(
            Materialized.<String, Long>as(
                    Stores.inMemoryWindowStore(
                        "counts", SEVEN.window().plus(SEVEN.bound()), SEVEN.window(), false))
                .withKeySerde(Serdes.String())
                .withValueSerde(Serdes.Long())
                .withLoggingEnabled(changelog)
                .withCachingDisabled())
        .toStream()
        .map((window, count) -> KeyValue.pair(window.window().startTime().toString(), "" + count))
        .to(results, Produced.with(Serdes.String(), Serdes.String()));
    return builder.build();
  }

  private long event(ConsumerRecord<Object, Object> record, long partitionTime) {
    TimeRecord read = codec.read(record.partition(), record.offset(), (byte[]) record.value());
    return ((ArrivedOrder) read).order().eventTime().toEpochMilli();
  }

  private void append(List<TimeRecord> records) {
    Map<String, Object> settings = Map.of("bootstrap.servers", broker.bootstrapServers());
    try (var producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (TimeRecord record : records) {
        producer.send(sent(record)).get(30, TimeUnit.SECONDS);
      }
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("Not appended", e);
    }
  }

  private ProducerRecord<byte[], byte[]> sent(TimeRecord record) {
    return record instanceof ArrivedOrder order
        ? codec.toLog(log, new Arrival(order.order(), order.arrivalTime(), order.partition()))
        : codec.toLog(log, record.partition(), record.arrivalTime());
  }

  private List<WindowResult> results() {
    ResultCodec json = new ResultCodec();
    return committed(results).stream().map(record -> json.read(record.value())).toList();
  }

  private List<Long> lateIds() {
    LateCodec json = new LateCodec();
    return TimeLogs.late(
        committed(late).stream().map(record -> json.read(record.value())).toList());
  }

  private void awaitCommitted(String topic, int atLeast) {
    await().atMost(Duration.ofMinutes(1)).until(() -> committed(topic).size() >= atLeast);
  }

  /** All that a committed reader sees now, from the first record to the last. */
  private static List<ConsumerRecord<String, byte[]>> committed(String topic) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", broker.bootstrapServers(), "isolation.level", "read_committed");
    List<ConsumerRecord<String, byte[]>> read = new ArrayList<>();
    try (var consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1));
      consumer.assign(all);
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      consumer.seekToBeginning(all);
      while (all.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        consumer.poll(Duration.ofMillis(100)).forEach(read::add);
      }
    }
    return read;
  }

  /** The latest result of each window: its start, its events, its revenue. */
  private static Collection<String> latest(List<WindowResult> results) {
    Map<Object, String> latest = new LinkedHashMap<>();
    for (WindowResult result : results) {
      latest.put(
          List.of(result.partition(), result.window()),
          "%s %d %s"
              .formatted(
                  result.window().start().toString().substring(11, 16),
                  result.events(),
                  result.revenue()));
    }
    return latest.values();
  }

  /** One life of the engine. */
  private final class Running implements AutoCloseable {

    private final KafkaStreams streams;

    private Running(Topology topology) {
      this(topology, Duration.ofMillis(100));
    }

    private Running(Topology topology, Duration betweenCommits) {
      Properties settings = new Properties();
      settings.put(StreamsConfig.APPLICATION_ID_CONFIG, prefix + "app");
      settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers());
      settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
      settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, betweenCommits.toMillis());
      settings.put(StreamsConfig.producerPrefix("transaction.timeout.ms"), 60_000);
      settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.resolve("state").toString());
      settings.put("auto.offset.reset", "earliest");
      // A thread that closes does not leave its group; the next one waits for this.
      settings.put("session.timeout.ms", 1000);
      settings.put("heartbeat.interval.ms", 300);
      streams = new KafkaStreams(topology, settings);
      streams.setUncaughtExceptionHandler(death -> StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
      streams.start();
    }

    private boolean dead() {
      return streams.state().hasStartedOrFinishedShuttingDown();
    }

    private double dropped() {
      return streams.metrics().values().stream()
          .filter(metric -> metric.metricName().name().equals("dropped-records-total"))
          .mapToDouble(metric -> (Double) metric.metricValue())
          .sum();
    }

    @Override
    public void close() {
      streams.close(Duration.ofSeconds(30));
    }
  }
}
