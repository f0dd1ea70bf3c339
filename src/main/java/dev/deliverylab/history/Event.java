package dev.deliverylab.history;

import java.math.BigInteger;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened.
 *
 * @param seq place in the history of the whole lab, from 1, without gaps
 * @param lane the lane it happened in, or null for what concerns all
 * @param life the lane's life, from 1
 * @param kind what sort of thing
 * @param step the step's word, for {@link Kind#STEP} and {@link Kind#CRASHED}
 * @param batch which non-empty poll of the life, from 1
 * @param record the record's place in the batch, from 1
 * @param attempt which reading of this offset by the lane, from 1, as far as its history remembers
 * @param text one plain sentence, for people
 */
public record Event(
    long seq,
    Instant at,
    @Nullable String lane,
    @Nullable Integer life,
    Kind kind,
    @Nullable String step,
    @Nullable Integer batch,
    @Nullable Integer record,
    @Nullable BigInteger orderId,
    @Nullable Integer partition,
    @Nullable Long offset,
    @Nullable Integer attempt,
    String text) {

  /** What sort of thing happened. */
  public enum Kind {
    STEP,
    STARTED,
    STOPPED,
    PAUSED,
    RESUMED,
    ARMED,
    DISARMED,
    CRASHED,
    FAILED,
    FENCED,
    REPLAYED,
    EXPERIMENT,
    APPENDED,
    ALERT
  }
}
