package dev.deliverylab.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.junit.jupiter.api.Test;

/** What the lab needs of a broker, wherever it runs. */
interface BrokerContract {

  /** Running, for the whole suite. */
  Broker broker();

  /** An experiment that no other test uses. */
  default long experiment() {
    return ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
  }

  default String newLog(long experiment, int partitions) {
    String topic = broker().names().log(experiment);
    new Topics(broker()).create(topic, partitions);
    return topic;
  }

  /**
   * A lane's consumer as the tests need it: it commits by itself, soonest on close, and rejoins as
   * the same member.
   */
  default KafkaConsumer<String, String> lane(long experiment, int life) {
    return Clients.consumer(
        broker().laneBootstrapServers(),
        Map.of(
            "group.id", broker().names().group(experiment, "auto-commit", 1),
            "group.instance.id", "auto-commit",
            "client.id", broker().names().client(experiment, "auto-commit", life) + "-0",
            "enable.auto.commit", "true",
            "auto.commit.interval.ms", "3600000",
            "session.timeout.ms", "30000"));
  }

  default Optional<Long> committed(String group, String topic) throws Exception {
    try {
      OffsetAndMetadata offset =
          broker()
              .admin()
              .listConsumerGroupOffsets(group)
              .partitionsToOffsetAndMetadata()
              .get(20, TimeUnit.SECONDS)
              .get(new TopicPartition(topic, 0));
      return Optional.ofNullable(offset).map(OffsetAndMetadata::offset);
    } catch (java.util.concurrent.ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  default List<String> members(String group) throws Exception {
    return broker()
        .admin()
        .describeConsumerGroups(List.of(group))
        .describedGroups()
        .get(group)
        .get(20, TimeUnit.SECONDS)
        .members()
        .stream()
        .map(member -> member.clientId())
        .toList();
  }

  @Test
  default void appendsReadsCommitsAndDeletes() throws Exception {
    long experiment = experiment();
    String topic = newLog(experiment, 2);
    String group = broker().names().group(experiment, "at-least-once", 1);
    Topics topics = new Topics(broker());
    Clients.append(broker().laneBootstrapServers(), topic, "a", "b", "c");
    try (var consumer =
        Clients.consumer(broker().laneBootstrapServers(), Map.of("group.id", group))) {
      consumer.subscribe(List.of(topic));
      assertThat(Clients.read(consumer, 3)).containsExactlyInAnyOrder("a", "b", "c");
      consumer.commitSync();
      assertThat(topics.groups()).contains(group);
      assertThat(topics.bytes().get(topic)).isPositive();
    }
    var offsets =
        broker().admin().listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
    assertThat(offsets.values().stream().mapToLong(OffsetAndMetadata::offset).sum()).isEqualTo(3);

    topics.deleteGroups(List.of(group));
    topics.delete(List.of(topic));

    assertThat(topics.topics()).doesNotContain(topic);
    assertThat(topics.groups()).doesNotContain(group);
    topics.delete(List.of(topic));
    topics.deleteGroups(List.of(group));
  }

  @Test
  default void keepsOrdersOfAnyTime() throws Exception {
    String topic = newLog(experiment(), 1);
    try (var producer = Clients.producer(broker().laneBootstrapServers(), Map.of())) {
      for (long time : new long[] {0, 1_767_517_200_000L, 4_102_444_800_000L}) {
        producer.send(new ProducerRecord<>(topic, null, time, null, "x")).get(20, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  default void aNameOutsideThePrefixIsNeverTouched() throws Exception {
    Topics topics = new Topics(broker());
    String foreign = "somebody-elses-" + experiment();
    Admin admin = broker().admin();
    admin
        .createTopics(List.of(new NewTopic(foreign, 1, (short) 1)))
        .all()
        .get(20, TimeUnit.SECONDS);
    try {
      assertThatThrownBy(() -> topics.create(foreign + "-2", 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(broker().names().prefix());
      assertThatThrownBy(() -> topics.delete(List.of(foreign)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> topics.deleteGroups(List.of(foreign)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(topics.topics()).doesNotContain(foreign);
      assertThat(admin.listTopics().names().get(20, TimeUnit.SECONDS)).contains(foreign);
    } finally {
      admin.deleteTopics(List.of(foreign)).all().get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  default void aCutLifeCommitsNothingAndDoesNotLeave() throws Exception {
    long experiment = experiment();
    String topic = newLog(experiment, 1);
    String group = broker().names().group(experiment, "auto-commit", 1);
    Clients.append(broker().bootstrapServers(), topic, "a", "b", "c", "d", "e");
    var consumer = lane(experiment, 1);
    consumer.subscribe(List.of(topic));
    assertThat(Clients.read(consumer, 5)).hasSize(5);

    broker().cut(experiment, "auto-commit", 1);
    consumer.close(CloseOptions.timeout(Duration.ofSeconds(2)));

    assertThat(committed(group, topic)).isEmpty();
    assertThat(members(group))
        .containsExactly(broker().names().client(experiment, "auto-commit", 1) + "-0");
  }

  /** The negative control of the test above: it would see the commit. */
  @Test
  default void withoutTheCutTheSameCloseCommits() throws Exception {
    long experiment = experiment();
    String topic = newLog(experiment, 1);
    String group = broker().names().group(experiment, "auto-commit", 1);
    Clients.append(broker().bootstrapServers(), topic, "a", "b", "c", "d", "e");
    var consumer = lane(experiment, 1);
    consumer.subscribe(List.of(topic));
    assertThat(Clients.read(consumer, 5)).hasSize(5);

    consumer.close(CloseOptions.timeout(Duration.ofSeconds(2)));

    assertThat(committed(group, topic)).contains(5L);
  }

  /** And it would see the member leave: a member without an instance id says good-bye on close. */
  @Test
  default void withoutTheCutAMemberLeaves() throws Exception {
    long experiment = experiment();
    String topic = newLog(experiment, 1);
    for (int life = 1; life <= 2; life++) {
      String group = broker().names().group(experiment, "at-least-once", life);
      String client = broker().names().client(experiment, "at-least-once", life);
      var consumer =
          Clients.consumer(
              broker().laneBootstrapServers(), Map.of("group.id", group, "client.id", client));
      consumer.subscribe(List.of(topic));
      await()
          .pollInSameThread()
          .until(
              () ->
                  consumer.poll(Duration.ofMillis(100)) != null
                      && !consumer.assignment().isEmpty());
      if (life == 2) {
        broker().cut(experiment, "at-least-once", life);
      }
      consumer.close(CloseOptions.timeout(Duration.ofSeconds(2)));
      assertThat(members(group)).hasSize(life == 2 ? 1 : 0);
    }
  }

  @Test
  default void aDeadLifeIsRefusedForEverAndTheNextOneIsNot() throws Exception {
    long experiment = experiment();
    String topic = newLog(experiment, 1);
    String group = broker().names().group(experiment, "auto-commit", 1);
    Clients.append(broker().bootstrapServers(), topic, "a", "b");
    var first = lane(experiment, 1);
    first.subscribe(List.of(topic));
    assertThat(Clients.read(first, 2)).hasSize(2);
    broker().cut(experiment, "auto-commit", 1);

    try (var second = lane(experiment, 2)) {
      second.subscribe(List.of(topic));
      assertThat(Clients.read(second, 2)).containsExactly("a", "b");
      // The old client still tries, on new connections, while the next life works.
      first.poll(Duration.ofMillis(500));
      assertThatThrownBy(() -> first.commitSync(Duration.ofSeconds(1)))
          .isInstanceOf(org.apache.kafka.common.errors.TimeoutException.class);
      first.close(CloseOptions.timeout(Duration.ZERO));
      assertThat(committed(group, topic)).isEmpty();
      second.commitSync();
    }
    assertThat(committed(group, topic)).contains(2L);

    // An earlier life never comes back, nor does one that was never seen alive.
    broker().cut(experiment, "auto-commit", 12);
    for (int life : new int[] {1, 3, 12}) {
      try (var late = lane(experiment, life)) {
        assertThatThrownBy(() -> late.partitionsFor(topic, Duration.ofSeconds(1)))
            .isInstanceOf(org.apache.kafka.common.errors.TimeoutException.class);
      }
    }
    try (var next = lane(experiment, 13)) {
      assertThat(next.partitionsFor(topic, Duration.ofSeconds(20))).hasSize(1);
    }
  }

  @Test
  default void cuttingOneLaneLeavesTheOthersAlone() throws Exception {
    long experiment = experiment();
    String topic = newLog(experiment, 1);
    Clients.append(broker().bootstrapServers(), topic, "a");
    try (var consumer = lane(experiment, 1)) {
      consumer.subscribe(List.of(topic));
      assertThat(Clients.read(consumer, 1)).hasSize(1);
      broker().cut(experiment, "auto-commit-handoff", 1);
      broker().cut(experiment + 1, "auto-commit", 1);
      consumer.commitSync(Duration.ofSeconds(20));
    }
  }

  @Test
  default void aTransactionCutOffIsAbortedByTheNextLife() throws Exception {
    long experiment = experiment();
    String topic = newLog(experiment, 1);
    String transaction = broker().names().group(experiment, "kafka-tx", 1);
    var first = transactional(experiment, 1, transaction);
    first.initTransactions();
    first.beginTransaction();
    first.send(new ProducerRecord<>(topic, "half")).get(20, TimeUnit.SECONDS);
    broker().cut(experiment, "kafka-tx", 1);
    first.close(Duration.ZERO);

    try (var second = transactional(experiment, 2, transaction)) {
      second.initTransactions();
      second.beginTransaction();
      second.send(new ProducerRecord<>(topic, "whole")).get(20, TimeUnit.SECONDS);
      second.commitTransaction();
    }
    try (var reader =
        Clients.consumer(
            broker().laneBootstrapServers(), Map.of("isolation.level", "read_committed"))) {
      TopicPartition partition = new TopicPartition(topic, 0);
      reader.assign(List.of(partition));
      reader.seekToBeginning(List.of(partition));
      assertThat(Clients.read(reader, 1)).containsExactly("whole");
    }
  }

  private KafkaProducer<String, String> transactional(long experiment, int life, String id) {
    return Clients.producer(
        broker().laneBootstrapServers(),
        Map.of(
            "transactional.id",
            id,
            "client.id",
            broker().names().client(experiment, "kafka-tx", life),
            "max.block.ms",
            20_000));
  }

  /**
   * Whatever a client asks, the nodes it hears of are the relay's doors, so it never connects to
   * the broker itself.
   */
  @Test
  default void aClientOfTheRelayHearsOnlyOfTheRelay() throws Exception {
    long experiment = experiment();
    String topic = newLog(experiment, 1);
    String group = broker().names().group(experiment, "at-least-once", 1);
    List<Address> direct = Address.list(broker().bootstrapServers());
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker().laneBootstrapServers()));
        var consumer =
            Clients.consumer(broker().laneBootstrapServers(), Map.of("group.id", group))) {
      List<Node> heard = new ArrayList<>(admin.describeCluster().nodes().get(20, TimeUnit.SECONDS));
      heard.add(consumer.partitionsFor(topic).get(0).leader());
      consumer.subscribe(List.of(topic));
      await()
          .pollInSameThread()
          .until(
              () ->
                  consumer.poll(Duration.ofMillis(100)) != null
                      && !consumer.assignment().isEmpty());
      heard.add(
          admin
              .describeConsumerGroups(List.of(group))
              .describedGroups()
              .get(group)
              .get(20, TimeUnit.SECONDS)
              .coordinator());

      assertThat(heard)
          .hasSizeGreaterThanOrEqualTo(3)
          .allSatisfy(
              node -> {
                assertThat(node.host()).isEqualTo(Address.LOOPBACK);
                assertThat(direct).doesNotContain(new Address(node.host(), node.port()));
              });
    }
    // The negative control: without the relay the same question names the broker.
    assertThat(broker().admin().describeCluster().nodes().get(20, TimeUnit.SECONDS))
        .noneSatisfy(
            node ->
                assertThat(Address.list(broker().laneBootstrapServers()))
                    .contains(new Address(node.host(), node.port())));
  }

  @Test
  default void largeResponsesPass() throws Exception {
    String topic = newLog(experiment(), 1);
    String large = "x".repeat(900_000);
    Clients.append(
        broker().laneBootstrapServers(),
        topic,
        IntStream.range(0, 16).mapToObj(i -> i + large).toArray(String[]::new));
    try (var consumer =
        Clients.consumer(
            broker().laneBootstrapServers(),
            Map.of("fetch.min.bytes", 8_000_000, "max.partition.fetch.bytes", 16_000_000))) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      List<String> values = Clients.read(consumer, 16);
      assertThat(values).hasSize(16);
      for (int i = 0; i < 16; i++) {
        assertThat(values.get(i)).hasSize((i + large).length()).startsWith(i + "x");
      }
      double largest =
          consumer.metrics().values().stream()
              .filter(metric -> metric.metricName().name().equals("fetch-size-max"))
              .mapToDouble(metric -> ((Number) metric.metricValue()).doubleValue())
              .max()
              .orElse(0);
      assertThat(largest).as("bytes of the largest fetch").isGreaterThan(4_000_000);
    }
  }

  @Test
  default void twentyClientsAtOnce() throws Exception {
    long experiment = experiment();
    String topic = newLog(experiment, 1);
    var pool = Executors.newFixedThreadPool(20);
    try {
      List<Future<List<String>>> readers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        String client = broker().names().client(experiment, "lane-" + i, 1);
        readers.add(
            pool.submit(
                () -> {
                  Clients.append(broker().laneBootstrapServers(), topic, client);
                  try (var consumer =
                      Clients.consumer(
                          broker().laneBootstrapServers(),
                          Map.of("client.id", client, "group.id", client))) {
                    consumer.subscribe(List.of(topic));
                    return Clients.read(consumer, 20);
                  }
                }));
      }
      List<String> expected =
          IntStream.range(0, 20)
              .mapToObj(i -> broker().names().client(experiment, "lane-" + i, 1))
              .toList();
      for (Future<List<String>> reader : readers) {
        assertThat(reader.get(90, TimeUnit.SECONDS)).containsExactlyInAnyOrderElementsOf(expected);
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
