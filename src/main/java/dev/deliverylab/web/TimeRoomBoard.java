package dev.deliverylab.web;

import dev.deliverylab.scenario.Run;
import dev.deliverylab.scenario.Runs;
import dev.deliverylab.scenario.Scenarios;
import dev.deliverylab.time.Curve;
import dev.deliverylab.time.TimeLab;
import dev.deliverylab.time.TimeSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The board over the current time log. */
@Component
final class TimeRoomBoard implements TimeBoard {

  private final TimeLab time;
  private final Runs runs;
  private final Scenarios scenarios;

  TimeRoomBoard(TimeLab time, Runs runs, Scenarios scenarios) {
    this.time = time;
    this.runs = runs;
    this.scenarios = scenarios;
  }

  @Override
  public @Nullable Run run() {
    return runs.latestInTime(time.current().number()).orElse(null);
  }

  @Override
  public List<String> scenarios() {
    return scenarios.names(true);
  }

  @Override
  public long version() {
    return time.version();
  }

  @Override
  public TimeSnapshot state() {
    return time.current().snapshot();
  }

  @Override
  public TimeSnapshot.Plane plane() {
    return time.current().plane(POINTS);
  }

  @Override
  public Curve curve(String lane) {
    return time.current().recentCurve(lane);
  }
}
