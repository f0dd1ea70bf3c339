package dev.deliverylab.broker;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * A cluster that somebody else runs. The lab creates and removes there only what its prefix names.
 */
final class ExistingCluster implements Broker, AutoCloseable {

  private static final long TIMEOUT_S = 10;

  private final Cluster cluster;

  private ExistingCluster(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Returns when the cluster has answered. If it is lost later, the clients find it again by
   * themselves.
   *
   * @param bootstrapServers as host:port, several separated by commas
   * @throws BrokerUnavailable where nothing answers within ten seconds
   */
  static ExistingCluster connect(String bootstrapServers, Names names) {
    Cluster cluster;
    try {
      cluster = new Cluster(Address.list(bootstrapServers), names);
    } catch (KafkaException e) {
      throw notReachable(bootstrapServers, e);
    }
    try {
      cluster.admin().describeCluster().nodes().get(TIMEOUT_S, TimeUnit.SECONDS);
      return new ExistingCluster(cluster);
    } catch (ExecutionException | TimeoutException e) {
      cluster.close();
      throw notReachable(bootstrapServers, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      cluster.close();
      throw notReachable(bootstrapServers, e);
    }
  }

  private static BrokerUnavailable notReachable(String bootstrapServers, Throwable cause) {
    return new BrokerUnavailable(
        "No Kafka broker answers at "
            + bootstrapServers
            + ". Start it or correct lab.kafka.bootstrap-servers; left empty, the lab starts a broker of its own.",
        cause);
  }

  @Override
  public String bootstrapServers() {
    return cluster.bootstrapServers();
  }

  @Override
  public String laneBootstrapServers() {
    return cluster.laneBootstrapServers();
  }

  @Override
  public Admin admin() {
    return cluster.admin();
  }

  @Override
  public Names names() {
    return cluster.names();
  }

  @Override
  public void cut(Scope scope, String lane, int life) {
    cluster.cut(scope, lane, life);
  }

  KafkaRelay relay() {
    return cluster.relay();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
