package dev.deliverylab.time;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ValueAndTimestamp;
import org.apache.kafka.streams.state.WindowStore;

/** The topology in Kafka's own test driver: the engine without a broker, one partition. */
final class Engine implements AutoCloseable {

  private final TopologyTestDriver driver;
  private final TestInputTopic<byte[], byte[]> log;
  private final TestOutputTopic<String, byte[]> results;
  private final TestOutputTopic<byte[], byte[]> late;
  private final TimeCodec codec = new TimeCodec();

  Engine(Policy policy) {
    this(policy, record -> false);
  }

  Engine(Policy policy, Predicate<TimeRecord> effect) {
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "engine");
    driver =
        new TopologyTestDriver(
            new WindowTopology(policy, effect).reading("log", "results", "late"), settings);
    log = driver.createInputTopic("log", new ByteArraySerializer(), new ByteArraySerializer());
    results =
        driver.createOutputTopic("results", new StringDeserializer(), new ByteArrayDeserializer());
    late =
        driver.createOutputTopic("late", new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  void read(List<TimeRecord> records) {
    records.forEach(this::read);
  }

  void read(TimeRecord record) {
    ProducerRecord<byte[], byte[]> sent =
        record instanceof ArrivedOrder order
            ? codec.toLog("log", new Arrival(order.order(), order.arrivalTime(), 0))
            : codec.toLog("log", 0, record.arrivalTime());
    log.pipeInput(sent.key(), sent.value(), sent.timestamp());
  }

  void readBytes(String json) {
    log.pipeInput(new byte[0], json.getBytes(UTF_8), 0);
  }

  List<WindowResult> results() {
    ResultCodec json = new ResultCodec();
    List<WindowResult> read = new ArrayList<>();
    for (KeyValue<String, byte[]> record : results.readKeyValuesToList()) {
      WindowResult result = json.read(record.value);
      if (!result.window().start().equals(Instant.parse(record.key))) {
        throw new AssertionError(record.key + " is not the start of " + result);
      }
      read.add(result);
    }
    return read;
  }

  List<Judgement> late() {
    LateCodec json = new LateCodec();
    return late.readValuesToList().stream().map(json::read).toList();
  }

  /** The engine's own count. */
  long dropped() {
    return driver.metrics().values().stream()
        .filter(metric -> metric.metricName().name().equals("dropped-records-total"))
        .map(Metric::metricValue)
        .mapToLong(value -> ((Double) value).longValue())
        .sum();
  }

  /**
   * Gives this engine what another one would have found in its changelogs after a restart.
   *
   * @param withTime false: as if only the engine's own store had one
   */
  void restore(Engine before, boolean withTime) {
    WindowStore<String, ValueAndTimestamp<WindowResult>> windows = windows();
    try (var all = before.windows().all()) {
      all.forEachRemaining(
          entry -> windows.put(entry.key.key(), entry.value, entry.key.window().start()));
    }
    KeyValueStore<String, Long> time = driver.getKeyValueStore("stream-time");
    KeyValueStore<String, Long> known = before.driver.getKeyValueStore("stream-time");
    if (withTime) {
      time.put("stream-time", known.get("stream-time"));
    }
  }

  private WindowStore<String, ValueAndTimestamp<WindowResult>> windows() {
    return driver.getTimestampedWindowStore("windows");
  }

  @Override
  public void close() {
    driver.close();
  }
}
