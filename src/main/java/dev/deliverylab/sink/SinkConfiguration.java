package dev.deliverylab.sink;

import com.zaxxer.hikari.HikariDataSource;
import dev.deliverylab.DataFolder;
import java.time.Clock;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** The lab's database, and the sinks in it or elsewhere. Spring closes them in reverse order. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SinkSettings.class)
class SinkConfiguration {

  @Bean(destroyMethod = "close")
  LabDatabase labDatabase(DataFolder data) {
    return LabDatabase.open(data.room("h2"));
  }

  @Bean(destroyMethod = "close")
  @Primary
  HikariDataSource dataSource(LabDatabase database) {
    return Pool.dataSource(database.address(), "lab");
  }

  @Bean(destroyMethod = "close")
  Sinks sinks(
      SinkSettings settings, LabDatabase database, HikariDataSource dataSource, Clock clock) {
    if (settings.url().isBlank()) {
      Pool shared = new Pool(database.address(), dataSource);
      return new SqlSinks(shared, settings.prefix(), clock, () -> {});
    }
    SinkAddress elsewhere =
        new SinkAddress(settings.url(), settings.username(), settings.password());
    return Sinks.at(elsewhere, settings.prefix(), clock);
  }
}
