package dev.deliverylab.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.deliverylab.DataFolder;
import java.io.File;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the embedded broker keeps over a stop and over a sudden death, and what it says when it
 * cannot start.
 */
class EmbeddedBrokerRestartIT {

  private static final Names NAMES = new Names("delivery-lab.");
  private static final String GROUP = NAMES.group(1, "at-least-once", 1);

  @TempDir Path folder;

  /** Appends five records and commits the position after the third. */
  private static void work(Broker broker) {
    new Topics(broker).create(NAMES.log(1), 1);
    Clients.append(broker.bootstrapServers(), NAMES.log(1), "a", "b", "c", "d", "e");
    try (var consumer =
        Clients.consumer(broker.laneBootstrapServers(), Map.of("group.id", GROUP))) {
      TopicPartition partition = new TopicPartition(NAMES.log(1), 0);
      consumer.assign(List.of(partition));
      consumer.commitSync(Map.of(partition, new OffsetAndMetadata(3)));
    }
  }

  private void allIsThere() throws Exception {
    try (EmbeddedBroker broker = start(0);
        var consumer = Clients.consumer(broker.laneBootstrapServers(), Map.of("group.id", GROUP))) {
      Topics topics = new Topics(broker);
      assertThat(topics.topics()).containsExactly(NAMES.log(1));
      assertThat(topics.groups()).containsExactly(GROUP);
      TopicPartition partition = new TopicPartition(NAMES.log(1), 0);
      consumer.assign(List.of(partition));
      assertThat(Clients.read(consumer, 2)).containsExactly("d", "e");
      consumer.seekToBeginning(List.of(partition));
      assertThat(Clients.read(consumer, 5)).containsExactly("a", "b", "c", "d", "e");
      // And it can go on.
      Clients.append(broker.laneBootstrapServers(), NAMES.log(1), "f");
      assertThat(Clients.read(consumer, 1)).containsExactly("f");
    }
  }

  private EmbeddedBroker start(int port) {
    long begun = System.nanoTime();
    EmbeddedBroker broker = EmbeddedBroker.start(folder, port, NAMES);
    System.out.printf("Started after %d ms%n", (System.nanoTime() - begun) / 1_000_000);
    return broker;
  }

  @Test
  void everythingSurvivesAStopAlthoughThePortsChange() throws Exception {
    String first;
    try (EmbeddedBroker broker = start(0)) {
      first = broker.bootstrapServers();
      work(broker);
    }
    // Somebody else takes the old port meanwhile.
    int port = Address.list(first).get(0).port();
    try (ServerSocket other = new ServerSocket(port, 1, Address.loopback())) {
      assertThat(other.isBound()).isTrue();
      allIsThere();
    }
  }

  /** Runs in a process of its own: works, then dies at once without any clean-up. */
  static final class Halting {
    public static void main(String[] args) {
      work(EmbeddedBroker.start(Path.of(args[0]), 0, NAMES));
      Runtime.getRuntime().halt(137);
    }
  }

  @Test
  void everythingAcknowledgedSurvivesASuddenDeath() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                Halting.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(child.exitValue()).isEqualTo(137);
    } finally {
      child.destroyForcibly();
    }
    assertThat(folder.resolve(".kafka_cleanshutdown")).doesNotExist();
    allIsThere();
  }

  @Test
  void aSecondBrokerOnTheFolderIsRefusedAndTheFirstGoesOn() throws Exception {
    try (EmbeddedBroker broker = start(0)) {
      assertThatThrownBy(() -> start(0))
          .isInstanceOf(DataFolder.Unusable.class)
          .hasMessageStartingWith("Another instance of the lab uses " + folder)
          .hasMessageContaining("lab.data-dir");
      work(broker);
    }
    allIsThere();
  }

  @Test
  void aTakenPortIsNamed() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, Address.loopback())) {
      assertThatThrownBy(() -> start(other.getLocalPort()))
          .isInstanceOf(BrokerUnavailable.class)
          .hasMessageStartingWith("Port " + other.getLocalPort() + " is taken")
          .hasMessageContaining("lab.kafka.port");
    }
  }

  @Test
  void aSetPortIsUsed() throws Exception {
    int port;
    try (ServerSocket probe = new ServerSocket(0, 1, Address.loopback())) {
      port = probe.getLocalPort();
    }
    try (EmbeddedBroker broker = start(port)) {
      assertThat(broker.bootstrapServers()).isEqualTo("127.0.0.1:" + port);
    }
  }

  @Test
  void aFolderThatCannotBeMadeIsNamed() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> EmbeddedBroker.start(file.resolve("kafka"), 0, NAMES))
        .isInstanceOf(DataFolder.Unusable.class)
        .hasMessageStartingWith("The lab cannot write to ");
  }

  @Test
  void aFolderThatIsNotWritableIsNamed() {
    File locked = folder.resolve("locked").toFile();
    assertThat(locked.mkdir() && locked.setWritable(false)).isTrue();
    try {
      assumeFalse(
          Files.isWritable(locked.toPath()), "Skipped: this user (root) may write everywhere.");
      assertThatThrownBy(() -> EmbeddedBroker.start(locked.toPath(), 0, NAMES))
          .isInstanceOf(DataFolder.Unusable.class)
          .hasMessageStartingWith("The lab cannot write to ");
    } finally {
      assertThat(locked.setWritable(true)).isTrue();
    }
  }
}
