package dev.deliverylab.broker;

import dev.deliverylab.DataFolder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Chooses the broker. Everything that talks to it depends on the bean, so it starts first and
 * closes last.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(KafkaSettings.class)
class BrokerConfiguration {

  @Bean(destroyMethod = "close")
  Broker broker(KafkaSettings settings, DataFolder data) {
    Names names = new Names(settings.prefix());
    return settings.bootstrapServers().isBlank()
        ? EmbeddedBroker.start(data.room("kafka"), settings.port(), names)
        : ExistingCluster.connect(settings.bootstrapServers(), names);
  }

  @Bean
  Topics topics(Broker broker) {
    return new Topics(broker);
  }
}
