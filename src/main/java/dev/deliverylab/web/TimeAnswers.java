package dev.deliverylab.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.deliverylab.lane.Standing;
import dev.deliverylab.sink.LedgerRow;
import dev.deliverylab.time.Policy;
import dev.deliverylab.time.TimeSnapshot;
import dev.deliverylab.time.WindowLaneSnapshot;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the time room answers, in the words of REST. */
final class TimeAnswers {

  private TimeAnswers() {}

  record Time(
      long log,
      int partitions,
      int batchSize,
      TimeSnapshot.ClockView clock,
      long records,
      long ahead,
      @JsonProperty("true") BigDecimal trueRevenue,
      List<Lane> lanes) {

    static Time of(TimeSnapshot snapshot) {
      return new Time(
          snapshot.log(),
          snapshot.partitions(),
          snapshot.batchSize(),
          snapshot.clock(),
          snapshot.records(),
          snapshot.ahead(),
          snapshot.trueRevenue(),
          snapshot.lanes().stream().map(Lane::of).toList());
    }
  }

  /** Minutes only where they are whole. */
  record PolicyAnswer(
      @Nullable Long windowMinutes,
      long windowSeconds,
      @Nullable Long boundMinutes,
      long boundSeconds,
      String late,
      @Nullable Long idleSeconds,
      @Nullable Long maxAheadSeconds) {

    static PolicyAnswer of(Policy policy) {
      return new PolicyAnswer(
          minutes(policy.window()),
          policy.window().toSeconds(),
          minutes(policy.bound()),
          policy.bound().toSeconds(),
          policy.late().label(),
          seconds(policy.idleAfter()),
          seconds(policy.maxAhead()));
    }

    private static @Nullable Long seconds(@Nullable Duration duration) {
      return duration == null ? null : duration.toSeconds();
    }

    private static @Nullable Long minutes(Duration duration) {
      return duration.toSeconds() % 60 == 0 ? duration.toMinutes() : null;
    }
  }

  record LateCounts(long dropped, long side, long restated, BigDecimal sideRevenue) {}

  record Lane(
      String lane,
      String rule,
      String state,
      @Nullable String reason,
      List<String> steps,
      Standing.@Nullable Armed armed,
      Standing.@Nullable LastCrash lastCrash,
      int run,
      long crashes,
      PolicyAnswer policy,
      @Nullable Instant watermark,
      @Nullable Integer heldBackBy,
      List<Integer> idle,
      @Nullable String waiting,
      long accepted,
      LateCounts late,
      BigDecimal emitted,
      BigDecimal closed,
      @JsonProperty("true") BigDecimal trueRevenue,
      BigDecimal missing,
      @Nullable BigDecimal missingShare,
      long openWindows,
      long openEvents,
      @Nullable Long answeredAfterSeconds,
      @Nullable Long engineDropped,
      Map<Integer, Long> committed,
      long lag,
      List<Window> windows,
      boolean moreWindows) {

    static Lane of(WindowLaneSnapshot s) {
      return new Lane(
          s.lane(),
          s.rule(),
          s.state().name(),
          s.reason(),
          s.steps(),
          s.armed(),
          s.lastCrash(),
          s.run(),
          s.crashes(),
          PolicyAnswer.of(s.policy()),
          s.watermark(),
          s.heldBackBy(),
          s.idle(),
          s.waiting(),
          s.accepted(),
          new LateCounts(
              s.late().dropped(), s.late().side(), s.late().restated(), s.late().sideRevenue()),
          s.emitted(),
          s.closed(),
          s.trueRevenue(),
          s.missing(),
          s.missingShare(),
          s.openWindows(),
          s.openEvents(),
          s.answeredAfterSeconds(),
          s.engineDropped(),
          s.committed(),
          s.lag(),
          s.windows().stream().map(Window::of).toList(),
          s.moreWindows());
    }
  }

  record Window(
      Instant start,
      Instant end,
      long events,
      BigDecimal revenue,
      long maxLatenessSeconds,
      int revision,
      @JsonProperty("final") boolean isFinal,
      @JsonProperty("true") TrueWindow truth,
      List<WindowLaneSnapshot.Published> published) {

    static Window of(WindowLaneSnapshot.WindowView w) {
      return new Window(
          w.start(),
          w.end(),
          w.events(),
          w.revenue(),
          w.maxLatenessSeconds(),
          w.revision(),
          w.isFinal(),
          new TrueWindow(w.trueEvents(), w.trueRevenue(), w.trueMaxLatenessSeconds()),
          w.published());
    }
  }

  record TrueWindow(long events, BigDecimal revenue, long maxLatenessSeconds) {}

  record Windows(List<Window> windows, @Nullable String next) {}

  /**
   * @param latenessSeconds from the event to the arrival it was judged by
   * @param behindSeconds how far the watermark had passed the window's end; null without one
   */
  record LateRecord(
      long row,
      BigInteger orderId,
      String amount,
      Instant eventTime,
      Instant arrivalTime,
      int partition,
      long offset,
      Instant windowStart,
      Instant windowEnd,
      @Nullable Instant watermark,
      long latenessSeconds,
      @Nullable Long behindSeconds,
      String fate) {

    static LateRecord of(LedgerRow line) {
      var order = Objects.requireNonNull(line.order());
      Instant end = Objects.requireNonNull(line.windowEnd());
      Instant watermark = line.watermark();
      return new LateRecord(
          line.seq(),
          order.orderId(),
          order.amount().toPlainString(),
          order.eventTime(),
          line.arrivalTime(),
          line.partition(),
          line.offset(),
          Objects.requireNonNull(line.windowStart()),
          end,
          watermark,
          Math.max(0, Duration.between(order.eventTime(), line.arrivalTime()).toSeconds()),
          watermark == null ? null : Duration.between(end, watermark).toSeconds(),
          line.fate().name().toLowerCase(Locale.ROOT));
    }
  }

  record LateRecords(List<LateRecord> late, @Nullable Long next) {}
}
