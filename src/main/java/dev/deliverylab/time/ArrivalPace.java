package dev.deliverylab.time;

/** How the virtual clock follows what is to arrive. */
public enum ArrivalPace {
  /** Everything arrives at once; the clock jumps from arrival to arrival. */
  AT_ONCE("at-once", 0),
  /** A second is a second. */
  X1("x1", 1),
  /** A minute is a second. */
  X60("x60", 60),
  /** One record at each step that somebody asks for. */
  STEP("step", 0);

  private final String label;
  private final int speed;

  ArrivalPace(String label, int speed) {
    this.label = label;
    this.speed = speed;
  }

  public String label() {
    return label;
  }

  /** Seconds of the virtual clock in one of ours; 0 where it does not run by itself. */
  int speed() {
    return speed;
  }

  /**
   * @throws IllegalArgumentException listing the words there are
   */
  public static ArrivalPace of(String label) {
    for (ArrivalPace pace : values()) {
      if (pace.label.equals(label)) {
        return pace;
      }
    }
    throw new IllegalArgumentException(
        "\"pace\": at-once, x1, x60 or step; it was '" + label + "'");
  }
}
