package dev.deliverylab.scenario;

import dev.deliverylab.check.Count;
import dev.deliverylab.check.Recount;
import dev.deliverylab.experiment.Experiment;
import dev.deliverylab.experiment.Experiments;
import dev.deliverylab.experiment.LaneSnapshot;
import dev.deliverylab.history.Event;
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
 * The experiment as the lines of one run drive it: the same lanes that REST drives. It is the run's
 * own as long as nobody makes another one; then the run is over.
 */
final class Stage {

  private static final String REPLACED =
      "Somebody replaced the experiment of this run by a new one.";
  private static final Duration COUNTED = Duration.ofSeconds(60);

  private final Experiments experiments;
  private final Experiment mine;
  private final History history;
  private final Patience patience;

  /** Why somebody wants the run to end; null while nobody does. */
  private final Supplier<@Nullable String> stopped;

  Stage(
      Experiments experiments,
      Experiment mine,
      History history,
      Patience patience,
      Supplier<@Nullable String> stopped) {
    this.experiments = experiments;
    this.mine = mine;
    this.history = history;
    this.patience = patience;
    this.stopped = stopped;
  }

  int partitions() {
    return mine.partitions();
  }

  Lane lane(String name) {
    return mine.lane(name);
  }

  /** A command; no new experiment is made while it is under way. */
  <T> T with(Function<Experiment, T> command) {
    return experiments.with(
        current -> {
          if (current != mine) {
            throw new RunEnded(REPLACED);
          }
          return command.apply(current);
        });
  }

  /**
   * The same command to all of these lanes at once; the first refusal is told when all are done.
   */
  void each(List<String> lanes, Consumer<Lane> command) {
    with(
        experiment -> {
          Lanes.each(lanes.stream().map(experiment::lane).toList(), command);
          return experiment;
        });
  }

  /**
   * Waits until something is so; false when time ran out first.
   *
   * @throws RunEnded when somebody stops the run or replaces its experiment meanwhile
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
   * Why the run is over before its script is; null while it goes on. Waits while a new experiment
   * is being made.
   */
  @Nullable String over() {
    String reason = stopped.get();
    return reason != null || experiments.with(current -> current == mine) ? reason : REPLACED;
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

  /** A lane, counted up to the end of the log. */
  Counted counted(String lane) {
    long until = System.nanoTime() + COUNTED.toNanos();
    if (!mine.truth().await(mine.log().endOffsets(), COUNTED)) {
      throw new ActionFailed("the truth has not read the whole log within 60 s");
    }
    while (true) {
      LaneSnapshot snapshot = with(experiment -> experiment.snapshot(lane));
      Count count = mine.count(lane).latest();
      if (!count.more() || System.nanoTime() > until) {
        return new Counted(snapshot, count);
      }
      check();
    }
  }

  /** What is known of a lane at one moment. */
  record Counted(LaneSnapshot lane, Count count) {}

  Recount recount(String lane) {
    return with(experiment -> experiment.recount(lane));
  }

  void appended(long records) {
    history.record(
        Event.Kind.APPENDED,
        null,
        null,
        records + " record(s) appended to experiment " + mine.id());
  }
}
