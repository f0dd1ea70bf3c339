package dev.deliverylab.check;

import dev.deliverylab.sink.SinkRow;
import java.util.List;

/** Where is 1002? One order in one lane: its cell at its first record, and every row it has. */
public record OrderInLane(Cell cell, List<Effect> effects) {

  public OrderInLane {
    effects = List.copyOf(effects);
  }

  /** One row of the order, and whether a view hides it from readers. */
  public record Effect(SinkRow row, boolean hidden) {}
}
