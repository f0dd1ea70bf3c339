package dev.deliverylab.log;

import dev.deliverylab.DataFolder;
import dev.deliverylab.DiskSpace;
import dev.deliverylab.broker.Broker;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The logs, the truth that follows them, and what fills them. */
@Configuration(proxyBeanMethods = false)
class LogConfiguration {

  @Bean(destroyMethod = "close")
  OrderLogs orderLogs(Broker broker, DiskSpace disk) {
    return new OrderLogs(broker, disk::require);
  }

  @Bean(destroyMethod = "close")
  StoredTruth truth(DataSource database, Broker broker) {
    return new StoredTruth(database, broker);
  }

  @Bean
  OrderIds orderIds(StoredTruth truth) {
    return new OrderIds(truth);
  }

  @Bean(destroyMethod = "close")
  Load load(OrderIds ids) {
    return new Load(ids);
  }

  @Bean
  Imports imports(DataFolder folder) {
    return new Imports(folder.path());
  }
}
