package dev.deliverylab.web;

import dev.deliverylab.scenario.Run;
import dev.deliverylab.time.Curve;
import dev.deliverylab.time.TimeSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the page of time reads. Every list is bounded. The page changes nothing here: its controls
 * call the REST API, as curl does.
 */
interface TimeBoard {

  /** Points of the plane, and so of the lists of late records, that one look returns. */
  int POINTS = 2_000;

  /**
   * Grows with every change that the page could show. Asked ten times a second while somebody
   * looks, so it must be cheap and must not wait for a lane.
   */
  long version();

  /** The time log, its clock and its lanes. Does not wait for a lane. */
  TimeSnapshot state();

  /** The newest points, at most {@link #POINTS}. */
  TimeSnapshot.Plane plane();

  /** The scenario that made this log or is at work in the room; null if there is none. */
  @Nullable Run run();

  /** The scenarios one can run here, by name. */
  List<String> scenarios();

  /**
   * What each bound would cost this lane. Asked with every change while somebody looks.
   *
   * @param lane one of {@link #state}
   */
  Curve curve(String lane);
}
