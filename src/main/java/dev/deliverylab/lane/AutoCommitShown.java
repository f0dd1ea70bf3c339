package dev.deliverylab.lane;

import dev.deliverylab.guarantee.Rule;
import dev.deliverylab.guarantee.Step;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What the death of an auto-commit lane waits for. The client sends its commit inside a later poll
 * and does not wait for it, so a death could find it on its way or arrived. For a result that can
 * be shown twice, the death waits, for a bounded time, until the broker shows the commit: of the
 * batches before this one, or, where the work was handed over, of all that there is to read.
 */
final class AutoCommitShown {

  private static final Duration SHOWN = Duration.ofMillis(500);
  private static final Duration OVERTAKING_SHOWN = Duration.ofSeconds(3);

  private AutoCommitShown() {}

  /**
   * Returns at once for a lane whose client commits nothing by itself.
   *
   * @param committed the group's offsets as the broker shows them, asked off the lane's own client
   * @param end the next offset of the log
   */
  static void await(
      Life victim,
      Rule rule,
      Supplier<Map<Integer, Long>> committed,
      Supplier<Map<Integer, Long>> end) {
    if (rule.keeper() != Rule.Keeper.CLIENT) {
      return;
    }
    boolean handsOver = rule.steps().contains(Step.HAND_OVER);
    long until = System.nanoTime() + (handsOver ? OVERTAKING_SHOWN : SHOWN).toNanos();
    try {
      Map<Integer, Long> expected = handsOver ? end.get() : victim.polledBefore();
      while (!victim.isOver() && System.nanoTime() < until) {
        Map<Integer, Long> shown = committed.get();
        if (expected.entrySet().stream()
            .allMatch(each -> shown.getOrDefault(each.getKey(), 0L) >= each.getValue())) {
          return;
        }
      }
    } catch (LaneUnavailable e) {
      // The broker shows nothing now. A death that depended on it would be none.
    }
  }
}
