package dev.deliverylab.broker;

import java.nio.file.Path;
import org.apache.kafka.clients.admin.Admin;

/** The embedded broker for the tests of other rooms: started in a folder, closed by the test. */
public final class BrokerInFolder implements Broker, AutoCloseable {

  private final EmbeddedBroker broker;

  public BrokerInFolder(Path folder) {
    this(folder, 0);
  }

  /**
   * @param port 0 for a free one
   */
  public BrokerInFolder(Path folder, int port) {
    this.broker = EmbeddedBroker.start(folder, port, new Names("proof."));
  }

  /** How many of the lanes' connections are open. */
  public int laneConnections() {
    return broker.relay().connections();
  }

  @Override
  public String bootstrapServers() {
    return broker.bootstrapServers();
  }

  @Override
  public String laneBootstrapServers() {
    return broker.laneBootstrapServers();
  }

  @Override
  public Admin admin() {
    return broker.admin();
  }

  @Override
  public Names names() {
    return broker.names();
  }

  @Override
  public void cut(Scope scope, String lane, int life) {
    broker.cut(scope, lane, life);
  }

  @Override
  public void close() {
    broker.close();
  }
}
