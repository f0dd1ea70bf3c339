package dev.deliverylab.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that is not there, or goes and comes back. */
class LostClusterIT {

  private static final Names NAMES = new Names("delivery-lab.");

  @TempDir Path folder;

  @Test
  void aClusterThatDoesNotAnswerIsNamed() throws Exception {
    int unused;
    try (ServerSocket probe = new ServerSocket(0, 1, Address.loopback())) {
      unused = probe.getLocalPort();
    }
    assertThatThrownBy(() -> ExistingCluster.connect("127.0.0.1:" + unused, NAMES))
        .isInstanceOf(BrokerUnavailable.class)
        .hasMessageStartingWith("No Kafka broker answers at 127.0.0.1:" + unused)
        .hasMessageContaining("lab.kafka.bootstrap-servers");
  }

  @Test
  void aClusterThatComesBackIsFoundAgain() throws Exception {
    EmbeddedBroker elsewhere = EmbeddedBroker.start(folder, 0, NAMES);
    int port = Address.list(elsewhere.bootstrapServers()).get(0).port();
    try (ExistingCluster cluster = ExistingCluster.connect(elsewhere.bootstrapServers(), NAMES);
        var lane =
            Clients.consumer(
                cluster.laneBootstrapServers(),
                Map.of("group.id", "delivery-lab.g", "client.id", NAMES.client(1, "a", 1)))) {
      Topics topics = new Topics(cluster);
      topics.create(NAMES.log(1), 1);
      Clients.append(cluster.laneBootstrapServers(), NAMES.log(1), "a");
      lane.assign(List.of(new TopicPartition(NAMES.log(1), 0)));
      assertThat(Clients.read(lane, 1)).containsExactly("a");

      elsewhere.close();
      // The relay does not pretend: where the node is gone, the client's connections go too.
      await().until(() -> cluster.relay().connections() == 0);
      assertThat(lane.poll(Duration.ofMillis(300))).isEmpty();

      elsewhere = EmbeddedBroker.start(folder, port, NAMES);
      await()
          .atMost(Duration.ofSeconds(30))
          .ignoreException(BrokerUnavailable.class)
          .until(() -> topics.topics().contains(NAMES.log(1)));
      Clients.append(cluster.laneBootstrapServers(), NAMES.log(1), "b");
      assertThat(Clients.read(lane, 1)).containsExactly("b");
    } finally {
      elsewhere.close();
    }
  }
}
