package dev.deliverylab.scenario;

import dev.deliverylab.history.History;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Waits until something is so. It looks again after each event, and now and then for what makes no
 * event (a client's own commit).
 */
final class Patience {

  private static final long LOOK_AGAIN_MILLIS = 25;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition happened = lock.newCondition();

  Patience(History history) {
    history.onEvent(this::wake);
  }

  /** False when time ran out first. */
  boolean until(BooleanSupplier so, Duration timeout) {
    long end = System.nanoTime() + timeout.toNanos();
    while (!so.getAsBoolean()) {
      if (System.nanoTime() >= end) {
        return false;
      }
      lock.lock();
      try {
        boolean unused = happened.await(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new RunEnded("Interrupted.");
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
