package dev.deliverylab.broker;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which cluster the lab runs on.
 *
 * @param bootstrapServers an existing cluster, as host:port, several separated by commas; empty:
 *     the lab starts its own broker
 * @param prefix with which the name of everything starts that the lab creates at the cluster
 * @param port where the lab's own broker listens; 0: a free one at each start
 */
@ConfigurationProperties("lab.kafka")
record KafkaSettings(
    @DefaultValue("") String bootstrapServers,
    @DefaultValue("delivery-lab.") String prefix,
    @DefaultValue("0") int port) {

  KafkaSettings {
    // Without a prefix everything at the cluster would be the lab's, and could be removed.
    if (!prefix.matches("[a-zA-Z0-9._-]{1,60}")) {
      throw new BrokerUnavailable(
          "lab.kafka.prefix is '"
              + prefix
              + "'. It must have 1 to 60 letters, digits, dots, dashes or underscores.");
    }
    if (port < 0 || port > 65535) {
      throw new BrokerUnavailable(
          "lab.kafka.port is " + port + ". It must be 0 for a free port, or 1 to 65535.");
    }
  }
}
