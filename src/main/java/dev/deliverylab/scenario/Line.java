package dev.deliverylab.scenario;

import java.util.List;

/**
 * One line of a script: an action, or numbers that are expected.
 *
 * @param <P> what a run gets in the room that the line is for
 */
sealed interface Line<P>
    permits Append,
        Arm,
        Arrive,
        Await,
        Command,
        Expect,
        ExpectWindows,
        Follow,
        RecountLanes,
        Replay,
        SetClock {

  /** In words, as the report shows it. */
  String action();

  /** The lanes it is about. */
  List<String> lanes();

  /**
   * Does it.
   *
   * @return what was expected and what came; expectations that fail are an answer
   * @throws RuntimeException when an action could not be done
   * @throws RunEnded when the run is over
   */
  Run.Step on(Stage<P> stage);
}
