package dev.deliverylab.time;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Why the watermark of a lane stands where it stands. */
public record Waiting(LateRule rule, Policy policy, Seen seen) {

  /** The partition with the lowest time, where there are several to compare; else null. */
  public @Nullable Integer heldBackBy() {
    return byPartition() && seen.marks().size() > 1 ? seen.slowest(policy) : null;
  }

  /** The partitions that are left out because they are idle. */
  public List<Integer> idle() {
    return byPartition()
        ? partitions().filter(p -> seen.idle(p, policy)).boxed().toList()
        : List.of();
  }

  /** In one sentence, what must happen for this open window to become final. */
  public String sentence(Window open) {
    if (rule == LateRule.PER_RECORD) {
      return "Nothing closes a window: under this rule there is no watermark.";
    }
    Instant needed = open.end().plus(policy.bound());
    String window = "The window that ends at " + open.end() + " waits for ";
    return window + (byPartition() ? events(needed) : clock(needed)) + ".";
  }

  private String clock(Instant needed) {
    return "the clock to reach " + needed + "; it shows " + seen.clock();
  }

  private String events(Instant needed) {
    String places =
        partitions()
            .filter(p -> holdsBack(p, needed))
            .mapToObj(this::place)
            .collect(Collectors.joining(" and"));
    return places.isEmpty()
        ? "newer events: all partitions are idle"
        : "an event of " + needed + " or later" + places;
  }

  private String place(int partition) {
    Instant greatest = seen.marks().get(partition).greatest();
    String sofar = greatest == null ? "no order yet" : "newest so far " + greatest;
    if (seen.marks().size() == 1) {
      return "; " + sofar;
    }
    Instant idle = seen.idleFrom(partition, policy);
    return " in partition %d (%s%s)"
        .formatted(partition, sofar, idle == null ? "" : ", left out from " + idle + " if silent");
  }

  private boolean holdsBack(int partition, Instant needed) {
    Instant greatest = seen.marks().get(partition).greatest();
    return !seen.idle(partition, policy) && (greatest == null || greatest.isBefore(needed));
  }

  private boolean byPartition() {
    return rule == LateRule.EVENT_TIME_WATERMARK || rule == LateRule.STREAMS_WINDOW;
  }

  private IntStream partitions() {
    return IntStream.range(0, seen.marks().size());
  }
}
