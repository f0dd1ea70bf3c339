package dev.deliverylab.lane;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * What the lab remembers of a lane when it is killed.
 *
 * @param id experiment or time log, and lane: {@code 7:at-least-once}
 * @param state as last told; a lane that was running when the lab was killed is found CRASHED
 * @param life number of the latest life; a number is stored before it is used, so none is used
 *     twice
 * @param generation which consumer group: a replay into a new group counts on
 * @param rewound whether its progress was ever moved back on purpose
 */
@Table("LANE")
record LaneRow(
    @Id String id,
    LaneState state,
    @Nullable String reason,
    int life,
    int generation,
    long crashes,
    long restarts,
    boolean rewound,
    @Nullable String diedAfter,
    @Nullable Integer diedRecord,
    @Nullable Integer diedBatch,
    @Nullable Instant diedAt) {

  static LaneRow fresh(String owner, String lane) {
    return new LaneRow(
        id(owner, lane), LaneState.STOPPED, null, 0, 1, 0, 0, false, null, null, null, null);
  }

  static String id(String owner, String lane) {
    return owner + ":" + lane;
  }

  LaneRow in(LaneState newState, @Nullable String newReason) {
    return new LaneRow(
        id,
        newState,
        newReason,
        life,
        generation,
        crashes,
        restarts,
        rewound,
        diedAfter,
        diedRecord,
        diedBatch,
        diedAt);
  }

  LaneRow nextLife(boolean restart) {
    return new LaneRow(
        id,
        LaneState.RUNNING,
        null,
        life + 1,
        generation,
        crashes,
        restarts + (restart ? 1 : 0),
        rewound,
        diedAfter,
        diedRecord,
        diedBatch,
        diedAt);
  }

  LaneRow died(
      @Nullable String after, @Nullable Integer record, @Nullable Integer batch, Instant at) {
    return new LaneRow(
        id,
        LaneState.CRASHED,
        null,
        life,
        generation,
        crashes + 1,
        restarts,
        rewound,
        after,
        record,
        batch,
        at);
  }

  /**
   * @param back whether some partition moved back, so that records are read again
   */
  LaneRow replayed(int newGeneration, boolean back) {
    return new LaneRow(
        id,
        state,
        reason,
        life,
        newGeneration,
        crashes,
        restarts,
        rewound || back,
        diedAfter,
        diedRecord,
        diedBatch,
        diedAt);
  }
}
