package dev.deliverylab.scenario;

import dev.deliverylab.experiment.Experiment;
import dev.deliverylab.experiment.Experiments;
import dev.deliverylab.lane.Lane;
import java.util.function.Function;

/** The ten lanes on the log of orders. */
record ExperimentRoom(Experiments experiments) implements Room<Experiment> {

  @Override
  public Experiment create(int partitions, int batchSize) {
    return experiments.create(partitions, batchSize);
  }

  @Override
  public <T> T with(Function<Experiment, T> command) {
    return experiments.with(command);
  }

  @Override
  public Lane lane(Experiment place, String name) {
    return place.lane(name);
  }

  @Override
  public String replaced() {
    return "Somebody replaced the experiment of this run by a new one.";
  }
}
