package dev.deliverylab.scenario;

import dev.deliverylab.check.Recount;
import dev.deliverylab.experiment.Experiment;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts a lane from nothing and compares with the running count. */
record RecountLanes(String lane) implements Line<Experiment> {

  /** A lane that is at work moves while it is counted; then it is counted again. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Override
  public String action() {
    return "recount " + lane;
  }

  @Override
  public List<String> lanes() {
    return List.of(lane);
  }

  @Override
  public Run.Step on(Stage<Experiment> stage) {
    Counted unusedCount = Counted.of(stage, lane);
    Recount[] last = {recount(stage)};
    boolean unused =
        stage.until(
            () -> {
              if (last[0].agrees() == null) {
                last[0] = recount(stage);
              }
              return last[0].agrees() != null;
            },
            PATIENCE);
    Boolean agrees = last[0].agrees();
    boolean ok = Boolean.TRUE.equals(agrees);
    Map<String, @Nullable Object> observed = new LinkedHashMap<>();
    observed.put("agrees", agrees);
    if (!ok) {
      observed.put("difference", last[0].difference());
    }
    return new Run.Step(action(), Map.of("agrees", true), observed, ok);
  }

  private Recount recount(Stage<Experiment> stage) {
    return stage.with(experiment -> experiment.recount(lane));
  }
}
