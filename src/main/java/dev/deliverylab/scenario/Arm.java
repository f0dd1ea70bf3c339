package dev.deliverylab.scenario;

import dev.deliverylab.fault.CrashPoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts a crash behind a step of a lane's loop, or takes it away.
 *
 * @param point checked against the lane's loop and the batch size; null disarms
 */
record Arm<P>(String lane, @Nullable CrashPoint point) implements Line<P> {

  @Override
  public String action() {
    return point == null ? "disarm " + lane : "arm " + lane + " " + point.sentence();
  }

  @Override
  public List<String> lanes() {
    return List.of(lane);
  }

  @Override
  public Run.Step on(Stage<P> stage) {
    stage.each(
        lanes(),
        it -> {
          if (point == null) {
            it.disarm();
          } else {
            it.arm(point.after().label(), point.record(), point.batch());
          }
        });
    return Run.Step.done(
        action(), stage.lane(lane).armedWaitsFor().orElse("no crash waits any more"));
  }
}
