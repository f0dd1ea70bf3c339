package dev.deliverylab.web;

import dev.deliverylab.time.Curve;
import dev.deliverylab.time.TimeSnapshot;
import dev.deliverylab.time.WindowLaneSnapshot;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the page of time shows of the lane that is drawn. */
record PlaneOfLane(StoryView story, PlaneView plane, TradeView trade, PolicyView policy) {

  /** The lane's policy as the form holds it. */
  record PolicyView(
      String lane,
      long windowSeconds,
      long boundSeconds,
      String late,
      String idleSeconds,
      String maxAheadSeconds) {}

  static PlaneOfLane of(
      TimeSnapshot state, TimeSnapshot.Plane plane, WindowLaneSnapshot lane, Curve curve) {
    var policy = lane.policy();
    return new PlaneOfLane(
        StoryView.of(state, plane, lane),
        PlaneView.of(state, plane, lane, TimeView.home(state, plane)),
        TradeView.of(curve, lane),
        new PolicyView(
            lane.lane(),
            policy.window().toSeconds(),
            policy.bound().toSeconds(),
            policy.late().label(),
            seconds(policy.idleAfter()),
            seconds(policy.maxAhead())));
  }

  private static String seconds(@Nullable Duration duration) {
    return duration == null ? "" : String.valueOf(duration.toSeconds());
  }
}
