package dev.deliverylab.guarantee;

/** One act in a lane's loop. The gap behind it is where a crash can be put. */
public enum Step {
  /** A batch has arrived; nothing is done with it yet. */
  POLL("poll"),
  /** The business write of one record. It is done once the sink would keep it through a kill. */
  EFFECT("effect"),
  /** The group's offsets are stored in Kafka and the broker has said so. */
  COMMIT("commit"),
  /** A transaction is open: what follows is undone by a death. */
  BEGIN("begin"),
  /** The position is written beside the data, in the open transaction: not yet kept. */
  STORE_OFFSET("store-offset"),
  /** The transaction is kept, data and position at once. */
  COMMIT_TX("commit-tx"),
  /** One output record is acknowledged, inside the open Kafka transaction. */
  SEND("send"),
  /** The group's offsets are part of the open Kafka transaction. */
  SEND_OFFSETS("send-offsets"),
  /** Another thread has the batch; the polling thread goes on, and so does its auto-commit. */
  HAND_OVER("hand-over");

  private final String label;

  Step(String label) {
    this.label = label;
  }

  /** The word for it in REST, scenarios and pages. */
  public String label() {
    return label;
  }

  /**
   * Whether it happens once for each record of a batch, so that its gap needs the record's place.
   */
  public boolean perRecord() {
    return this == EFFECT || this == SEND;
  }

  /**
   * @throws IllegalArgumentException listing the words there are
   */
  public static Step of(String label) {
    for (Step step : values()) {
      if (step.label.equals(label)) {
        return step;
      }
    }
    throw new IllegalArgumentException("no step is called '" + label + "'");
  }
}
