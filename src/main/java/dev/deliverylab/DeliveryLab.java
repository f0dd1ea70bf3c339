package dev.deliverylab;

import dev.deliverylab.scenario.ScenarioCommand;
import java.time.Clock;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * The service: a broker, a database, ten lanes and the pages that show them, in one process. Boot's
 * own Kafka clients are left out: every lane brings its consumer, and the log its producer.
 */
@SpringBootApplication(exclude = KafkaAutoConfiguration.class)
public class DeliveryLab {

  public static void main(String[] args) {
    if (ScenarioCommand.isAskedFor(args)) {
      System.exit(ScenarioCommand.run(DeliveryLab.class, args));
    }
    SpringApplication.run(DeliveryLab.class, args);
  }

  @Bean
  Clock clock() {
    return Clock.systemUTC();
  }
}
