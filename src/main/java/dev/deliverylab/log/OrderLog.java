package dev.deliverylab.log;

import dev.deliverylab.DiskSpace;
import dev.deliverylab.broker.Broker;
import dev.deliverylab.broker.LabClients;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The log of one experiment: its source topic. Safe for use by many threads. */
public final class OrderLog {

  /** Orders on their way that a batched append allows itself. */
  private static final int IN_FLIGHT = 10_000;

  private static final Duration READ_TIME = Duration.ofSeconds(10);

  private final OrderCodec codec = new OrderCodec();
  private final String topic;
  private final int partitions;
  private final Broker broker;
  private final Producer<byte[], byte[]> producer;
  private final Runnable admission;

  OrderLog(
      String topic,
      int partitions,
      Broker broker,
      Producer<byte[], byte[]> producer,
      Runnable admission) {
    this.admission = admission;
    this.topic = topic;
    this.partitions = partitions;
    this.broker = broker;
    this.producer = producer;
  }

  public String topic() {
    return topic;
  }

  public int partitions() {
    return partitions;
  }

  /**
   * Appends one order after the other, each in a request of its own that is acknowledged before the
   * next leaves.
   *
   * @return the orders at the places they got
   * @throws AppendFailed at the first that is not acknowledged
   */
  public List<LogRecord> appendEach(List<Order> orders) {
    return appendEach(orders, appended -> {});
  }

  /** Waits until what was appended has arrived where it counts. */
  @FunctionalInterface
  public interface Settle {
    void accept(List<LogRecord> appended);
  }

  /**
   * The same.
   *
   * @param settle is given what was appended, before an id comes a second time and at the end
   */
  public List<LogRecord> appendEach(List<Order> orders, Settle settle) {
    List<LogRecord> appended = new ArrayList<>(orders.size());
    Set<BigInteger> ids = new HashSet<>();
    for (Order order : orders) {
      if (!ids.add(order.orderId())) {
        settle.accept(appended);
        ids.clear();
        ids.add(order.orderId());
      }
      try {
        admission.run();
        RecordMetadata place = producer.send(codec.toLog(topic, order)).get();
        appended.add(new LogRecord(place.partition(), place.offset(), order));
      } catch (ExecutionException e) {
        throw new AppendFailed(appended.size(), Objects.requireNonNullElse(e.getCause(), e));
      } catch (KafkaException | IllegalStateException | DiskSpace.NearlyFull e) {
        // An illegal state comes from a closed producer.
        throw new AppendFailed(appended.size(), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AppendFailed(appended.size(), e);
      }
    }
    settle.accept(appended);
    return appended;
  }

  /**
   * Appends in batches and returns when every order is acknowledged. The stream is read as the log
   * takes it, and closed.
   *
   * @return how many
   * @throws AppendFailed when one is not acknowledged; what was on its way by then has been waited
   *     for
   */
  public long appendBatched(Stream<Order> orders) {
    Semaphore free = new Semaphore(IN_FLIGHT);
    AtomicLong acknowledged = new AtomicLong();
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    try (orders) {
      for (Iterator<Order> rest = orders.iterator(); rest.hasNext() && failure.get() == null; ) {
        free.acquire();
        send(rest.next(), free, acknowledged, failure);
      }
      free.acquire(IN_FLIGHT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure.compareAndSet(null, e);
    }
    Exception first = failure.get();
    if (first != null) {
      throw new AppendFailed(acknowledged.get(), first);
    }
    return acknowledged.get();
  }

  private void send(
      Order order,
      Semaphore free,
      AtomicLong acknowledged,
      AtomicReference<@Nullable Exception> failure) {
    try {
      admission.run();
      // The callback hears of every outcome.
      Future<RecordMetadata> unused =
          producer.send(
              codec.toLog(topic, order),
              (place, problem) -> {
                if (problem == null) {
                  acknowledged.incrementAndGet();
                } else {
                  failure.compareAndSet(null, problem);
                }
                free.release();
              });
    } catch (KafkaException | IllegalStateException | DiskSpace.NearlyFull e) {
      failure.compareAndSet(null, e);
      free.release();
    }
  }

  /**
   * The orders of one partition from an offset on, at most {@code limit}; from the first there is,
   * if that offset is gone. A record that is not an order is left out.
   */
  public List<LogRecord> read(int partition, long from, int limit) {
    if (partition < 0 || partition >= partitions) {
      throw new IllegalArgumentException("partition lies between 0 and " + (partitions - 1));
    }
    TopicPartition place = new TopicPartition(topic, partition);
    List<LogRecord> found = new ArrayList<>();
    try (Consumer<byte[], byte[]> consumer = reader(limit)) {
      consumer.assign(List.of(place));
      long end = at(place, consumer.endOffsets(List.of(place), READ_TIME));
      long start = at(place, consumer.beginningOffsets(List.of(place), READ_TIME));
      consumer.seek(place, Math.max(from, start));
      long deadline = System.nanoTime() + READ_TIME.toNanos();
      while (found.size() < limit && consumer.position(place, READ_TIME) < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
          add(record, found, limit);
        }
        if (System.nanoTime() > deadline) {
          throw new org.apache.kafka.common.errors.TimeoutException("no records within 10 s");
        }
      }
    } catch (KafkaException e) {
      throw new LogUnreachable(String.valueOf(e.getMessage()), e);
    }
    return found;
  }

  private static long at(TopicPartition place, Map<TopicPartition, Long> offsets) {
    return Objects.requireNonNull(offsets.get(place), "asked for, so answered");
  }

  private void add(ConsumerRecord<byte[], byte[]> record, List<LogRecord> found, int limit) {
    try {
      if (found.size() < limit) {
        found.add(codec.fromLog(record));
      }
    } catch (NotAnOrder e) {
      // Not ours to show here: the lanes and the truth count it.
    }
  }

  private Consumer<byte[], byte[]> reader(int limit) {
    return LabClients.reader(
        broker,
        "log-reader",
        Map.of(
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "earliest",
            ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            (int) READ_TIME.toMillis(),
            ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
            (int) READ_TIME.toMillis(),
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            Math.max(1, limit)));
  }

  /** The first offset there still is, by partition. */
  public Map<Integer, Long> startOffsets() {
    return offsets(OffsetSpec.earliest());
  }

  /** The offset that the next order gets, by partition. */
  public Map<Integer, Long> endOffsets() {
    return offsets(OffsetSpec.latest());
  }

  private Map<Integer, Long> offsets(OffsetSpec spec) {
    Map<TopicPartition, OffsetSpec> question =
        IntStream.range(0, partitions)
            .boxed()
            .collect(Collectors.toMap(p -> new TopicPartition(topic, p), p -> spec));
    Map<Integer, Long> offsets = new TreeMap<>();
    OrderLogs.answer(broker.admin().listOffsets(question).all())
        .forEach((place, answer) -> offsets.put(place.partition(), answer.offset()));
    return offsets;
  }
}
