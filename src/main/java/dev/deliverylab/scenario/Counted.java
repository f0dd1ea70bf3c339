package dev.deliverylab.scenario;

import dev.deliverylab.check.Count;
import dev.deliverylab.experiment.Experiment;
import dev.deliverylab.experiment.LaneSnapshot;
import java.time.Duration;

/** What is known of a lane of an experiment at one moment. */
record Counted(LaneSnapshot lane, Count count) {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A lane, counted up to the end of the log. */
  static Counted of(Stage<Experiment> stage, String lane) {
    Experiment mine = stage.mine();
    long until = System.nanoTime() + PATIENCE.toNanos();
    if (!mine.truth().await(mine.log().endOffsets(), PATIENCE)) {
      throw new ActionFailed("the truth has not read the whole log within 60 s");
    }
    while (true) {
      LaneSnapshot snapshot = stage.with(experiment -> experiment.snapshot(lane));
      Count count = mine.count(lane).latest();
      if (!count.more() || System.nanoTime() > until) {
        return new Counted(snapshot, count);
      }
      stage.check();
    }
  }
}
