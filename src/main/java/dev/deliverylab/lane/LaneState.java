package dev.deliverylab.lane;

/** Where a lane is between its first start and its end. */
public enum LaneState {
  /** Not running, by order. Its group keeps its progress. */
  STOPPED,
  /** In its group, polling and working. */
  RUNNING,
  /** In its group, working off nothing: it polls so as to stay a member, and gets no records. */
  PAUSED,
  /** Died at a crash point, at once, or with the whole lab. Nothing was tidied up. */
  CRASHED,
  /** Shut out by a newer instance of itself: what it writes is refused. */
  FENCED,
  /** Stopped by an error that is no crash: the reason says which. */
  FAILED
}
