package dev.deliverylab.experiment;

import dev.deliverylab.DataFolder;
import dev.deliverylab.broker.Broker;
import dev.deliverylab.broker.Topics;
import dev.deliverylab.history.History;
import dev.deliverylab.history.Journal;
import dev.deliverylab.lane.Lanes;
import dev.deliverylab.lane.Pace;
import dev.deliverylab.lane.Retries;
import dev.deliverylab.log.Load;
import dev.deliverylab.log.OrderLogs;
import dev.deliverylab.log.StoredTruth;
import dev.deliverylab.sink.Sinks;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import tools.jackson.databind.json.JsonMapper;

/** Puts the rooms together: broker, log, sinks, history and lanes become the current experiment. */
@Configuration(proxyBeanMethods = false)
class ExperimentConfiguration {

  private static final int JOURNAL_BYTES = 8 << 20;

  @Bean(destroyMethod = "close")
  History history(DataFolder folder, JsonMapper json, Clock clock) {
    return new History(new Journal(folder.room("history"), JOURNAL_BYTES, json), clock);
  }

  @Bean
  Pace pace() {
    return new Pace();
  }

  @Bean
  Lanes lanes(
      Broker broker, History history, Pace pace, JdbcAggregateOperations database, Clock clock) {
    return new Lanes(broker, history, pace, database, clock);
  }

  @Bean(destroyMethod = "close")
  Watch watch(Experiments experiments, History history, StoredTruth truth) {
    return new Watch(experiments, history, truth);
  }

  @Bean(destroyMethod = "close")
  Retries retries(Experiments experiments) {
    return new Retries(
        () -> experiments.current().lanes(),
        () -> experiments.run(experiment -> Lanes.retry(experiment.lanes())));
  }

  @Bean(destroyMethod = "close")
  Experiments experiments(
      ExperimentRows rows,
      Broker broker,
      Topics topics,
      OrderLogs logs,
      StoredTruth truth,
      Sinks sinks,
      Lanes lanes,
      History history,
      Load load,
      Clock clock) {
    return new Experiments(rows, broker, topics, logs, truth, sinks, lanes, history, load, clock);
  }
}
