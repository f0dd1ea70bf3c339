package dev.deliverylab.time;

import dev.deliverylab.sink.Fate;

/** What happens to a late record. */
public enum Late {
  /** It is left out, and counted. */
  DROP("drop", Fate.DROPPED),
  /** It goes to a topic of its own, with all that explains it. */
  SIDE_OUTPUT("side-output", Fate.SIDE),
  /** Its window is published again, with the next revision. */
  RESTATE("restate", Fate.RESTATED);

  private final String label;
  private final Fate fate;

  Late(String label, Fate fate) {
    this.label = label;
    this.fate = fate;
  }

  /** The word for it in REST, scenarios and pages. */
  public String label() {
    return label;
  }

  Fate fate() {
    return fate;
  }

  /**
   * @throws IllegalArgumentException listing the words there are
   */
  public static Late of(String label) {
    for (Late late : values()) {
      if (late.label.equals(label)) {
        return late;
      }
    }
    throw new IllegalArgumentException(
        "\"late\": drop, side-output or restate; it was '" + label + "'");
  }
}
