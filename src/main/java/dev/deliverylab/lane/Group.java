package dev.deliverylab.lane;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.jspecify.annotations.Nullable;

/** A lane's consumer group as the broker knows it, read and moved by Admin. */
final class Group {

  private static final Duration ANSWER = Duration.ofSeconds(15);
  private static final Duration EMPTY = Duration.ofSeconds(15);

  private final Admin admin;
  private final String topic;
  private final int partitions;

  Group(Admin admin, String topic, int partitions) {
    this.admin = admin;
    this.topic = topic;
    this.partitions = partitions;
  }

  /** Committed offsets by partition; a partition without one is not in the answer. */
  Map<Integer, Long> committed(String group) {
    Map<TopicPartition, OffsetAndMetadata> answer =
        await(
            admin
                .listConsumerGroupOffsets(Map.of(group, new ListConsumerGroupOffsetsSpec()))
                .partitionsToOffsetAndMetadata(group));
    Map<Integer, Long> committed = new HashMap<>();
    answer.forEach(
        (partition, offset) -> {
          if (offset != null && partition.topic().equals(topic)) {
            committed.put(partition.partition(), offset.offset());
          }
        });
    return committed;
  }

  Map<Integer, Long> offsets(OffsetSpec spec) {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    for (int partition = 0; partition < partitions; partition++) {
      asked.put(new TopicPartition(topic, partition), spec);
    }
    Map<TopicPartition, ListOffsetsResultInfo> answer = await(admin.listOffsets(asked).all());
    Map<Integer, Long> offsets = new HashMap<>();
    answer.forEach((partition, info) -> offsets.put(partition.partition(), info.offset()));
    return offsets;
  }

  /**
   * Changes nothing.
   *
   * @throws LaneRefused if somebody else's member is in the group
   */
  void refuseForeign(String group, String instanceId) {
    refuseForeign(group, instanceId, describe(group));
  }

  private static void refuseForeign(
      String group, String instanceId, @Nullable ConsumerGroupDescription description) {
    List<MemberDescription> foreign =
        description == null
            ? List.of()
            : description.members().stream()
                .filter(
                    member -> !member.groupInstanceId().equals(java.util.Optional.of(instanceId)))
                .toList();
    if (!foreign.isEmpty()) {
      throw new LaneRefused(
          "the group "
              + group
              + " has a member that is not the lab's: "
              + foreign.stream()
                  .map(member -> member.clientId() + " at " + member.host())
                  .collect(Collectors.joining(", "))
              + ". Stop it, then replay again.");
    }
  }

  /**
   * Makes the group empty: a static member that has gone stays in it until its session ends, so it
   * is removed.
   *
   * @throws LaneRefused if somebody else's member is in the group, or it does not become empty in
   *     time
   */
  void empty(String group, String instanceId) {
    ConsumerGroupDescription description = describe(group);
    refuseForeign(group, instanceId, description);
    if (description != null && !description.members().isEmpty()) {
      remove(group, instanceId);
    }
    long until = System.nanoTime() + EMPTY.toNanos();
    for (description = describe(group);
        description != null && !description.members().isEmpty();
        description = describe(group)) {
      if (System.nanoTime() > until) {
        throw new LaneRefused(
            "the group "
                + group
                + " did not become empty within "
                + EMPTY.toSeconds()
                + " s; nothing was moved");
      }
    }
  }

  private void remove(String group, String instanceId) {
    try {
      await(
          admin
              .removeMembersFromConsumerGroup(
                  group,
                  new RemoveMembersFromConsumerGroupOptions(Set.of(new MemberToRemove(instanceId))))
              .all());
    } catch (LaneUnavailable e) {
      // Its session ended just now, or somebody else was faster.
      if (!(e.getCause() instanceof UnknownMemberIdException)) {
        throw e;
      }
    }
  }

  /** Moves the group's committed offsets. */
  void move(String group, Map<Integer, Long> to) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    to.forEach(
        (partition, offset) ->
            offsets.put(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)));
    await(admin.alterConsumerGroupOffsets(group, offsets).all());
  }

  private @Nullable ConsumerGroupDescription describe(String group) {
    try {
      ConsumerGroupDescription description =
          await(
              Objects.requireNonNull(
                  admin.describeConsumerGroups(List.of(group)).describedGroups().get(group)));
      return description.groupState() == GroupState.DEAD ? null : description;
    } catch (LaneUnavailable e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return null;
      }
      throw e;
    }
  }

  private static <T> T await(KafkaFuture<T> future) {
    try {
      return future.get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new LaneUnavailable("The broker refused: " + cause.getMessage(), cause);
    } catch (TimeoutException e) {
      throw new LaneUnavailable(
          "The broker did not answer within " + ANSWER.toSeconds() + " s.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LaneUnavailable("Interrupted while waiting for the broker.", e);
    }
  }
}
