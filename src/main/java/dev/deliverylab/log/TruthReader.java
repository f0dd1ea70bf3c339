package dev.deliverylab.log;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.broker.LabClients;
import dev.deliverylab.log.TruthTables.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the log of one experiment and stores what it reads. Whatever goes wrong, at the broker or
 * at the database, has one answer: forget everything, wait a moment, and start again from what is
 * stored.
 */
final class TruthReader {

  private static final Logger LOG = LoggerFactory.getLogger(TruthReader.class);

  private static final int BATCH = 5_000;
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration RETRY = Duration.ofMillis(300);
  private static final int API_MILLIS = 5_000;

  private final OrderCodec codec = new OrderCodec();
  private final long experiment;
  private final TruthTables tables;
  private final Broker broker;
  private final Runnable advanced;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Stored stored; // guarded by lock
  private boolean closed; // guarded by lock
  private @Nullable Consumer<byte[], byte[]> current; // guarded by lock
  private @Nullable String problem; // guarded by lock

  TruthReader(long experiment, TruthTables tables, Broker broker, Runnable advanced) {
    this.experiment = experiment;
    this.tables = tables;
    this.broker = broker;
    this.advanced = advanced;
    tables.create(experiment);
    this.stored = tables.load(experiment);
    this.thread = new Thread(this::run, "truth-" + experiment);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  long experiment() {
    return experiment;
  }

  Stored stored() {
    lock.lock();
    try {
      return stored;
    } finally {
      lock.unlock();
    }
  }

  @Nullable String problem() {
    lock.lock();
    try {
      return problem;
    } finally {
      lock.unlock();
    }
  }

  boolean await(Map<Integer, Long> positions, Duration timeout) {
    long left = timeout.toNanos();
    lock.lock();
    try {
      while (!passed(positions)) {
        if (left <= 0 || closed) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  private boolean passed(Map<Integer, Long> positions) {
    return positions.entrySet().stream()
        .allMatch(
            wanted -> stored.positions().getOrDefault(wanted.getKey(), 0L) >= wanted.getValue());
  }

  /** Stops following; a batch that is being stored is finished first. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      if (current != null) {
        current.wakeup();
      }
    } finally {
      lock.unlock();
    }
    try {
      thread.join(TimeUnit.SECONDS.toMillis(20));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (open()) {
      Consumer<byte[], byte[]> consumer = null;
      try {
        consumer = connect();
        follow(consumer);
      } catch (WakeupException e) {
        LOG.debug("The truth of experiment {} is closed", experiment);
      } catch (RuntimeException e) {
        pause(e);
      } finally {
        disconnect(consumer);
      }
    }
  }

  private boolean open() {
    lock.lock();
    try {
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private Consumer<byte[], byte[]> connect() {
    Consumer<byte[], byte[]> consumer =
        LabClients.reader(
            broker,
            "truth",
            Map.of(
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "none",
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                API_MILLIS,
                ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                API_MILLIS,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                BATCH));
    lock.lock();
    try {
      current = consumer;
      if (closed) {
        consumer.wakeup();
      }
    } finally {
      lock.unlock();
    }
    return consumer;
  }

  private void disconnect(@Nullable Consumer<byte[], byte[]> consumer) {
    lock.lock();
    try {
      current = null;
    } finally {
      lock.unlock();
    }
    if (consumer != null) {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }

  private void pause(RuntimeException cause) {
    String reason = String.valueOf(cause.getMessage());
    lock.lock();
    try {
      if (!reason.equals(problem)) {
        LOG.warn("The truth of experiment {} waits: {}", experiment, reason);
      }
      problem = reason;
      long left = RETRY.toNanos();
      while (left > 0 && !closed) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      // Nobody interrupts this thread; close() wakes it.
      LOG.debug("The truth reader was interrupted", e);
    } finally {
      lock.unlock();
    }
  }

  private void follow(Consumer<byte[], byte[]> consumer) {
    Stored state = publish(tables.load(experiment));
    String topic = broker.names().log(experiment);
    List<TopicPartition> places =
        consumer.partitionsFor(topic).stream()
            .map(partition -> new TopicPartition(topic, partition.partition()))
            .toList();
    if (places.isEmpty()) {
      throw new IllegalStateException("the log " + topic + " is not there");
    }
    consumer.assign(places);
    for (TopicPartition place : places) {
      consumer.seek(place, state.positions().getOrDefault(place.partition(), 0L));
    }
    while (open()) {
      ConsumerRecords<byte[], byte[]> records = poll(consumer);
      Map<Integer, Long> positions = new TreeMap<>();
      for (TopicPartition place : places) {
        positions.put(place.partition(), consumer.position(place));
      }
      if (!positions.equals(state.positions())) {
        state = publish(store(state, records, positions));
      }
    }
  }

  private ConsumerRecords<byte[], byte[]> poll(Consumer<byte[], byte[]> consumer) {
    try {
      return consumer.poll(POLL);
    } catch (OffsetOutOfRangeException e) {
      Map<TopicPartition, Long> wanted = e.offsetOutOfRangePartitions();
      Map<TopicPartition, Long> starts = consumer.beginningOffsets(wanted.keySet());
      wanted.forEach(
          (place, offset) ->
              skipToStart(
                  consumer,
                  place,
                  offset,
                  Objects.requireNonNull(starts.get(place), "asked for, so answered")));
      return ConsumerRecords.empty();
    }
  }

  /**
   * Retention may have removed what was not read yet. A log that ends before the position is
   * another matter.
   */
  private static void skipToStart(
      Consumer<byte[], byte[]> consumer, TopicPartition place, long wanted, long start) {
    if (wanted > start) {
      throw new IllegalStateException(
          "partition %d ends before offset %d, up to which it was read: it has lost records"
              .formatted(place.partition(), wanted));
    }
    LOG.warn("Offsets {} to {} of {} were removed before they were read", wanted, start - 1, place);
    consumer.seek(place, start);
  }

  private Stored store(
      Stored before, ConsumerRecords<byte[], byte[]> records, Map<Integer, Long> positions) {
    List<LogRecord> orders = new ArrayList<>(records.count());
    long unreadable = 0;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try {
        orders.add(codec.fromLog(record));
      } catch (NotAnOrder e) {
        unreadable++;
        LOG.debug("{}", e.getMessage());
      }
    }
    return tables.store(experiment, before, orders, unreadable, positions);
  }

  private Stored publish(Stored now) {
    lock.lock();
    try {
      stored = now;
      problem = null;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    advanced.run();
    return now;
  }
}
