package dev.deliverylab.bench;

import dev.deliverylab.DeliveryLab;
import dev.deliverylab.log.Generator;
import dev.deliverylab.log.OrderIds;
import dev.deliverylab.log.OrderLog;
import dev.deliverylab.log.Truth;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The lab in this very process, so that a measurement can reach what REST does not show. */
record LabInside(ConfigurableApplicationContext context) implements AutoCloseable {

  /** What the names of the sinks' tables begin with. */
  static final String SINK_PREFIX = "bench_";

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  static LabInside start(Path folder) {
    return new LabInside(
        SpringApplication.run(
            DeliveryLab.class,
            "--server.port=0",
            "--logging.level.root=WARN",
            "--lab.sink.prefix=" + SINK_PREFIX,
            "--lab.data-dir=" + folder));
  }

  <T> T part(Class<T> type) {
    return context.getBean(type);
  }

  /** Appends generated orders and returns once the truth has read them. */
  static void generate(OrderLog log, Truth truth, int count) {
    try (OrderIds.Run run = new OrderIds(truth).take(log, count)) {
      log.appendBatched(new Generator(count, 42, 50).orders(run.first()));
    }
    if (!truth.await(log.endOffsets(), PATIENCE)) {
      throw new IllegalStateException("the truth did not read " + count + " records");
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
