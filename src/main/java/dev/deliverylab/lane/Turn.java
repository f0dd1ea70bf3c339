package dev.deliverylab.lane;

import dev.deliverylab.log.LogRecord;
import java.util.List;

/** One batch on its way through the loop. Used by one thread at a time. */
final class Turn {

  final int batch;
  final List<LogRecord> records;
  private int started;

  Turn(int batch, List<LogRecord> records) {
    this.batch = batch;
    this.records = records;
  }

  /** The place in the batch of the next record that a step is taken for, from 1. */
  int next() {
    return ++started;
  }
}
