package dev.deliverylab.lane;

import dev.deliverylab.guarantee.Rule;
import java.util.Map;

/** What a lane hosts: its rule, its lives, and its progress where it keeps that itself. */
public interface Hosted {

  /** As it is now; its steps may change between two lives, its name never. */
  Rule rule();

  /**
   * Makes the next life; it has not started yet.
   *
   * @throws dev.deliverylab.sink.SinkUnreachable when its sink does not answer
   */
  Life life(Birth birth);

  /**
   * The position from which a restart continues, by partition; asked only where the sink keeps it.
   *
   * @throws dev.deliverylab.sink.SinkUnreachable when the sink does not answer
   */
  Map<Integer, Long> storedOffsets();

  /**
   * The progress moves on purpose: moves the position, where the sink keeps it, and whatever else
   * belongs to it. No life is under way. Where the group keeps the position, that moves next.
   */
  void rewind(Map<Integer, Long> to);

  /**
   * Refuses a replay that this one cannot follow.
   *
   * @throws IllegalArgumentException saying which it can
   */
  default void check(Rewind rewind) {}
}
