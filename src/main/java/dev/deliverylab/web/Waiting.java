package dev.deliverylab.web;

import dev.deliverylab.history.History;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.springframework.stereotype.Component;

/**
 * Waits until something is so: looks again after each event, and now and then for what makes no
 * event (a client's own commit).
 */
@Component
final class Waiting {

  private static final long LOOK_AGAIN_MILLIS = 25;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition happened = lock.newCondition();

  Waiting(History history) {
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
        boolean signalled = happened.await(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        if (signalled && Thread.interrupted()) {
          return false;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      } finally {
        lock.unlock();
      }
    }
    return true;
  }

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
