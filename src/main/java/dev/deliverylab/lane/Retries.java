package dev.deliverylab.lane;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries lanes again that failed for want of their broker or sink, every three seconds. On a thread
 * of its own: a lane that cannot join takes its time, and a reset may go first.
 */
public final class Retries implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Retries.class);
  private static final long BETWEEN_MILLIS = 3_000;

  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "retry");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param lanes those there are now; asked each time
   * @param retry tries them, as a command that no reset overtakes
   */
  public Retries(Supplier<List<Lane>> lanes, Runnable retry) {
    var unused =
        clock.scheduleWithFixedDelay(
            () -> lookAt(lanes, retry), BETWEEN_MILLIS, BETWEEN_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static void lookAt(Supplier<List<Lane>> lanes, Runnable retry) {
    try {
      if (lanes.get().stream().anyMatch(Lane::wantsRetry)) {
        retry.run();
      }
    } catch (RuntimeException e) {
      LOG.warn("Failed lanes could not be tried again: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
