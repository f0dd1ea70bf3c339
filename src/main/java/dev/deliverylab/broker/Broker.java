package dev.deliverylab.broker;

import org.apache.kafka.clients.admin.Admin;

/**
 * The Kafka cluster that the lab runs on, inside the process or elsewhere, and the relay through
 * which lanes reach it.
 */
public interface Broker {

  /** The address for the lab's own clients: truth reader, producer, admin. */
  String bootstrapServers();

  /** The address for lanes: the relay, which can cut a life off. */
  String laneBootstrapServers();

  /** One admin client for the whole lab, safe for use by many threads. */
  Admin admin();

  Names names();

  /**
   * Cuts every connection of this life of the lane and of all its earlier lives, and refuses them
   * for ever. When this returns, no byte that the life sends later reaches the broker.
   */
  void cut(Scope scope, String lane, int life);

  /** The same for a lane of an experiment. */
  default void cut(long experiment, String lane, int life) {
    cut(names().experiment(experiment), lane, life);
  }
}
