package dev.deliverylab.broker;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract, on the broker inside the process. */
class EmbeddedBrokerIT implements BrokerContract {

  @TempDir static Path folder;
  static EmbeddedBroker broker;

  @BeforeAll
  static void start() {
    long begun = System.nanoTime();
    broker = EmbeddedBroker.start(folder, 0, new Names("delivery-lab."));
    System.out.printf(
        "The embedded broker answers after %d ms%n", (System.nanoTime() - begun) / 1_000_000);
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Override
  public Broker broker() {
    return broker;
  }
}
