package dev.deliverylab.lane;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.guarantee.Guarantee;
import dev.deliverylab.guarantee.Guarantees;
import dev.deliverylab.history.History;
import dev.deliverylab.sink.SinkTable;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;

/** Makes the lanes of an experiment: one for each guarantee. */
public final class Lanes {

  private final Surroundings lab;

  public Lanes(
      Broker broker, History history, Pace pace, JdbcAggregateOperations database, Clock clock) {
    this.lab = new Surroundings(broker, history, pace, new StoredLaneRows(database), clock);
  }

  /** The lanes of this experiment as they were left, or new and stopped. */
  public List<Lane> open(
      long experiment, int partitions, int batchSize, Function<Guarantee, SinkTable> tables) {
    List<Lane> lanes = new ArrayList<>();
    for (Guarantee guarantee : Guarantees.all()) {
      lanes.add(
          new Lane(experiment, guarantee, partitions, batchSize, tables.apply(guarantee), lab));
    }
    return List.copyOf(lanes);
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
