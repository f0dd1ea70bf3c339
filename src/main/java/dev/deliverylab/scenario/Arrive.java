package dev.deliverylab.scenario;

import dev.deliverylab.time.Arrival;
import dev.deliverylab.time.Generate;
import dev.deliverylab.time.WindowLanes;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets orders arrive at the time log, at the pace that is set.
 *
 * @param what for people
 * @param generate instead of {@code arrivals}
 * @param from when the first generated event happens
 */
record Arrive(String what, List<Arrival> arrivals, @Nullable Generate generate, Instant from)
    implements Line<WindowLanes> {

  @Override
  public String action() {
    return "append " + what;
  }

  @Override
  public List<String> lanes() {
    return List.of();
  }

  @Override
  public Run.Step on(Stage<WindowLanes> stage) {
    WindowLanes.Appended done =
        stage.with(
            lanes ->
                lanes.arrive(
                    generate == null
                        ? arrivals
                        : generate.arrivals(from, lanes.nextId(), lanes.partitions())));
    String appended = done.appended() == 1 ? "1 record" : done.appended() + " records";
    return Run.Step.done(
        action(), done.queued() == 0 ? appended : done.queued() + " wait for their arrival");
  }
}
