package dev.deliverylab.lane;

import dev.deliverylab.fault.CrashPoint;
import dev.deliverylab.fault.Death;
import dev.deliverylab.fault.Trap;
import dev.deliverylab.guarantee.Steps.Act;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The way of one life through its loop: each step is told, lingered on, and died behind if a crash
 * waits there.
 */
public final class Footsteps {

  private final Trap trap;
  private final Pace pace;
  private final Life.Watcher watcher;
  private final Executioner executioner;
  private final CountDownLatch dead = new CountDownLatch(1);

  /** Down once nobody waits for the next step with interest: the life is dying or being stopped. */
  private final CountDownLatch hurry = new CountDownLatch(1);

  private volatile @Nullable Now now;

  Footsteps(Trap trap, Pace pace, Life.Watcher watcher, Executioner executioner) {
    this.trap = trap;
    this.pace = pace;
    this.watcher = watcher;
    this.executioner = executioner;
  }

  public @Nullable Now now() {
    return now;
  }

  /** No step is under way. */
  public void rest() {
    now = null;
  }

  /** Does what a step does, then {@link #done}. */
  public void take(Life life, Now place, Act act) {
    throwIfDead();
    now = place;
    try {
      act.run();
    } catch (Exception e) {
      throwIfDead();
      throw new StepFailed(place, e);
    }
    done(life, place);
  }

  /**
   * The step has happened: tell it, linger on it, and die here if a crash waits in the gap behind
   * it.
   */
  public void done(Life life, Now place) {
    throwIfDead();
    now = place;
    watcher.stepDone(life, place);
    linger();
    CrashPoint fired = trap.fires(place.step(), place.record(), place.batch()).orElse(null);
    if (fired != null) {
      executioner.execute(life, new CrashPoint(fired.after(), fired.record(), place.batch()));
      throw new Death(fired.sentence());
    }
  }

  private void linger() {
    Duration perStep = pace.perStep();
    if (!perStep.isZero()) {
      try {
        hurry.await(perStep.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throwIfDead();
    }
  }

  /** The loop threw; a dead one has nothing more to say. */
  public void failed(Life life, Throwable cause) {
    if (!isDead()) {
      watcher.failed(life, cause);
    }
  }

  /** From now on nobody lingers. */
  public void hurry() {
    hurry.countDown();
  }

  /** From now on no step is taken. */
  public void die() {
    dead.countDown();
    hurry.countDown();
    now = null;
  }

  public boolean isDead() {
    return dead.getCount() == 0;
  }

  /** Waits for the death; false when time ran out first. */
  public boolean awaitDeath(Duration timeout) throws InterruptedException {
    return dead.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  public void throwIfDead() {
    if (isDead()) {
      throw new Death("the lane is dead");
    }
  }
}
