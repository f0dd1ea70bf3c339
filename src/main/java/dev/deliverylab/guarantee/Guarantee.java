package dev.deliverylab.guarantee;

import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.Sink;
import java.util.List;

/**
 * The rule a consumer follows: an ordered list of steps and a promise. The order of the lines in
 * {@link #run} is the rule.
 */
public interface Guarantee {

  /** Its name everywhere: lane id, REST path, consumer group. */
  String name();

  Promise promise();

  /** The steps in the order in which {@link #run} takes them, each once. */
  List<Step> steps();

  /** The table its effects need. */
  Shape shape();

  /** One turn of the loop, for one batch. */
  void run(Steps steps, Sink sink, Progress progress);

  /** Where its progress is kept. */
  default Keeper progressKeeper() {
    return Keeper.GROUP;
  }

  /** Who moves and keeps the position from which a restart continues. */
  enum Keeper {
    /** The guarantee commits the group's offsets to Kafka. */
    GROUP,
    /** The client commits the group's offsets, on a later poll and on close. */
    CLIENT,
    /** The sink's database, beside the data. */
    SINK
  }
}
