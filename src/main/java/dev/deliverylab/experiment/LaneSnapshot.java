package dev.deliverylab.experiment;

import dev.deliverylab.check.Counts;
import dev.deliverylab.check.Kinds;
import dev.deliverylab.check.Position;
import dev.deliverylab.check.SinkSummary;
import dev.deliverylab.check.TruthSummary;
import dev.deliverylab.check.Verdict;
import dev.deliverylab.lane.LaneState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lane as REST and pages show it. Unknown answers are null.
 *
 * @param reason why it FAILED or was FENCED, or what it waits for
 * @param steps its loop, as words
 * @param armed the crash that waits, or null
 * @param life number of its current or last life, from 1; 0 before the first start
 * @param now the step it is at; null when it does not run
 * @param lastCrash where it died last; null if it never did
 * @param recognised second writes that the sink recognised and that changed no number
 */
public record LaneSnapshot(
    String lane,
    LaneState state,
    @Nullable String reason,
    String group,
    List<String> steps,
    @Nullable Armed armed,
    long crashes,
    long restarts,
    int life,
    @Nullable Now now,
    @Nullable LastCrash lastCrash,
    List<Position> progress,
    @Nullable SinkSummary sink,
    TruthSummary truth,
    Counts counts,
    @Nullable Kinds kinds,
    @Nullable Long recognised,
    Verdict verdict) {

  /** A crash that waits: its place and, in words, what it waits for. */
  public record Armed(String after, @Nullable Integer record, int batch, String waitsFor) {}

  /**
   * The step a lane is at. {@code record} and {@code orderId} only for steps that happen once a
   * record.
   */
  public record Now(
      String step, @Nullable Integer record, int batch, java.math.@Nullable BigInteger orderId) {}

  /** Where a lane died: {@code after} null for a crash at once or with the whole lab. */
  public record LastCrash(
      @Nullable String after, @Nullable Integer record, @Nullable Integer batch, Instant at) {}
}
