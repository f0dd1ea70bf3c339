package dev.deliverylab.time;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads partitions from their start and then what is added to them, on a thread of its own, until
 * it is closed.
 */
final class Tail implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Tail.class);
  private static final Duration POLL = Duration.ofSeconds(1);

  private final String name;
  private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;
  private final Consumer<Iterable<ConsumerRecord<byte[], byte[]>>> reader;
  private final Map<TopicPartition, Long> next = new HashMap<>();
  private volatile boolean closed;

  /**
   * @param name of its thread
   * @param consumer it alone uses it from here on, and closes it
   * @param reader is given what came, on the tail's own thread: it must not wait
   */
  Tail(
      String name,
      org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
      List<TopicPartition> partitions,
      Consumer<Iterable<ConsumerRecord<byte[], byte[]>>> reader) {
    this.name = name;
    this.consumer = consumer;
    this.partitions = List.copyOf(partitions);
    this.reader = reader;
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Thread thread = new Thread(this::read, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void read() {
    try {
      while (!closed) {
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
        if (!polled.isEmpty()) {
          reader.accept(polled);
        }
        moved();
      }
    } catch (WakeupException e) {
      // Closed.
    } catch (KafkaException e) {
      LOG.warn("{} is read no further: {}", name, e.getMessage());
    } finally {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }

  /** Markers of transactions move the place, too, and bring no record. */
  private synchronized void moved() {
    for (TopicPartition partition : partitions) {
      next.put(partition, consumer.position(partition));
    }
    notifyAll();
  }

  /** Waits until everything below these offsets is read; false when time ran out first. */
  synchronized boolean await(Map<TopicPartition, Long> offsets, Duration timeout)
      throws InterruptedException {
    long until = System.nanoTime() + timeout.toNanos();
    while (offsets.entrySet().stream()
        .anyMatch(each -> next.getOrDefault(each.getKey(), 0L) < each.getValue())) {
      long left = (until - System.nanoTime()) / 1_000_000;
      if (left <= 0 || closed) {
        return false;
      }
      wait(left);
    }
    return true;
  }

  List<TopicPartition> partitions() {
    return partitions;
  }

  @Override
  public void close() {
    closed = true;
    consumer.wakeup();
    synchronized (this) {
      notifyAll();
    }
  }
}
