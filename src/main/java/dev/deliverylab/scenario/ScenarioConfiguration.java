package dev.deliverylab.scenario;

import dev.deliverylab.experiment.Experiments;
import dev.deliverylab.experiment.Watch;
import dev.deliverylab.history.History;
import dev.deliverylab.lane.Pace;
import dev.deliverylab.time.TimeLab;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** The bundled scenarios and the runs. */
@Configuration(proxyBeanMethods = false)
class ScenarioConfiguration {

  @Bean
  Scenarios scenarios() {
    return new Scenarios();
  }

  @Bean(destroyMethod = "close")
  Runs runs(
      RunRows rows,
      Experiments experiments,
      TimeLab time,
      History history,
      Watch watch,
      Pace pace,
      JsonMapper json,
      Clock clock) {
    return new Runs(rows, experiments, time, history, watch, pace, json, clock);
  }
}
