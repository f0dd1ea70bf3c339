package dev.deliverylab.scenario;

import dev.deliverylab.lane.Lane;
import java.util.function.Function;

/**
 * Where a run happens: the experiment, or the time room.
 *
 * @param <P> what a run gets there: a log of its own, with its lanes
 */
interface Room<P> {

  /** Makes a new one, empty and with its lanes stopped, in the place of the one there is. */
  P create(int partitions, int batchSize);

  /** Gives a command the current one, which stays the current one until the command is done. */
  <T> T with(Function<P, T> command);

  Lane lane(P place, String name);

  /** What a run is told whose place somebody took. */
  String replaced();
}
