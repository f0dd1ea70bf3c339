package dev.deliverylab.scenario;

import dev.deliverylab.time.Policy;
import dev.deliverylab.time.WindowLanes;
import java.time.Duration;
import java.util.List;

/** Gives a window lane another policy: it begins a new run, from the start of the log. */
record Follow(String lane, Policy policy) implements Line<WindowLanes> {

  @Override
  public String action() {
    Duration idle = policy.idleAfter();
    return "policy "
        + lane
        + ": windows of "
        + seconds(policy.window())
        + ", waits "
        + seconds(policy.bound())
        + ", then "
        + policy.late().label()
        + (idle == null ? "" : ", a partition is idle after " + seconds(idle));
  }

  private static String seconds(Duration duration) {
    return duration.toSeconds() + " s";
  }

  @Override
  public List<String> lanes() {
    return List.of(lane);
  }

  @Override
  public Run.Step on(Stage<WindowLanes> stage) {
    return stage.with(
        lanes -> {
          lanes.follow(lane, policy);
          return Run.Step.done(action(), "a new run");
        });
  }
}
