package dev.deliverylab.time;

import dev.deliverylab.lane.LaneDescription;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The Kafka clients of one engine of one thread. A doorkeeper stands at its consumer and its
 * producer; dead, they do nothing any more, and close without a word.
 */
final class StreamsClients implements KafkaClientSupplier {

  /** What the engine may get from a poll. */
  enum May {
    READ,
    /** Nothing, but the group shall see that it is there. */
    REST,
    /** Nothing: it has not finished what it has. */
    WAIT
  }

  /** Called on the engine's thread. An error that it throws ends that thread. */
  interface Doorkeeper {

    May poll();

    void polled(ConsumerRecords<byte[], byte[]> polled);

    /** The engine gives up what it has polled and not committed, and will read it again. */
    void startsOver();

    void throwIfDead();

    void began();

    void sentOffsets();

    void committed();
  }

  private final Doorkeeper doorkeeper;
  private final LaneDescription description;
  private volatile boolean dead;
  private volatile @Nullable Producer<byte[], byte[]> producer;

  StreamsClients(Doorkeeper doorkeeper, LaneDescription description) {
    this.doorkeeper = doorkeeper;
    this.description = description;
  }

  /**
   * Their connections are cut already; what waits for an answer is told that there will be none.
   */
  void die() {
    dead = true;
    Producer<byte[], byte[]> real = producer;
    if (real != null) {
      real.close(Duration.ZERO);
    }
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  /**
   * The engine would name it anew in each life, and what a death left open would stay open until
   * its time is up. Under the same name the next life ends it.
   */
  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, description.group());
    Producer<byte[], byte[]> real =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    producer = real;
    return proxy(Producer.class, (method, arguments) -> produce(real, method, arguments));
  }

  /** The engine would add its thread's number to the name of the group's member. */
  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    config.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, description.instanceId());
    Consumer<byte[], byte[]> real = plain(config);
    Set<TopicPartition> rested = new java.util.HashSet<>();
    return proxy(Consumer.class, (method, arguments) -> consume(real, rested, method, arguments));
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    Consumer<byte[], byte[]> real = plain(config);
    return proxy(
        Consumer.class,
        (method, arguments) ->
            method.getName().equals("close") ? close(real) : invoke(method, real, arguments));
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return plain(config);
  }

  private static Consumer<byte[], byte[]> plain(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private @Nullable Object produce(Producer<byte[], byte[]> real, Method method, Object[] arguments)
      throws Throwable {
    if (dead) {
      return switch (method.getName()) {
        case "close", "abortTransaction", "flush" -> null;
        case "metrics" -> invoke(method, real, arguments);
        default -> {
          doorkeeper.throwIfDead();
          yield null;
        }
      };
    }
    if (method.getName().equals("abortTransaction")) {
      doorkeeper.startsOver();
    }
    Object answer = invoke(method, real, arguments);
    switch (method.getName()) {
      case "beginTransaction" -> doorkeeper.began();
      case "sendOffsetsToTransaction" -> doorkeeper.sentOffsets();
      case "commitTransaction" -> doorkeeper.committed();
      default -> {}
    }
    return answer;
  }

  private @Nullable Object consume(
      Consumer<byte[], byte[]> real, Set<TopicPartition> rested, Method method, Object[] arguments)
      throws Throwable {
    return switch (method.getName()) {
      case "poll" -> poll(real, rested, (Duration) arguments[0]);
      case "close" -> close(real);
      case "subscribe" -> {
        for (int i = 0; i < arguments.length; i++) {
          if (arguments[i] instanceof ConsumerRebalanceListener engine) {
            arguments[i] = new Rebalances(engine);
          }
        }
        yield invoke(method, real, arguments);
      }
      case "seek", "seekToBeginning", "seekToEnd" -> {
        doorkeeper.startsOver();
        yield invoke(method, real, arguments);
      }
      default -> invoke(method, real, arguments);
    };
  }

  private ConsumerRecords<byte[], byte[]> poll(
      Consumer<byte[], byte[]> real, Set<TopicPartition> rested, Duration timeout) {
    May may = doorkeeper.poll();
    if (may == May.WAIT) {
      return ConsumerRecords.empty();
    }
    if (may == May.REST) {
      for (TopicPartition partition : real.assignment()) {
        if (!real.paused().contains(partition)) {
          real.pause(Set.of(partition));
          rested.add(partition);
        }
      }
    } else if (!rested.isEmpty()) {
      rested.retainAll(real.assignment());
      real.resume(rested);
      rested.clear();
    }
    ConsumerRecords<byte[], byte[]> polled = real.poll(timeout);
    doorkeeper.polled(polled);
    return polled;
  }

  private @Nullable Object close(Consumer<byte[], byte[]> real) {
    real.close(CloseOptions.timeout(dead ? Duration.ZERO : Duration.ofSeconds(10)));
    return null;
  }

  /** What was polled of partitions that come anew is polled again. */
  private final class Rebalances implements ConsumerRebalanceListener {

    private final ConsumerRebalanceListener engine;

    private Rebalances(ConsumerRebalanceListener engine) {
      this.engine = engine;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      if (!partitions.isEmpty()) {
        doorkeeper.startsOver();
      }
      engine.onPartitionsAssigned(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      engine.onPartitionsRevoked(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      engine.onPartitionsLost(partitions);
    }
  }

  private interface Call {
    @Nullable Object answer(Method method, Object[] arguments) throws Throwable;
  }

  @SuppressWarnings("unchecked")
  private static <T> T proxy(Class<? super T> type, Call call) {
    return (T)
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                call.answer(method, arguments == null ? new Object[0] : arguments));
  }

  private static @Nullable Object invoke(Method method, Object real, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
