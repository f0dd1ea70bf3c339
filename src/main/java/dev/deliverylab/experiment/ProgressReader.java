package dev.deliverylab.experiment;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.check.Position;
import dev.deliverylab.guarantee.Rule;
import dev.deliverylab.lane.Lane;
import dev.deliverylab.sink.SinkUnreachable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the progress of many lanes in a few questions, each lane's from where it keeps it. */
final class ProgressReader {

  private static final Logger LOG = LoggerFactory.getLogger(ProgressReader.class);
  private static final long ANSWER_SECONDS = 5;

  /**
   * How long a broker that did not answer is not asked again: many may ask, and each would wait.
   */
  private static final long UNREADABLE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Broker broker;
  private final List<TopicPartition> partitions = new ArrayList<>();
  private volatile long unreadableAt;
  private volatile @Nullable Unreadable unreadable;

  ProgressReader(Broker broker, String topic, int partitionCount) {
    this.broker = broker;
    for (int partition = 0; partition < partitionCount; partition++) {
      partitions.add(new TopicPartition(topic, partition));
    }
  }

  /** The broker did not say where the lanes stand. */
  static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;

    Unreadable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Progress first, ends after it: so no lane can be shown ahead of the log.
   *
   * @return positions in order of partition, by lane name; a lane whose sink keeps its progress and
   *     does not answer is left out
   */
  Map<String, List<Position>> read(List<Lane> lanes) throws Unreadable {
    Unreadable before = unreadable;
    if (before != null && System.nanoTime() - unreadableAt < UNREADABLE_NANOS) {
      throw before;
    }
    try {
      Map<String, List<Position>> answer = ask(lanes);
      unreadable = null;
      return answer;
    } catch (Unreadable e) {
      unreadableAt = System.nanoTime();
      unreadable = e;
      throw e;
    }
  }

  private Map<String, List<Position>> ask(List<Lane> lanes) throws Unreadable {
    Map<String, Map<Integer, Long>> committed = committed(lanes);
    Map<Integer, Long> start = offsets(OffsetSpec.earliest());
    Map<Integer, Long> end = offsets(OffsetSpec.latest());
    Map<String, List<Position>> byLane = new HashMap<>();
    for (Lane lane : lanes) {
      Map<Integer, Long> mine = committed.get(lane.name());
      if (mine == null) {
        continue;
      }
      List<Position> positions = new ArrayList<>();
      for (TopicPartition each : partitions) {
        int partition = each.partition();
        Long at = mine.get(partition);
        long last = end.getOrDefault(partition, 0L);
        long first = start.getOrDefault(partition, 0L);
        positions.add(
            new Position(
                partition, at, last, Math.max(0, last - Math.max(first, at == null ? 0 : at))));
      }
      byLane.put(lane.name(), List.copyOf(positions));
    }
    return byLane;
  }

  private Map<String, Map<Integer, Long>> committed(List<Lane> lanes) throws Unreadable {
    Map<String, ListConsumerGroupOffsetsSpec> asked = new HashMap<>();
    Map<String, Map<Integer, Long>> committed = new HashMap<>();
    for (Lane lane : lanes) {
      if (lane.rule().keeper() == Rule.Keeper.SINK) {
        try {
          committed.put(lane.name(), lane.committed());
        } catch (SinkUnreachable e) {
          LOG.debug("{} keeps its progress in a sink that does not answer", lane.name(), e);
        }
      } else {
        asked.put(lane.groupId(), new ListConsumerGroupOffsetsSpec().topicPartitions(partitions));
      }
    }
    if (asked.isEmpty()) {
      return committed;
    }
    Map<String, Map<TopicPartition, OffsetAndMetadata>> answer =
        await(broker.admin().listConsumerGroupOffsets(asked).all());
    for (Lane lane : lanes) {
      if (lane.rule().keeper() != Rule.Keeper.SINK) {
        Map<Integer, Long> offsets = new HashMap<>();
        answer
            .getOrDefault(lane.groupId(), Map.of())
            .forEach(
                (partition, offset) -> {
                  if (offset != null) {
                    offsets.put(partition.partition(), offset.offset());
                  }
                });
        committed.put(lane.name(), offsets);
      }
    }
    return committed;
  }

  Map<Integer, Long> offsets(OffsetSpec spec) throws Unreadable {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    partitions.forEach(partition -> asked.put(partition, spec));
    Map<TopicPartition, ListOffsetsResultInfo> answer =
        await(broker.admin().listOffsets(asked).all());
    Map<Integer, Long> offsets = new HashMap<>();
    answer.forEach((partition, info) -> offsets.put(partition.partition(), info.offset()));
    return offsets;
  }

  private static <T> T await(org.apache.kafka.common.KafkaFuture<T> future) throws Unreadable {
    try {
      return future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new Unreadable(
          e.getCause() instanceof RetriableException
              ? "The broker does not answer."
              : "The broker does not say where the lanes stand: "
                  + Objects.requireNonNullElse(e.getCause(), e).getMessage(),
          e);
    } catch (TimeoutException e) {
      throw new Unreadable("The broker does not answer.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unreadable("Interrupted while asking the broker.", e);
    }
  }
}
