package dev.deliverylab.time;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowBytesStoreSupplier;

/**
 * The window in Kafka Streams, as its own language says it: all orders of a partition in one group,
 * tumbling windows, the bound as the grace period.
 */
public final class WindowTopology {

  private static final String ALL = "all";

  /** Longer than any two events can lie apart. */
  private static final Duration FOR_EVER = Duration.ofDays(10_000L * 366);

  /** Events may be older than any retention, or claim to be from the future. */
  private static final Map<String, String> CHANGELOG =
      Map.of(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_COMPACT,
          TopicConfig.RETENTION_MS_CONFIG,
          "-1",
          TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
          String.valueOf(Long.MAX_VALUE));

  private final Policy policy;
  private final Predicate<TimeRecord> effect;

  /**
   * @param policy its window, its bound and what becomes of late records; the engine has no idle
   *     time and no limit on events from the future
   * @param effect is called for each record once it is counted, found late or, if it is a reading
   *     of the clock, passed over; true asks the engine to commit, and what it throws ends the
   *     engine's thread
   */
  public WindowTopology(Policy policy, Predicate<TimeRecord> effect) {
    this.policy = policy;
    this.effect = effect;
  }

  /**
   * @param log a time log's topic
   * @param results a {@link WindowResult} each time an order is counted, keyed by the window's
   *     start; needs as many partitions as the log
   * @param late late orders as {@link LateCodec} writes them
   */
  public Topology reading(String log, String results, String late) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.addStateStore(
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore(EngineJudge.STREAM_TIME),
                Serdes.String(),
                Serdes.Long())
            .withLoggingEnabled(CHANGELOG));
    KStream<String, Attempt> attempts =
        builder.stream(
                log,
                Consumed.with(oneKey(), Serdes.ByteArray())
                    .withTimestampExtractor(new EventTime())
                    .withOffsetResetPolicy(AutoOffsetReset.earliest()))
            .processValues(() -> new EngineJudge(policy, effect), EngineJudge.STREAM_TIME);
    count(attempts, results);
    LateCodec codec = new LateCodec();
    attempts
        .map(
            (all, attempt) -> keyed(attempt.late(policy.late()), codec), Named.as(EngineJudge.LATE))
        .to(late, Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
    return builder.build();
  }

  private void count(KStream<String, Attempt> attempts, String results) {
    Serde<WindowResult> serde = new ResultCodec().serde();
    WindowBytesStoreSupplier store =
        Stores.inMemoryWindowStore(
            "windows", policy.window().plus(grace()), policy.window(), false);
    attempts
        .groupByKey()
        .windowedBy(TimeWindows.ofSizeAndGrace(policy.window(), grace()))
        .aggregate(
            () -> null,
            (all, attempt, before) -> attempt.countIn(before),
            Named.as(EngineJudge.WINDOW),
            Materialized.<String, WindowResult>as(store)
                .withKeySerde(Serdes.String())
                .withValueSerde(serde)
                .withLoggingEnabled(CHANGELOG)
                .withCachingDisabled())
        .toStream()
        .map((window, result) -> KeyValue.pair(window.window().startTime().toString(), result))
        .to(
            results,
            Produced.with(
                Serdes.String(),
                serde,
                (topic, start, result, n) -> Optional.of(Set.of(result.partition()))));
  }

  /**
   * The engine lets go of a window once its grace is over, and what it let go of it cannot publish
   * again. Where late ones are restated it therefore lets go of nothing: that is what it costs.
   */
  private Duration grace() {
    return policy.late() == Late.RESTATE ? FOR_EVER : policy.bound();
  }

  private static KeyValue<byte[], byte[]> keyed(Judgement late, LateCodec codec) {
    return KeyValue.pair(codec.key(late), codec.write(late));
  }

  /** A key that is the same for all makes one group of them, without a topic in between. */
  private static Serde<String> oneKey() {
    return Serdes.serdeFrom(Serdes.String().serializer(), (topic, key) -> ALL);
  }

  /** The time of the event; a reading of the clock moves nothing. */
  private static final class EventTime implements TimestampExtractor {

    private final TimeCodec codec = new TimeCodec();

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
      TimeRecord read = codec.read(record.partition(), record.offset(), (byte[]) record.value());
      return read instanceof ArrivedOrder order
          ? order.order().eventTime().toEpochMilli()
          : Math.max(0, partitionTime);
    }
  }
}
