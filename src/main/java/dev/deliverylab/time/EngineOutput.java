package dev.deliverylab.time;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.broker.BrokerUnavailable;
import dev.deliverylab.broker.LabClients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** The two topics of one run of the engine, as a reader of committed records finds them. */
final class EngineOutput implements AutoCloseable {

  private static final Duration READ = Duration.ofSeconds(5);

  private final Broker broker;
  private final String late;
  private final EngineBook book;
  private final Runnable onChange;
  private final Tail tail;
  private final ResultCodec results = new ResultCodec();
  private final LateCodec lates = new LateCodec();

  /**
   * @param results its topic of results, with as many partitions as the log
   * @param late its topic of late records, with one partition
   * @param onChange called on the reader's thread after something was read: it must not wait
   */
  EngineOutput(
      Broker broker,
      String results,
      String late,
      int partitions,
      EngineBook book,
      Runnable onChange) {
    this.broker = broker;
    this.late = late;
    this.book = book;
    this.onChange = onChange;
    List<TopicPartition> places = new ArrayList<>(List.of(new TopicPartition(late, 0)));
    for (int partition = 0; partition < partitions; partition++) {
      places.add(new TopicPartition(results, partition));
    }
    this.tail =
        new Tail(
            results,
            LabClients.reader(
                broker,
                "engine-output",
                Map.of(
                    ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                    "read_committed",
                    ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                    5_000)),
            places,
            this::read);
  }

  private void read(Iterable<ConsumerRecord<byte[], byte[]>> polled) {
    for (ConsumerRecord<byte[], byte[]> record : polled) {
      if (record.topic().equals(late)) {
        book.add(lates.read(record.value()));
      } else {
        book.add(results.read(record.value()));
      }
    }
    onChange.run();
  }

  /**
   * With everything in it that is committed now.
   *
   * @throws BrokerUnavailable when that cannot be read in time
   */
  EngineBook book() {
    try {
      if (!tail.await(committedEnds(), READ)) {
        throw new BrokerUnavailable(
            "The output of Kafka Streams could not be read within " + READ.toSeconds() + " s.",
            new IllegalStateException());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BrokerUnavailable("Interrupted while the broker was asked.", e);
    }
    return book;
  }

  private Map<TopicPartition, Long> committedEnds() throws InterruptedException {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    tail.partitions().forEach(partition -> asked.put(partition, OffsetSpec.latest()));
    Map<TopicPartition, Long> ends = new HashMap<>();
    try {
      broker
          .admin()
          .listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
          .all()
          .get(READ.toSeconds(), TimeUnit.SECONDS)
          .forEach((partition, end) -> ends.put(partition, end.offset()));
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new BrokerUnavailable("The broker did not answer: " + cause.getMessage(), cause);
    } catch (TimeoutException e) {
      throw new BrokerUnavailable("The broker does not answer. Look whether it runs.", e);
    }
    return ends;
  }

  @Override
  public void close() {
    tail.close();
  }
}
