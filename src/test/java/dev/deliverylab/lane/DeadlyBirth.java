package dev.deliverylab.lane;

import dev.deliverylab.fault.CrashPoint;
import dev.deliverylab.fault.Trap;
import dev.deliverylab.guarantee.Rule;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Births of lives that a test brings to their gap, and to whatever awaits them there. */
public final class DeadlyBirth {

  private DeadlyBirth() {}

  /**
   * @param end is given the life in its gap, on the life's own thread
   */
  public static Birth at(
      LaneDescription lane,
      Rule rule,
      String after,
      @Nullable Integer record,
      int batch,
      Consumer<Life> end) {
    Trap trap = new Trap();
    trap.arm(CrashPoint.in(rule, lane.batchSize(), after, record, batch), 0);
    return birth(lane, trap, end);
  }

  /** Of a life that nothing awaits. */
  public static Birth untroubled(LaneDescription lane) {
    return birth(lane, new Trap(), life -> {});
  }

  private static Birth birth(LaneDescription lane, Trap trap, Consumer<Life> end) {
    return new Birth(
        lane,
        trap,
        new Pace(),
        new Life.Watcher() {
          @Override
          public void stepDone(Life life, Now place) {}

          @Override
          public void failed(Life life, Throwable cause) {
            System.out.println("failed " + lane.group() + ": " + cause);
          }
        },
        (victim, point) -> end.accept(victim));
  }
}
