package dev.deliverylab.lane;

import dev.deliverylab.fault.CrashPoint;

/**
 * How a life ends at a crash point. In the lab its connections are cut; in a process of its own
 * that process is killed.
 */
interface Executioner {

  /** Does not return while the lane could still do harm; the caller then unwinds. */
  void execute(Life life, CrashPoint point);
}
