package dev.deliverylab.history;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Waits until something is so. It looks again after each event, and now and then for what makes no
 * event (a client's own commit).
 */
public final class Patience {

  private static final long LOOK_AGAIN_MILLIS = 25;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition happened = lock.newCondition();

  public Patience(History history) {
    history.onEvent(this::wake);
  }

  /** False when time ran out first. */
  public boolean until(BooleanSupplier so, Duration timeout) throws InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    while (!so.getAsBoolean()) {
      if (System.nanoTime() >= end) {
        return false;
      }
      lock.lock();
      try {
        // Signalled or not, it looks again.
        boolean unused = happened.await(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
      } finally {
        lock.unlock();
      }
    }
    return true;
  }

  /** Called on the thread in which something happened, so it never waits. */
  private void wake() {
    if (lock.tryLock()) {
      try {
        happened.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
