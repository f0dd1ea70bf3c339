package dev.deliverylab.check;

import dev.deliverylab.log.LogRecord;
import java.util.Map;

/**
 * How far a lane has come: which records it may still turn into effects.
 *
 * @param positions the next offset after a restart, by partition; a partition without one was never
 *     committed, so all of it lies ahead
 */
record Reach(Map<Integer, Long> positions, InHand inHand) {

  static final Reach START = new Reach(Map.of(), InHand.NOTHING);

  Reach {
    positions = Map.copyOf(positions);
  }

  /** Whether a restart would read this record again. */
  boolean ahead(LogRecord record) {
    return record.offset() >= positions.getOrDefault(record.partition(), 0L);
  }

  boolean mayStillApply(LogRecord record) {
    return ahead(record) || inHand.holds(record.partition(), record.offset());
  }
}
