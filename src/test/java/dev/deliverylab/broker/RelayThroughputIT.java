package dev.deliverylab.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prints what the relay costs, against a direct connection in the same run. Only that all arrived
 * is asserted.
 */
class RelayThroughputIT {

  private static final int RECORDS = 1_000_000;
  private static final int COMMITS = 500;
  private static final Names NAMES = new Names("delivery-lab.");

  @TempDir Path folder;

  @Test
  void relayAgainstDirect() {
    try (EmbeddedBroker broker = EmbeddedBroker.start(folder, 0, NAMES)) {
      new Topics(broker).create(NAMES.log(1), 1);
      try (var producer = Clients.producer(broker.bootstrapServers(), Map.of("linger.ms", 5))) {
        String order = "x".repeat(100);
        for (int i = 0; i < RECORDS; i++) {
          var unused = producer.send(new ProducerRecord<>(NAMES.log(1), order));
        }
      }
      // The first rounds warm both up, and who goes first changes: the second one finds the pages
      // in memory.
      for (int round = 1; round <= 6; round++) {
        boolean relayFirst = round % 2 == 0;
        double first = recordsPerSecond(servers(broker, relayFirst));
        double second = recordsPerSecond(servers(broker, !relayFirst));
        double direct = relayFirst ? second : first;
        double relayed = relayFirst ? first : second;
        double commitFirst = millisPerCommit(servers(broker, relayFirst));
        double commitSecond = millisPerCommit(servers(broker, !relayFirst));
        System.out.printf(
            "Round %d, %s first: read %,.0f records/s direct, %,.0f through the relay (ratio %.2f);"
                + " a commit %.2f ms direct, %.2f ms through the relay%n",
            round,
            relayFirst ? "relay" : "direct",
            direct,
            relayed,
            relayed / direct,
            relayFirst ? commitSecond : commitFirst,
            relayFirst ? commitFirst : commitSecond);
      }
    }
  }

  private static String servers(Broker broker, boolean relay) {
    return relay ? broker.laneBootstrapServers() : broker.bootstrapServers();
  }

  private static double recordsPerSecond(String servers) {
    TopicPartition partition = new TopicPartition(NAMES.log(1), 0);
    try (var consumer = Clients.consumer(servers, Map.of("max.poll.records", 5_000))) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      int records = consumer.poll(Duration.ofSeconds(10)).count();
      int before = records;
      long begun = System.nanoTime();
      while (records < RECORDS) {
        records += consumer.poll(Duration.ofSeconds(1)).count();
      }
      assertThat(records).isEqualTo(RECORDS);
      return (records - before) / ((System.nanoTime() - begun) / 1e9);
    }
  }

  private static double millisPerCommit(String servers) {
    TopicPartition partition = new TopicPartition(NAMES.log(1), 0);
    try (var consumer =
        Clients.consumer(
            servers, Map.of("group.id", "delivery-lab.commits", "max.poll.records", 1))) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      assertThat(Clients.read(consumer, 1)).isNotEmpty();
      consumer.commitSync();
      long begun = System.nanoTime();
      for (int i = 0; i < COMMITS; i++) {
        consumer.commitSync();
      }
      return (System.nanoTime() - begun) / 1e6 / COMMITS;
    }
  }
}
