package dev.deliverylab.lane;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.history.History;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;

/** Makes lanes, and keeps them at work. */
public final class Lanes {

  private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

  private final Surroundings lab;

  public Lanes(
      Broker broker, History history, Pace pace, JdbcAggregateOperations database, Clock clock) {
    this.lab = new Surroundings(broker, history, pace, new StoredLaneRows(database), clock);
  }

  /** The lane as it was left, or new and stopped. */
  public Lane open(Source source, Hosted hosted) {
    return new Lane(source, hosted, lab);
  }

  /**
   * The same command to all of these lanes at once; back when all are done. On threads of its own:
   * those of the common pool do not see the classes inside the lab's jar, which Kafka's clients
   * look up by name.
   *
   * @throws RuntimeException the first refusal
   */
  public static void each(List<Lane> lanes, Consumer<Lane> command) {
    if (lanes.isEmpty()) {
      return;
    }
    ExecutorService threads = Executors.newFixedThreadPool(lanes.size());
    try {
      CompletableFuture.allOf(
              lanes.stream()
                  .map(lane -> CompletableFuture.runAsync(() -> command.accept(lane), threads))
                  .toArray(CompletableFuture<?>[]::new))
          .join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException refusal ? refusal : e;
    } finally {
      threads.shutdown();
    }
  }

  /**
   * Ends lives politely, all at once, so that the lanes are found STOPPED; one that does not end is
   * left to the end of the process.
   */
  public static void stopQuietly(List<Lane> lanes) {
    each(
        lanes,
        lane -> {
          try {
            lane.stop();
          } catch (RuntimeException e) {
            LOG.warn("{} did not stop: {}", lane.name(), e.getMessage());
          }
        });
  }

  /** Ends every life without a word; the lanes are of no use afterwards. */
  public void discard(List<Lane> lanes) {
    lanes.forEach(Lane::discard);
  }

  /** Tries those lanes again that were told to run and failed for want of their broker or sink. */
  public static void retry(List<Lane> lanes) {
    for (Lane lane : lanes) {
      if (lane.wantsRetry()) {
        try {
          lane.restart();
        } catch (LaneUnavailable e) {
          // Its reason says so already; the next round tries again.
        }
      }
    }
  }
}
