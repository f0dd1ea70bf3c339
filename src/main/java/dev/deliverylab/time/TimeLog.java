package dev.deliverylab.time;

import dev.deliverylab.broker.Scope;
import dev.deliverylab.log.AppendFailed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;

/** One time log: a topic of its own, with everything in the order of its arrival. */
final class TimeLog {

  private final TimeCodec codec = new TimeCodec();
  private final long number;
  private final Scope scope;
  private final int partitions;
  private final int batchSize;
  private final Producer<byte[], byte[]> producer;

  TimeLog(
      long number, Scope scope, int partitions, int batchSize, Producer<byte[], byte[]> producer) {
    this.number = number;
    this.scope = scope;
    this.partitions = partitions;
    this.batchSize = batchSize;
    this.producer = producer;
  }

  long number() {
    return number;
  }

  Scope scope() {
    return scope;
  }

  String topic() {
    return scope.topic("events");
  }

  int partitions() {
    return partitions;
  }

  int batchSize() {
    return batchSize;
  }

  /**
   * Appends in this order and returns when all are acknowledged.
   *
   * @return the next offset behind them, by partition
   * @throws AppendFailed when one is not acknowledged
   */
  SortedMap<Integer, Long> append(List<Arrival> arrivals) {
    List<Future<RecordMetadata>> sent = new ArrayList<>(arrivals.size());
    try {
      for (Arrival arrival : arrivals) {
        sent.add(producer.send(codec.toLog(topic(), arrival)));
      }
    } catch (KafkaException | IllegalStateException e) {
      throw new AppendFailed(sent.size(), e);
    }
    return acknowledged(sent);
  }

  /** Writes what the clock shows into every partition. */
  SortedMap<Integer, Long> read(Instant clock) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      sent.add(producer.send(codec.toLog(topic(), partition, clock)));
    }
    return acknowledged(sent);
  }

  private static SortedMap<Integer, Long> acknowledged(List<Future<RecordMetadata>> sent) {
    SortedMap<Integer, Long> behind = new TreeMap<>();
    long done = 0;
    try {
      for (Future<RecordMetadata> each : sent) {
        RecordMetadata place = each.get();
        behind.merge(place.partition(), place.offset() + 1, Math::max);
        done++;
      }
      return behind;
    } catch (ExecutionException e) {
      throw new AppendFailed(done, Objects.requireNonNullElse(e.getCause(), e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AppendFailed(done, e);
    }
  }
}
