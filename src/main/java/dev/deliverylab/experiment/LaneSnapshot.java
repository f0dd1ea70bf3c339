package dev.deliverylab.experiment;

import dev.deliverylab.check.Counts;
import dev.deliverylab.check.Kinds;
import dev.deliverylab.check.Position;
import dev.deliverylab.check.SinkSummary;
import dev.deliverylab.check.TruthSummary;
import dev.deliverylab.check.Verdict;
import dev.deliverylab.lane.LaneState;
import dev.deliverylab.lane.Standing;
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
    Standing.@Nullable Armed armed,
    long crashes,
    long restarts,
    int life,
    Standing.@Nullable Now now,
    Standing.@Nullable LastCrash lastCrash,
    List<Position> progress,
    @Nullable SinkSummary sink,
    TruthSummary truth,
    Counts counts,
    @Nullable Kinds kinds,
    @Nullable Long recognised,
    Verdict verdict) {}
