package dev.deliverylab.lane;

import dev.deliverylab.fault.CrashPoint;
import dev.deliverylab.guarantee.Step;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a lane stands in its loop, as REST and pages show it.
 *
 * @param steps its loop, as words
 * @param armed the crash that waits, or null
 * @param now the step it is at; null when it does not run
 * @param lastCrash where it died last; null if it never did
 */
public record Standing(
    List<String> steps, @Nullable Armed armed, @Nullable Now now, @Nullable LastCrash lastCrash) {

  /** A crash that waits: its place and, in words, what it waits for. */
  public record Armed(String after, @Nullable Integer record, int batch, String waitsFor) {}

  /**
   * The step a lane is at. {@code record} and {@code orderId} only for steps that happen once a
   * record.
   */
  public record Now(
      String step, @Nullable Integer record, int batch, @Nullable BigInteger orderId) {}

  /** Where a lane died: {@code after} null for a crash at once or with the whole lab. */
  public record LastCrash(
      @Nullable String after, @Nullable Integer record, @Nullable Integer batch, Instant at) {}

  public static Standing of(Lane lane) {
    return new Standing(
        lane.rule().steps().stream().map(Step::label).toList(),
        armed(lane),
        now(lane),
        lane.lastDeath()
            .map(d -> new LastCrash(d.after(), d.record(), d.batch(), d.at()))
            .orElse(null));
  }

  private static @Nullable Armed armed(Lane lane) {
    CrashPoint point = lane.armed().orElse(null);
    String waitsFor = lane.armedWaitsFor().orElse(null);
    return point == null || waitsFor == null
        ? null
        : new Armed(point.after().label(), point.record(), point.batch(), waitsFor);
  }

  private static @Nullable Now now(Lane lane) {
    if (lane.state() != LaneState.RUNNING) {
      return null;
    }
    dev.deliverylab.lane.Now at = lane.now();
    return at == null
        ? new Now(Step.POLL.label(), null, lane.batches(), null)
        : new Now(
            at.step().label(),
            at.record(),
            at.batch(),
            at.logRecord() == null ? null : at.logRecord().orderId());
  }
}
