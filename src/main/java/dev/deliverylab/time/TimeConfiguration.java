package dev.deliverylab.time;

import dev.deliverylab.DataFolder;
import dev.deliverylab.broker.Broker;
import dev.deliverylab.broker.Topics;
import dev.deliverylab.history.History;
import dev.deliverylab.history.Journal;
import dev.deliverylab.lane.Lanes;
import dev.deliverylab.lane.Pace;
import dev.deliverylab.lane.Retries;
import dev.deliverylab.sink.Sinks;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import tools.jackson.databind.json.JsonMapper;

/** The time room: its lanes have a history of their own, as they have resets of their own. */
@Configuration(proxyBeanMethods = false)
class TimeConfiguration {

  private static final int JOURNAL_BYTES = 4 << 20;

  @Bean
  TimeMetrics timeMetrics(TimeLab time) {
    return new TimeMetrics(time);
  }

  @Bean(destroyMethod = "close")
  Retries timeRetries(TimeLab time) {
    return new Retries(time::lanes, time::retry);
  }

  @Bean(destroyMethod = "close")
  TimeLab timeLab(
      DataFolder folder,
      Broker broker,
      Topics topics,
      Sinks sinks,
      Pace pace,
      JdbcAggregateOperations database,
      JsonMapper json,
      Clock clock) {
    History history =
        new History(new Journal(folder.room("time-history"), JOURNAL_BYTES, json), clock);
    return new TimeLab(
        broker,
        topics,
        sinks,
        new Lanes(broker, history, pace, database, clock),
        history,
        database,
        clock);
  }
}
