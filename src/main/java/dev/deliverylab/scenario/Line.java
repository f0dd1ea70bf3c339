package dev.deliverylab.scenario;

import java.util.List;

/** One line of a script: an action, or numbers that are expected. */
sealed interface Line permits Append, Arm, Await, Command, Expect, RecountLanes, Replay {

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
  Run.Step on(Stage stage);
}
