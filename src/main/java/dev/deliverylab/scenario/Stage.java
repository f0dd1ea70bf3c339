package dev.deliverylab.scenario;

import dev.deliverylab.history.History;
import dev.deliverylab.history.Patience;
import dev.deliverylab.lane.Lane;
import dev.deliverylab.lane.Lanes;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A room as the lines of one run drive it: the same lanes that REST drives. It is the run's own as
 * long as nobody makes another one; then the run is over.
 */
final class Stage<P> {

  private final Room<P> room;
  private final P mine;
  private final History history;
  private final Patience patience;

  /** Why somebody wants the run to end; null while nobody does. */
  private final Supplier<@Nullable String> stopped;

  /**
   * @param history of the lanes there
   * @param patience woken by that history; every stage shares it, as a history never forgets a
   *     listener
   */
  Stage(
      Room<P> room,
      P mine,
      History history,
      Patience patience,
      Supplier<@Nullable String> stopped) {
    this.room = room;
    this.mine = mine;
    this.history = history;
    this.patience = patience;
    this.stopped = stopped;
  }

  P mine() {
    return mine;
  }

  History history() {
    return history;
  }

  Lane lane(String name) {
    return room.lane(mine, name);
  }

  /** A command; nothing takes the place of this run's log while it is under way. */
  <T> T with(Function<P, T> command) {
    return room.with(
        current -> {
          if (current != mine) {
            throw new RunEnded(room.replaced());
          }
          return command.apply(current);
        });
  }

  /**
   * The same command to all of these lanes at once; the first refusal is told when all are done.
   */
  void each(List<String> lanes, Consumer<Lane> command) {
    with(
        place -> {
          Lanes.each(lanes.stream().map(name -> room.lane(place, name)).toList(), command);
          return place;
        });
  }

  /**
   * Waits until something is so; false when time ran out first.
   *
   * @throws RunEnded when somebody stops the run or takes its place meanwhile
   */
  boolean until(BooleanSupplier so, Duration timeout) {
    try {
      return patience.until(
          () -> {
            check();
            return so.getAsBoolean();
          },
          timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RunEnded("Interrupted.");
    }
  }

  /**
   * Why the run is over before its script is; null while it goes on. Waits while another log is
   * being made.
   */
  @Nullable String over() {
    String reason = stopped.get();
    return reason != null || room.with(current -> current == mine) ? reason : room.replaced();
  }

  /** Whether somebody wants the run to end. */
  boolean isStopped() {
    return stopped.get() != null;
  }

  /**
   * @throws RunEnded when the run is over
   */
  void check() {
    String reason = over();
    if (reason != null) {
      throw new RunEnded(reason);
    }
  }
}
