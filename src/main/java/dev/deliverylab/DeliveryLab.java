package dev.deliverylab;

import java.time.Clock;
import java.util.ServiceLoader;
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
    for (CommandLine command : ServiceLoader.load(CommandLine.class)) {
      command.run(args).ifPresent(System::exit);
    }
    SpringApplication.run(DeliveryLab.class, args);
  }

  @Bean
  Clock clock() {
    return Clock.systemUTC();
  }
}
