package dev.deliverylab.scenario;

import dev.deliverylab.time.ClockChange;
import dev.deliverylab.time.WindowLanes;
import java.util.List;

/** Advances the clock of the time log, sets its pace or its mode, or lets the next records in. */
record SetClock(ClockChange change) implements Line<WindowLanes> {

  @Override
  public String action() {
    return "clock "
        + (change.advanceTo() != null
            ? "to " + change.advanceTo()
            : change.mode() != null
                ? change.mode()
                : change.pace() != null ? "at pace " + change.pace() : "step " + change.step());
  }

  @Override
  public List<String> lanes() {
    return List.of();
  }

  @Override
  public Run.Step on(Stage<WindowLanes> stage) {
    return stage.with(
        lanes -> {
          change.on(lanes);
          return Run.Step.done(action(), "done");
        });
  }
}
