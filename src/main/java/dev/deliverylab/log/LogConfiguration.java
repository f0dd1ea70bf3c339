package dev.deliverylab.log;

import dev.deliverylab.broker.Broker;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The logs and the truth that follows them. */
@Configuration(proxyBeanMethods = false)
class LogConfiguration {

  @Bean(destroyMethod = "close")
  OrderLogs orderLogs(Broker broker) {
    return new OrderLogs(broker);
  }

  @Bean(destroyMethod = "close")
  StoredTruth truth(DataSource database, Broker broker) {
    return new StoredTruth(database, broker);
  }
}
