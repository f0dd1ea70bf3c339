package dev.deliverylab.broker;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;

/** The contract, on Kafka in a container. */
class ContainerClusterIT implements BrokerContract {

  static KafkaContainer kafka;
  static ExistingCluster cluster;

  @BeforeAll
  static void start() {
    assumeTrue(
        DockerClientFactory.instance().isDockerAvailable(),
        "Skipped: Kafka in a container needs Docker, and no Docker answers here.");
    kafka =
        new KafkaContainer("apache/kafka:4.3.1")
            .withEnv("KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS", "0");
    kafka.start();
    cluster = ExistingCluster.connect(kafka.getBootstrapServers(), new Names("delivery-lab."));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
    if (kafka != null) {
      kafka.stop();
    }
  }

  @Override
  public Broker broker() {
    return cluster;
  }
}
