package dev.deliverylab.fault;

import dev.deliverylab.guarantee.Step;
import org.jspecify.annotations.Nullable;

/**
 * A gap in a lane's loop.
 *
 * @param after the step behind which the lane dies
 * @param record the record's place in its batch, from 1, where the step happens once a record; else
 *     null
 * @param batch which non-empty poll of the life, from 1 (counted from the arming if the lane runs)
 */
public record CrashPoint(Step after, @Nullable Integer record, int batch) {

  public String sentence() {
    return "after " + after.label() + (record == null ? "" : " " + record) + " of batch " + batch;
  }
}
