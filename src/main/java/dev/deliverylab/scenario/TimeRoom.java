package dev.deliverylab.scenario;

import dev.deliverylab.lane.Lane;
import dev.deliverylab.time.TimeLab;
import dev.deliverylab.time.WindowLanes;
import java.util.function.Function;

/** The window lanes on the time log. */
record TimeRoom(TimeLab time) implements Room<WindowLanes> {

  @Override
  public WindowLanes create(int partitions, int batchSize) {
    return time.resetStopped(partitions, batchSize);
  }

  @Override
  public <T> T with(Function<WindowLanes, T> command) {
    return time.with(command);
  }

  @Override
  public Lane lane(WindowLanes place, String name) {
    return place.lane(name);
  }

  @Override
  public String replaced() {
    return "Somebody replaced the time log of this run by a new one.";
  }
}
