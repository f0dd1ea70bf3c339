package dev.deliverylab.fault;

import dev.deliverylab.guarantee.Step;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The one place in a lane where a crash can wait. Arming replaces what waited, firing disarms. */
public final class Trap {

  private @Nullable CrashPoint point;
  private int batchesBefore;
  private boolean passed;

  /**
   * @param batchesSoFar non-empty polls of the running life, or 0 if the lane does not run: the
   *     count starts behind them
   */
  public synchronized void arm(CrashPoint newPoint, int batchesSoFar) {
    point = newPoint;
    batchesBefore = batchesSoFar;
    passed = false;
  }

  public synchronized void disarm() {
    point = null;
  }

  public synchronized Optional<CrashPoint> armed() {
    return Optional.ofNullable(point);
  }

  /** A new life counts its batches from 1, and so does what waits. */
  public synchronized void newLife() {
    batchesBefore = 0;
    passed = false;
  }

  /** Whether a crash waits somewhere in this batch of the running life. */
  public synchronized boolean waitsIn(int batch) {
    return point != null && batch == batchesBefore + point.batch();
  }

  /** Whether the lane dies behind this step; if so, nothing waits any more. */
  public synchronized Optional<CrashPoint> fires(Step step, @Nullable Integer record, int batch) {
    if (point == null) {
      return Optional.empty();
    }
    int target = batchesBefore + point.batch();
    passed = batch > target;
    if (batch != target
        || step != point.after()
        || !java.util.Objects.equals(record, point.record())) {
      return Optional.empty();
    }
    CrashPoint fired = point;
    point = null;
    return Optional.of(fired);
  }

  /** What it waits for, for people. */
  public synchronized Optional<String> waitsFor(boolean running, int batchesSoFar) {
    if (point == null) {
      return Optional.empty();
    }
    String place = point.after().label() + (point.record() == null ? "" : " " + point.record());
    if (!running) {
      return Optional.of("waits for " + place + " of batch " + point.batch() + " of the next life");
    }
    int target = batchesBefore + point.batch();
    if (passed || batchesSoFar > target) {
      return Optional.of(
          "batch "
              + target
              + " is over without it; it waits for the next life: "
              + place
              + " of batch "
              + point.batch());
    }
    return Optional.of(
        "waits for "
            + place
            + " of batch "
            + target
            + "; batch "
            + batchesSoFar
            + " is the latest");
  }
}
