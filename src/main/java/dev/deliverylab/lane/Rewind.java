package dev.deliverylab.lane;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where a replay goes to.
 *
 * @param to {@code earliest}, {@code latest}, {@code offset}, {@code timestamp} or {@code shift}
 * @param number the offset or the shift in records; ignored for the others
 * @param timestamp for {@code timestamp}: the first record with this event time or a later one
 * @param partition one partition, or null for all
 * @param newGroup whether a new group reads, so that the old one's progress stays as it is
 */
public record Rewind(
    Target to,
    @Nullable Long number,
    @Nullable Instant timestamp,
    @Nullable Integer partition,
    boolean newGroup) {

  public Rewind {
    if (newGroup && partition != null) {
      throw new IllegalArgumentException(
          "a new group reads every partition: leave out \"partition\", or say \"group\":\"same\"");
    }
  }

  /** The ways to name a position. */
  public enum Target {
    EARLIEST,
    LATEST,
    OFFSET,
    TIMESTAMP,
    SHIFT
  }

  /** What a replay moves, or would move. */
  public record Plan(String group, List<Move> partitions) {}

  /**
   * @param from the position before, null if there was none
   * @param records how many records there are now from the new position to the end
   */
  public record Move(int partition, @Nullable Long from, long to, long records) {}

  /**
   * Plans the moves; changes nothing.
   *
   * @throws IllegalArgumentException naming the range, if an offset lies outside it
   */
  Plan plan(
      String group,
      Map<Integer, Long> committed,
      Map<Integer, Long> start,
      Map<Integer, Long> end,
      Map<Integer, Long> atTimestamp) {
    if (partition != null && !end.containsKey(partition)) {
      throw new IllegalArgumentException(
          "there is no partition "
              + partition
              + "; partitions count from 0 to "
              + (end.size() - 1));
    }
    Map<Integer, Move> moves = new TreeMap<>();
    for (int each : end.keySet()) {
      if (partition != null && partition != each) {
        continue;
      }
      long first = start.getOrDefault(each, 0L);
      long last = end.getOrDefault(each, first);
      Long from = newGroup ? null : committed.get(each);
      long target =
          switch (to) {
            case EARLIEST -> first;
            case LATEST -> last;
            case TIMESTAMP -> {
              long found = atTimestamp.getOrDefault(each, -1L);
              yield found < 0 ? last : found;
            }
            case OFFSET -> java.util.Objects.requireNonNull(number);
            case SHIFT -> {
              long base = committed.getOrDefault(each, first);
              long by = java.util.Objects.requireNonNull(number);
              yield base + Math.max(first - base, Math.min(last - base, by));
            }
          };
      if (target < first || target > last) {
        throw new IllegalArgumentException(
            "offset "
                + target
                + " lies outside partition "
                + each
                + ", which allows "
                + first
                + " to "
                + last);
      }
      moves.put(each, new Move(each, from, target, last - target));
    }
    return new Plan(group, List.copyOf(moves.values()));
  }
}
