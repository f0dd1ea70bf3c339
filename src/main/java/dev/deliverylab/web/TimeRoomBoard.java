package dev.deliverylab.web;

import dev.deliverylab.time.Curve;
import dev.deliverylab.time.TimeLab;
import dev.deliverylab.time.TimeSnapshot;
import org.springframework.stereotype.Component;

/** The board over the current time log. */
@Component
final class TimeRoomBoard implements TimeBoard {

  private final TimeLab time;

  TimeRoomBoard(TimeLab time) {
    this.time = time;
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
    return time.current().curve(lane);
  }
}
