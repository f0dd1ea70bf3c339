package dev.deliverylab.lane;

/** Where lanes are remembered. What was saved survives a kill of the process. */
interface LaneRows {

  /** The lane as it was last saved, or a fresh one. */
  LaneRow find(String owner, String lane);

  void save(LaneRow row);
}
