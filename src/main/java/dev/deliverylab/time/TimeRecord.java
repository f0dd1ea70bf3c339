package dev.deliverylab.time;

import dev.deliverylab.log.InLog;
import java.time.Instant;

/** What a time log holds: orders with their arrival, and readings of the clock between them. */
public sealed interface TimeRecord extends InLog permits ArrivedOrder, ClockReading {

  /** When it came; for a reading, the time it shows. */
  Instant arrivalTime();
}
