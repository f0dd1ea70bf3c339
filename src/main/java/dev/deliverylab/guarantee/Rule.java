package dev.deliverylab.guarantee;

import dev.deliverylab.sink.Shape;
import java.util.List;

/**
 * What a guarantee says about itself.
 *
 * @param name its name everywhere: lane id, REST path, consumer group
 * @param shape the table that its effects need
 * @param keeper who keeps the position from which a restart continues
 * @param steps the loop, in the order in which the guarantee takes them, each named once
 */
public record Rule(String name, Promise promise, Shape shape, Keeper keeper, List<Step> steps) {

  Rule(String name, Promise promise, Shape shape, Keeper keeper, Step... steps) {
    this(name, promise, shape, keeper, List.of(steps));
  }

  /** Who moves and keeps the position from which a restart continues. */
  public enum Keeper {
    /** The guarantee commits the group's offsets to Kafka. */
    GROUP,
    /**
     * The client commits the group's offsets, on a later poll and on close, whatever became of the
     * records.
     */
    CLIENT,
    /** The sink's database, beside the data. */
    SINK
  }
}
