package dev.deliverylab.time;

import dev.deliverylab.guarantee.Promise;
import dev.deliverylab.guarantee.Rule;
import dev.deliverylab.guarantee.Step;
import dev.deliverylab.sink.Fate;
import dev.deliverylab.sink.Shape;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
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
  },

  /**
   * Kafka Streams' own: each partition has its time, and is judged by it alone. The engine judges;
   * what is here says the same, for the curve and for a test that holds the two together. There is
   * no idle time, and no limit on events from the future.
   */
  STREAMS_WINDOW(
      "streams-window",
      "stream time = greatest event time of the partition;"
          + " late when stream time − grace ≥ window end") {
    @Override
    @Nullable Instant reached(Seen seen, Policy policy) {
      return seen.lowest(policy);
    }

    @Override
    @Nullable Instant watermark(ArrivedOrder order, Seen seen, Policy policy) {
      Instant streamTime = seen.marks().get(order.partition()).greatest();
      return streamTime == null ? null : streamTime.minus(policy.bound());
    }

    @Override
    public Rule loop(Late late) {
      return new Rule(
          label(),
          Promise.NEITHER,
          Shape.WINDOWS,
          Rule.Keeper.GROUP,
          List.of(Step.POLL, Step.BEGIN, Step.EFFECT, Step.SEND_OFFSETS, Step.COMMIT_TX));
    }

    @Override
    public Policy first() {
      return new Policy(
          Policy.FIRST.window(), Policy.FIRST.bound(), Policy.FIRST.late(), null, null);
    }

    @Override
    public void check(Policy policy) {
      if (policy.idleAfter() != null || policy.maxAhead() != null) {
        throw new IllegalArgumentException(
            "streams-window has no idleSeconds and no maxAheadSeconds: Kafka Streams knows neither;"
                + " it takes windowSeconds, boundSeconds (its grace) and late");
      }
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

  /** The watermark that an order is judged by, once it has moved it; null: none. */
  @Nullable Instant watermark(ArrivedOrder order, Seen seen, Policy policy) {
    return seen.watermark();
  }

  boolean late(ArrivedOrder order, Window window, Seen seen, Policy policy) {
    return window.passedBy(watermark(order, seen, policy));
  }

  /** The loop of a lane that does this with late records. */
  public Rule loop(Late late) {
    List<Step> steps =
        new ArrayList<>(
            List.of(Step.POLL, Step.BEGIN, Step.EFFECT, Step.STORE_OFFSET, Step.COMMIT_TX));
    if (late == Late.SIDE_OUTPUT) {
      steps.add(Step.SEND);
    }
    return new Rule(label, Promise.NEITHER, Shape.WINDOWS, Rule.Keeper.SINK, steps);
  }

  /**
   * The rule of this name.
   *
   * @throws IllegalArgumentException listing the names there are
   */
  public static LateRule named(String label) {
    return Arrays.stream(values())
        .filter(rule -> rule.label.equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no window lane '"
                        + (label.length() > 40 ? label.substring(0, 40) + "…" : label)
                        + "'; the window lanes are "
                        + Arrays.stream(values())
                            .map(LateRule::label)
                            .collect(Collectors.joining(", "))));
  }

  /** What its lane follows until it is told otherwise. */
  public Policy first() {
    return Policy.FIRST;
  }

  /**
   * @throws IllegalArgumentException if the rule cannot follow it, saying what it can
   */
  public void check(Policy policy) {}

  /** What {@link Policy#text} wrote; the first policy, if the text is empty. */
  Policy policy(String text) {
    return text.isEmpty() ? first() : Policy.parse(text);
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
    return new Judgement(record, window, watermark(order, seen, policy), fate);
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
