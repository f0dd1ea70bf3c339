package dev.deliverylab.web;

import dev.deliverylab.history.History;
import java.time.Duration;
import java.util.concurrent.Semaphore;
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

  /** Each waits on a thread of the server, which must keep some for those who do not. */
  private static final int MOST = 50;

  /** Too many requests wait already. */
  static final class TooMany extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooMany() {
      super("at most " + MOST + " requests wait at once; try again later");
    }
  }

  private final Semaphore places = new Semaphore(MOST);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition happened = lock.newCondition();

  Waiting(History history) {
    history.onEvent(this::wake);
  }

  /**
   * False when time ran out first.
   *
   * @throws TooMany when so many wait already that others would not get an answer
   */
  boolean until(BooleanSupplier so, Duration timeout) {
    if (!places.tryAcquire()) {
      throw new TooMany();
    }
    try {
      return look(so, timeout);
    } finally {
      places.release();
    }
  }

  private boolean look(BooleanSupplier so, Duration timeout) {
    long end = System.nanoTime() + timeout.toNanos();
    while (!so.getAsBoolean()) {
      if (System.nanoTime() >= end) {
        return false;
      }
      lock.lock();
      try {
        // Signalled or not, it looks again.
        boolean unused = happened.await(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
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
