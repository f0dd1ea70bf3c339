package dev.deliverylab.time;

import dev.deliverylab.lane.Lane;
import dev.deliverylab.lane.LaneState;
import dev.deliverylab.lane.Standing;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A window lane as REST and pages show it. Unknown answers are null.
 *
 * @param rule its rule as a formula, for people
 * @param steps its loop, as words
 * @param armed the crash that waits, or null
 * @param now the step it is at; null when it does not run
 * @param lastCrash where it died last; null if it never did
 * @param run how often it began anew: a replay and a new policy each do; numbers are of this run
 * @param watermark null where the rule has none, or none yet
 * @param heldBackBy the partition with the lowest time, where there are several; else null
 * @param idle partitions that are left out because they are idle
 * @param waiting in words, what the open windows wait for; null if none is open
 * @param accepted records that came in time
 * @param emitted revenue that is counted in windows, open and restated ones included
 * @param closed revenue of final windows
 * @param trueRevenue revenue of all orders of the log
 * @param missing true revenue less emitted, of what the lane has read
 * @param missingShare missing, in percent of the true revenue, one decimal; null if that is zero
 * @param openEvents orders held in open windows: the lane's state
 * @param answeredAfterSeconds the longest time from the end of a final window to its first result,
 *     by the clock; null while there is none
 * @param engineDropped Kafka Streams' own count of dropped records, in this life; null for others
 */
public record WindowLaneSnapshot(
    String lane,
    String rule,
    LaneState state,
    @Nullable String reason,
    List<String> steps,
    Standing.@Nullable Armed armed,
    Standing.@Nullable Now now,
    Standing.@Nullable LastCrash lastCrash,
    int run,
    long crashes,
    Policy policy,
    @Nullable Instant watermark,
    @Nullable Integer heldBackBy,
    List<Integer> idle,
    @Nullable String waiting,
    long accepted,
    LateCounts late,
    BigDecimal emitted,
    BigDecimal closed,
    BigDecimal trueRevenue,
    BigDecimal missing,
    @Nullable BigDecimal missingShare,
    long openWindows,
    long openEvents,
    @Nullable Long answeredAfterSeconds,
    @Nullable Long engineDropped,
    SortedMap<Integer, Long> committed,
    long lag,
    List<WindowView> windows,
    boolean moreWindows) {

  /** Of a lane that nobody could look at yet. */
  static WindowLaneSnapshot nothing(Windowed hosted, Lane lane) {
    BigDecimal none = new BigDecimal("0.00");
    return new WindowLaneSnapshot(
        lane.name(),
        hosted.lateRule().formula(),
        lane.state(),
        lane.reason(),
        List.of(),
        null,
        null,
        null,
        1,
        lane.crashes(),
        hosted.policy(),
        null,
        null,
        List.of(),
        null,
        0,
        new LateCounts(0, 0, 0, none),
        none,
        none,
        none,
        none,
        null,
        0,
        0,
        null,
        null,
        new TreeMap<>(),
        0,
        List.of(),
        false);
  }

  /** The same numbers, of a lane that stands otherwise now. */
  WindowLaneSnapshot as(LaneState now, String why, Standing standing) {
    return new WindowLaneSnapshot(
        lane,
        rule,
        now,
        why,
        standing.steps(),
        standing.armed(),
        standing.now(),
        standing.lastCrash(),
        run,
        crashes,
        policy,
        watermark,
        heldBackBy,
        idle,
        waiting,
        accepted,
        late,
        emitted,
        closed,
        trueRevenue,
        missing,
        missingShare,
        openWindows,
        openEvents,
        answeredAfterSeconds,
        engineDropped,
        committed,
        lag,
        windows,
        moreWindows);
  }

  /**
   * @param sideRevenue what the side output holds
   */
  public record LateCounts(long dropped, long side, long restated, BigDecimal sideRevenue) {

    public long all() {
      return dropped + side + restated;
    }
  }

  /** A window and, beside it, what it would be with every order of the log in it. */
  public record WindowView(
      Instant start,
      Instant end,
      long events,
      BigDecimal revenue,
      long maxLatenessSeconds,
      int revision,
      boolean isFinal,
      long trueEvents,
      BigDecimal trueRevenue,
      long trueMaxLatenessSeconds,
      List<Published> published) {}

  /** One revision of a window's result. */
  public record Published(int revision, long events, BigDecimal revenue, Instant at) {}
}
