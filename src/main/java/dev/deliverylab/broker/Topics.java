package dev.deliverylab.broker;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * The lab's topics and groups at the broker. A name outside the prefix is refused before anything
 * is sent.
 */
public final class Topics {

  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
  private static final long ANSWER_TIMEOUT_S = 20;

  private final Broker broker;

  public Topics(Broker broker) {
    this.broker = broker;
  }

  /**
   * Creates a topic for orders. Their records carry the event time as timestamp, so any time is
   * accepted, and none is too old to be kept.
   *
   * @param partitions from 1
   */
  public void create(String topic, int partitions) {
    refuseForeign(List.of(topic));
    NewTopic orders =
        new NewTopic(topic, Optional.of(partitions), Optional.empty())
            .configs(
                Map.of(
                    TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime",
                    TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG,
                        String.valueOf(Long.MAX_VALUE),
                    TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
                        String.valueOf(Long.MAX_VALUE),
                    TopicConfig.RETENTION_MS_CONFIG, "-1",
                    TopicConfig.RETENTION_BYTES_CONFIG, "-1"));
    answer(broker.admin().createTopics(List.of(orders)).all());
    // The answer comes from the controller; the broker's own view may follow a moment later.
    await("topic " + topic + " to appear", () -> topics().contains(topic));
  }

  /** Deletes topics and returns when they are gone. One that does not exist is gone already. */
  public void delete(Collection<String> topics) {
    refuseForeign(topics);
    for (KafkaFuture<Void> deleted :
        broker.admin().deleteTopics(topics).topicNameValues().values()) {
      try {
        answer(deleted);
      } catch (BrokerUnavailable e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
      }
    }
    await("topics " + topics + " to go", () -> topics().stream().noneMatch(topics::contains));
  }

  /**
   * Deletes groups with their offsets, members that are still listed included, and returns when
   * they are gone.
   */
  public void deleteGroups(Collection<String> groups) {
    refuseForeign(groups);
    Set<String> present = groups();
    for (String group : groups) {
      if (present.contains(group)) {
        deleteGroup(group);
      }
    }
    await("groups " + groups + " to go", () -> groups().stream().noneMatch(groups::contains));
  }

  private void deleteGroup(String group) {
    // A static member that died stays in its group until its session ends, and a group with members
    // is not deleted.
    Admin admin = broker.admin();
    try {
      boolean empty =
          answer(admin.describeConsumerGroups(List.of(group)).all()).values().stream()
              .allMatch(description -> description.members().isEmpty());
      if (!empty) {
        answer(
            admin
                .removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions())
                .all());
      }
      answer(admin.deleteConsumerGroups(List.of(group)).all());
    } catch (BrokerUnavailable e) {
      // Members that leave by themselves meanwhile, or a group that somebody else deletes, are what
      // is wanted.
      if (!(e.getCause() instanceof GroupIdNotFoundException
          || e.getCause() instanceof UnknownMemberIdException)) {
        throw e;
      }
    }
  }

  /** The lab's topics, in alphabetical order. */
  public Set<String> topics() {
    return owned(answer(broker.admin().listTopics().names()));
  }

  /** The lab's groups, in alphabetical order. */
  public Set<String> groups() {
    return owned(
        answer(broker.admin().listGroups().all()).stream().map(GroupListing::groupId).toList());
  }

  /**
   * How many bytes each of the lab's topics takes on the disks of all nodes, in alphabetical order.
   */
  public Map<String, Long> bytes() {
    Admin admin = broker.admin();
    var nodes = answer(admin.describeCluster().nodes()).stream().map(Node::id).toList();
    Map<String, Long> bytes = new TreeMap<>();
    for (var folders : answer(admin.describeLogDirs(nodes).allDescriptions()).values()) {
      for (var folder : folders.values()) {
        folder
            .replicaInfos()
            .forEach(
                (partition, replica) -> {
                  if (broker.names().owns(partition.topic())) {
                    bytes.merge(partition.topic(), replica.size(), Long::sum);
                  }
                });
      }
    }
    return bytes;
  }

  private Set<String> owned(Collection<String> all) {
    Set<String> owned = new TreeSet<>(all);
    owned.removeIf(name -> !broker.names().owns(name));
    return owned;
  }

  private void refuseForeign(Collection<String> all) {
    for (String name : all) {
      if (!broker.names().owns(name)) {
        throw new IllegalArgumentException(
            "'"
                + name
                + "' does not start with '"
                + broker.names().prefix()
                + "', so it is not the lab's to touch.");
      }
    }
  }

  private static <T> T answer(KafkaFuture<T> future) {
    try {
      return future.get(ANSWER_TIMEOUT_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new BrokerUnavailable("The broker did not do it: " + cause.getMessage(), cause);
    } catch (TimeoutException e) {
      throw new BrokerUnavailable("The broker does not answer. Look whether it runs.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BrokerUnavailable("Interrupted while the broker was asked.", e);
    }
  }

  /** Kafka has no signal for this, so the broker is asked until it is so. */
  private static void await(String what, BooleanSupplier done) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!done.getAsBoolean()) {
      if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
        throw new BrokerUnavailable("Waited in vain for " + what + ".");
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }
}
