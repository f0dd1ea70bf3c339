package dev.deliverylab.broker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** A running cluster, the lab's admin client at it, and the relay in front of it. */
final class Cluster implements AutoCloseable {

  private final List<Address> addresses;
  private final List<Address> doors;
  private final Names names;
  private final Admin admin;
  private final KafkaRelay relay = new KafkaRelay();

  Cluster(List<Address> addresses, Names names) {
    this.addresses = List.copyOf(addresses);
    this.names = names;
    doors = relay.doorsTo(addresses);
    admin =
        Admin.create(
            Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers(),
                AdminClientConfig.CLIENT_ID_CONFIG, names.prefix() + "lab",
                // The lab's pages would rather hear soon that the cluster is gone.
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 15_000,
                AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000));
  }

  String bootstrapServers() {
    return Address.join(addresses);
  }

  String laneBootstrapServers() {
    return Address.join(doors);
  }

  Admin admin() {
    return admin;
  }

  Names names() {
    return names;
  }

  KafkaRelay relay() {
    return relay;
  }

  void cut(Scope scope, String lane, int life) {
    Life over = Life.of(scope.client(lane, life));
    if (over == null) {
      throw new IllegalArgumentException("No life " + life + " of lane " + lane);
    }
    relay.cut(over);
  }

  @Override
  public void close() {
    relay.close();
    admin.close(Duration.ZERO);
  }
}
