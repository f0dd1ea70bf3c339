package dev.deliverylab.scenario;

import dev.deliverylab.lane.Lane;
import dev.deliverylab.lane.LaneState;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Waits until a lane is drained, crashed, stopped or running. */
record Await<P>(String lane, Lane.Condition condition, Duration timeout) implements Line<P> {

  static final int MAX_SECONDS = 600;
  static final int DEFAULT_SECONDS = 60;

  private static final Set<LaneState> AT_REST =
      Set.of(LaneState.STOPPED, LaneState.CRASHED, LaneState.FENCED);

  @Override
  public String action() {
    return "await " + lane + " " + word();
  }

  @Override
  public List<String> lanes() {
    return List.of(lane);
  }

  @Override
  public Run.Step on(Stage<P> stage) {
    Lane it = stage.lane(lane);
    if (!stage.until(() -> it.is(condition) || hopeless(it), timeout)) {
      throw new ActionFailed(
          lane
              + " is "
              + it.state()
              + " and was not "
              + word()
              + " within "
              + timeout.toSeconds()
              + " s");
    }
    // A new log stops the lanes before it takes the place of theirs; the lock tells that apart.
    if (stage.with(place -> !it.is(condition) && hopeless(it))) {
      String reason = it.reason();
      throw new ActionFailed(
          lane
              + " is "
              + it.state()
              + " and so will not be "
              + word()
              + (reason == null ? "" : ": " + reason));
    }
    return Run.Step.done(action(), word());
  }

  /** A lane at rest drains nothing and crashes nowhere: only a command could change that. */
  private boolean hopeless(Lane it) {
    LaneState state = it.state();
    return switch (condition) {
      case DRAINED, RUNNING -> AT_REST.contains(state);
      case CRASHED -> state == LaneState.STOPPED || state == LaneState.FENCED;
      case STOPPED -> state != LaneState.STOPPED && AT_REST.contains(state);
    };
  }

  private String word() {
    return condition.name().toLowerCase(Locale.ROOT);
  }
}
