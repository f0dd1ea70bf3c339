package dev.deliverylab.lane;

import dev.deliverylab.fault.Trap;
import dev.deliverylab.log.InLog;

/** What a life is given by its lane, whatever sort of life it is. */
public final class Birth {

  private final LaneDescription description;
  private final Trap trap;
  private final Pace pace;
  private final Life.Watcher watcher;
  private final Executioner executioner;

  Birth(
      LaneDescription description,
      Trap trap,
      Pace pace,
      Life.Watcher watcher,
      Executioner executioner) {
    this.description = description;
    this.trap = trap;
    this.pace = pace;
    this.watcher = watcher;
    this.executioner = executioner;
  }

  public LaneDescription description() {
    return description;
  }

  /** A life that runs this loop in a spring-kafka container. */
  public <R extends InLog> Life inContainer(Loop<R> loop) {
    return new ConsumerLife<>(description, loop, trap, footsteps());
  }

  /** The way through the loop for a life of another sort. */
  public Footsteps footsteps() {
    return new Footsteps(trap, pace, watcher, executioner);
  }
}
