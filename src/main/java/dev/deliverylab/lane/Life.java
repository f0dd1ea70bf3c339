package dev.deliverylab.lane;

import dev.deliverylab.log.InLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One life of a lane. It starts once and ends once: stopped, dead or failed. */
public interface Life {

  /** How long a lane may take to be given its partitions. */
  Duration JOIN_TIMEOUT = Duration.ofSeconds(20);

  int number();

  /** Starts and waits until the lane has its partitions; false when it did not get them in time. */
  boolean start() throws InterruptedException;

  /**
   * Ends politely: what is in hand is finished, the client closes as it likes.
   *
   * @return false when it did not come to an end; it lives on then
   */
  boolean stop() throws InterruptedException;

  /** Stops reading without leaving the group; returns when no more records will come. */
  boolean pause() throws InterruptedException;

  boolean resume() throws InterruptedException;

  /**
   * The end without goodbye; the caller has cut the Kafka connections already. Cuts the sink, wakes
   * the threads and lets them unwind. May be called on one of the life's own threads.
   */
  void die();

  /** Waits until a dead life's threads are gone; false when time ran out first. */
  boolean awaitGone(Duration timeout) throws InterruptedException;

  boolean isOver();

  /** Non-empty polls so far. */
  int batches();

  @Nullable Now now();

  /**
   * Records that a poll has returned and whose batch is not finished. Empty once the life is over.
   */
  List<? extends InLog> inHand();

  /** The next offsets behind everything that this life has polled. */
  Map<Integer, Long> position();

  /**
   * What the polls before the latest one returned, as next offsets: what the client may have
   * committed by now.
   */
  Map<Integer, Long> polledBefore();

  /** What a life tells while it lives. Called on its own threads. */
  interface Watcher {
    void stepDone(Life life, Now place);

    /** The loop threw: this is no crash, but the life is over. */
    void failed(Life life, Throwable cause);
  }
}
