package dev.deliverylab.lane;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.history.History;
import java.time.Clock;
import java.util.List;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;

/** Makes lanes, and keeps them at work. */
public final class Lanes {

  private final Surroundings lab;

  public Lanes(
      Broker broker, History history, Pace pace, JdbcAggregateOperations database, Clock clock) {
    this.lab = new Surroundings(broker, history, pace, new StoredLaneRows(database), clock);
  }

  /** The lane as it was left, or new and stopped. */
  public Lane open(Source source, Hosted hosted) {
    return new Lane(source, hosted, lab);
  }

  /** Ends every life without a word; the lanes are of no use afterwards. */
  public void discard(List<Lane> lanes) {
    lanes.forEach(Lane::discard);
  }

  /** Whether one of these would be tried again. */
  public boolean wantRetry(List<Lane> lanes) {
    return lanes.stream().anyMatch(Lane::wantsRetry);
  }

  /** Tries those lanes again that were told to run and failed for want of their broker or sink. */
  public void retry(List<Lane> lanes) {
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
