package dev.deliverylab.check;

/** What became of one order in one lane. */
public enum Outcome {
  /** Its effect is there once. */
  ONCE,
  /** Its effect is there more than once. */
  DOUBLED,
  /** No effect, and none will come. */
  LOST,
  /** No effect yet; one may still come. */
  PENDING,
  /**
   * Its one effect carries other content than the truth: a conflict that this lane's rule decided
   * otherwise.
   */
  CHANGED,
  /** The sink cannot tell single orders apart. */
  UNKNOWN
}
