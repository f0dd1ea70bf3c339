package dev.deliverylab.time;

import dev.deliverylab.sink.Fate;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorContext;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Stands before the engine's window, gives it each order, and looks whether it was counted; one
 * that was not goes to the late ones.
 *
 * <p>The window's processor keeps its stream time, by which it judges, in memory only. After a
 * restart it would take late records again until newer ones had come. So stream time is kept in a
 * store here, and the first record of a life is preceded by a reminder: a record of that time
 * without an order. Its window exists, as the order of that time is in it, and stays as it is.
 */
final class EngineJudge implements FixedKeyProcessor<String, byte[], Attempt> {

  /** Names in the topology. */
  static final String STREAM_TIME = "stream-time";

  static final String WINDOW = "window";
  static final String LATE = "late";

  private final TimeCodec codec = new TimeCodec();
  private final Policy policy;
  private final Predicate<TimeRecord> effect;

  @SuppressWarnings("NullAway.Init") // Kafka calls init before anything else.
  private FixedKeyProcessorContext<String, Attempt> context;

  @SuppressWarnings("NullAway.Init")
  private KeyValueStore<String, Long> streamTime;

  private boolean reminded;

  EngineJudge(Policy policy, Predicate<TimeRecord> effect) {
    this.policy = policy;
    this.effect = effect;
  }

  @Override
  public void init(FixedKeyProcessorContext<String, Attempt> given) {
    context = given;
    streamTime = given.getStateStore(STREAM_TIME);
  }

  @Override
  public void process(FixedKeyRecord<String, byte[]> record) {
    remind(record);
    RecordMetadata place = context.recordMetadata().orElseThrow();
    TimeRecord read = codec.read(place.partition(), place.offset(), record.value());
    if (read instanceof ArrivedOrder order) {
      judge(order, record);
    }
    if (effect.test(read)) {
      context.commit();
    }
  }

  private void judge(ArrivedOrder order, FixedKeyRecord<String, byte[]> record) {
    long known = Objects.requireNonNullElse(streamTime.get(STREAM_TIME), Long.MIN_VALUE);
    long moved = Math.max(known, record.timestamp());
    if (moved > known) {
      streamTime.put(STREAM_TIME, moved);
    }
    Window window = window(record.timestamp());
    Attempt attempt = Attempt.of(order, window, watermark(moved), ifCounted(window, moved));
    context.forward(record.withValue(attempt), WINDOW);
    if (!attempt.counted()) {
      context.forward(record.withValue(attempt), LATE);
    }
  }

  private void remind(FixedKeyRecord<String, byte[]> first) {
    Long known = reminded ? null : streamTime.get(STREAM_TIME);
    if (known != null) {
      Attempt reminder = Attempt.reminder(window(known), watermark(known));
      context.forward(first.withTimestamp(known).withValue(reminder), WINDOW);
    }
    reminded = true;
  }

  /** Where late ones are restated the engine counts them all, and this says which were late. */
  private Fate ifCounted(Window window, long streamMillis) {
    return policy.late() == Late.RESTATE && window.passedBy(watermark(streamMillis))
        ? Fate.RESTATED
        : Fate.ACCEPTED;
  }

  private Window window(long millis) {
    return Window.of(Instant.ofEpochMilli(millis), policy.window());
  }

  private Instant watermark(long millis) {
    return Instant.ofEpochMilli(millis).minus(policy.bound());
  }
}
