package dev.deliverylab.fault;

import dev.deliverylab.guarantee.Rule;
import dev.deliverylab.guarantee.Step;
import java.util.stream.Collectors;
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

  public static final int MAX_BATCH = 1_000_000;

  /**
   * The gap that these words name in a loop.
   *
   * @throws IllegalArgumentException saying what the loop allows
   */
  public static CrashPoint in(
      Rule rule, int batchSize, String after, @Nullable Integer record, @Nullable Integer batch) {
    String words = rule.steps().stream().map(Step::label).collect(Collectors.joining(", "));
    Step step =
        rule.steps().stream()
            .filter(each -> each.label().equals(after))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        rule.name() + " has no step '" + after + "'; its steps are " + words));
    if (step.perRecord() && record == null) {
      throw new IllegalArgumentException(
          "after '"
              + after
              + "' a crash needs the record's place in its batch: \"record\" from 1 to "
              + batchSize);
    }
    if (!step.perRecord() && record != null) {
      throw new IllegalArgumentException(
          "'" + after + "' happens once a batch, so a crash after it takes no \"record\"");
    }
    if (record != null && (record < 1 || record > batchSize)) {
      throw new IllegalArgumentException(
          "\"record\" counts from 1 to the batch size, which is "
              + batchSize
              + "; it was "
              + record);
    }
    int nth = batch == null ? 1 : batch;
    if (nth < 1 || nth > MAX_BATCH) {
      throw new IllegalArgumentException(
          "\"batch\" counts from 1 to " + MAX_BATCH + "; it was " + nth);
    }
    return new CrashPoint(step, record, nth);
  }

  /** For people: {@code after effect 2 of batch 1}. */
  public String sentence() {
    return "after " + after.label() + (record == null ? "" : " " + record) + " of batch " + batch;
  }
}
