package dev.deliverylab.experiment;

import dev.deliverylab.DeliveryLab;
import java.nio.file.Path;
import java.util.Objects;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole lab on free ports, with its data in a folder of the test. */
final class RunningLab implements AutoCloseable {

  private final ConfigurableApplicationContext context;

  RunningLab(Path dataFolder) {
    context =
        SpringApplication.run(DeliveryLab.class, "--server.port=0", "--lab.data-dir=" + dataFolder);
  }

  Experiments experiments() {
    return context.getBean(Experiments.class);
  }

  /** Where it serves HTTP. */
  int port() {
    return Integer.parseInt(
        Objects.requireNonNull(context.getEnvironment().getProperty("local.server.port")));
  }

  @Override
  public void close() {
    context.close();
  }
}
