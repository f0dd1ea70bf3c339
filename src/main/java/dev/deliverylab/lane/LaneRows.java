package dev.deliverylab.lane;

/** Where lanes are remembered. What was saved survives a kill of the process. */
interface LaneRows {

  /** The lane as it was last saved, or a fresh one. */
  LaneRow find(long experiment, String lane);

  void save(LaneRow row);
}
