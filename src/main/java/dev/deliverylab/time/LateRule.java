package dev.deliverylab.time;

import dev.deliverylab.sink.Fate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When a record is too late for its window. A record first moves the time, then it is judged. */
public enum LateRule {

  /** Each record against its own arrival. There is no watermark, so no window is ever final. */
  PER_RECORD("per-record", "late when arrival − event time > bound") {
    @Override
    @Nullable Instant reached(Seen seen, Policy policy) {
      return null;
    }

    @Override
    boolean late(ArrivedOrder order, Window window, Seen seen, Policy policy) {
      return order.lateness().compareTo(policy.bound()) > 0;
    }
  },

  /** The clock closes windows, even where nothing arrives; a slow source loses what it held. */
  ARRIVAL_WATERMARK(
      "arrival-watermark", "watermark = clock − bound; late when watermark ≥ window end") {
    @Override
    @Nullable Instant reached(Seen seen, Policy policy) {
      return seen.clock();
    }
  },

  /** Only newer events close windows: in silence all stay open, however long it lasts. */
  EVENT_TIME_WATERMARK(
      "event-time-watermark",
      "watermark = greatest event time, of the partition where it is lowest, − bound;"
          + " late when watermark ≥ window end") {
    @Override
    @Nullable Instant reached(Seen seen, Policy policy) {
      return seen.lowest(policy);
    }
  };

  private final String label;
  private final String formula;

  LateRule(String label, String formula) {
    this.label = label;
    this.formula = formula;
  }

  /** The time this rule takes to be complete, before the bound is taken off; null: none yet. */
  abstract @Nullable Instant reached(Seen seen, Policy policy);

  boolean late(ArrivedOrder order, Window window, Seen seen, Policy policy) {
    return window.passedBy(seen.watermark());
  }

  /**
   * What becomes of a record.
   *
   * @param seen what was seen up to this record, the record included
   */
  public Judgement judge(TimeRecord record, Seen seen, Policy policy) {
    if (!(record instanceof ArrivedOrder order)) {
      return new Judgement(record, null, seen.watermark(), Fate.CLOCK);
    }
    Window window = Window.of(order.order().eventTime(), policy.window());
    boolean late = late(order, window, seen, policy);
    Fate fate = late ? policy.late().fate() : Fate.ACCEPTED;
    return new Judgement(record, window, seen.watermark(), fate);
  }

  /** The name of the lane that follows it. */
  public String label() {
    return label;
  }

  /** The rule in one line, for people. */
  public String formula() {
    return formula;
  }
}
