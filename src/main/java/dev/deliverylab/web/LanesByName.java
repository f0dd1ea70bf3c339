package dev.deliverylab.web;

import dev.deliverylab.check.Counts;
import dev.deliverylab.check.Position;
import dev.deliverylab.check.SinkSummary;
import dev.deliverylab.check.TruthSummary;
import dev.deliverylab.check.Verdict;
import dev.deliverylab.experiment.Experiments;
import dev.deliverylab.experiment.LaneSnapshot;
import dev.deliverylab.history.Event;
import dev.deliverylab.history.History;
import dev.deliverylab.lane.Lane;
import dev.deliverylab.time.TimeLab;
import dev.deliverylab.time.WindowLaneSnapshot;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/** The lanes of the experiment and those of the time room: no name is in both. */
@Component
final class LanesByName {

  private final Experiments experiments;
  private final History history;
  private final TimeLab time;

  LanesByName(Experiments experiments, History history, TimeLab time) {
    this.experiments = experiments;
    this.history = history;
    this.time = time;
  }

  /**
   * @throws dev.deliverylab.experiment.UnknownLane listing the lanes there are
   */
  Lane lane(String name) {
    return TimeLab.has(name) ? time.current().lane(name) : experiments.current().lane(name);
  }

  /** Gives a command a lane whose log stays the current one until the command is done. */
  <T> T with(String name, Function<Lane, T> command) {
    return TimeLab.has(name)
        ? time.with(lanes -> command.apply(lanes.lane(name)))
        : experiments.with(experiment -> command.apply(experiment.lane(name)));
  }

  LaneSnapshot snapshot(String name) {
    return TimeLab.has(name)
        ? snapshot(lane(name), time.current().snapshot(name), time.current().records())
        : experiments.current().snapshot(name);
  }

  List<Event> history(String name, long after, int limit) {
    return (TimeLab.has(name) ? time.history() : history).of(name, after, limit);
  }

  /** What is in windows as what is in the sink; late ones are part of the promise, not lost. */
  private static LaneSnapshot snapshot(Lane lane, WindowLaneSnapshot windows, long records) {
    Map<Integer, Long> ends = lane.end();
    List<Position> progress =
        ends.entrySet().stream()
            .map(
                end -> {
                  Long committed = windows.committed().get(end.getKey());
                  return new Position(
                      end.getKey(),
                      committed,
                      end.getValue(),
                      end.getValue() - (committed == null ? 0 : committed));
                })
            .toList();
    long counted = windows.accepted() + windows.late().restated();
    long known = windows.accepted() + windows.late().all();
    long lost = windows.lag() == 0 ? Math.max(0, records - known) : 0;
    return new LaneSnapshot(
        lane.name(),
        lane.state(),
        lane.reason(),
        lane.groupId(),
        windows.steps(),
        windows.armed(),
        lane.crashes(),
        lane.restarts(),
        lane.life(),
        windows.now(),
        windows.lastCrash(),
        progress,
        new SinkSummary(counted, counted, windows.emitted(), null),
        new TruthSummary(records, windows.trueRevenue()),
        new Counts(0L, lost, windows.lag()),
        null,
        null,
        verdict(windows, lost));
  }

  private static Verdict verdict(WindowLaneSnapshot windows, long lost) {
    boolean settled = windows.lag() == 0;
    boolean right = windows.emitted().compareTo(windows.trueRevenue()) == 0;
    // In windows that are not final it is no answer yet, unless the rule never gives another one.
    boolean held = windows.openEvents() > 0 && windows.watermark() != null;
    String why =
        !settled
            ? windows.lag() + " records are still to be read."
            : right
                ? "All of "
                    + windows.trueRevenue()
                    + " is counted in windows"
                    + (held ? ", of which some are not final yet." : ".")
                : windows.emitted()
                    + " of "
                    + windows.trueRevenue()
                    + " is counted in windows; "
                    + windows.late().dropped()
                    + " late dropped, "
                    + windows.late().side()
                    + " set aside.";
    return new Verdict(
        "no record is counted twice, and none is left out unless it is late",
        settled ? Boolean.valueOf(lost == 0) : null,
        (settled && !(right && held)) ? Boolean.valueOf(right) : null,
        why);
  }
}
