package dev.deliverylab.web;

import dev.deliverylab.history.History;
import dev.deliverylab.history.Patience;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.springframework.stereotype.Component;

/** Requests that wait until something is so; not too many of them. */
@Component
final class Waiting {

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
  private final Patience patience;

  Waiting(History history) {
    patience = new Patience(history);
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
      return patience.until(so, timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      places.release();
    }
  }
}
