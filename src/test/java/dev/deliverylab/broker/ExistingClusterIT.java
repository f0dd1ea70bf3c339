package dev.deliverylab.broker;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract, on a cluster that somebody else runs: here a broker that the lab did not start,
 * under another prefix.
 */
class ExistingClusterIT implements BrokerContract {

  @TempDir static Path folder;
  static EmbeddedBroker elsewhere;
  static ExistingCluster cluster;

  @BeforeAll
  static void connect() {
    elsewhere = EmbeddedBroker.start(folder, 0, new Names("elsewhere."));
    cluster = ExistingCluster.connect(elsewhere.bootstrapServers(), new Names("team-a.lab."));
  }

  @AfterAll
  static void disconnect() {
    cluster.close();
    elsewhere.close();
  }

  @Override
  public Broker broker() {
    return cluster;
  }
}
