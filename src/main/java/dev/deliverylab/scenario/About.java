package dev.deliverylab.scenario;

import java.util.Locale;

/** What a scenario is about: its run makes a new one of it, and leaves the other alone. */
public enum About {
  /** The ten lanes on the log of orders. */
  EXPERIMENT,
  /** The window lanes on the time log. */
  TIME;

  /** Its name in REST, and at the top of a scenario's file. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
