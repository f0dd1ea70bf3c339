package dev.deliverylab.lane;

import dev.deliverylab.log.InLog;
import java.util.List;

/** One batch on its way through the loop. Used by one thread at a time. */
final class Turn<R extends InLog> {

  final int batch;
  final List<R> records;
  private int started;

  Turn(int batch, List<R> records) {
    this.batch = batch;
    this.records = records;
  }

  /** The place in the batch of the next record that a step is taken for, from 1. */
  int next() {
    return ++started;
  }
}
