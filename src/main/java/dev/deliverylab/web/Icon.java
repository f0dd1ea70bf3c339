package dev.deliverylab.web;

import dev.deliverylab.check.Cell;
import dev.deliverylab.check.Outcome;

/** A meaning's shape, word and colour class: the three always go together. */
enum Icon {
  RIGHT("ok", "right"),
  DOUBLED("dup", "doubled"),
  LOST("lost", "lost"),
  PENDING("pend", "pending"),
  CHANGED("changed", "other content"),
  UNKNOWN("unknown", "unknown");

  private final String id;
  private final String word;

  Icon(String id, String word) {
    this.id = id;
    this.word = word;
  }

  /** Its name in the sprite and its CSS class. */
  public String id() {
    return id;
  }

  public String word() {
    return word;
  }

  static Icon of(Outcome outcome) {
    return switch (outcome) {
      case ONCE -> RIGHT;
      case DOUBLED -> DOUBLED;
      case LOST -> LOST;
      case PENDING -> PENDING;
      case CHANGED -> CHANGED;
      case UNKNOWN -> UNKNOWN;
    };
  }

  /** What a reader sees of an order: a row that a view hides does not count. */
  static String times(Cell cell) {
    return switch (cell.outcome()) {
      case PENDING -> "";
      case UNKNOWN -> "";
      case LOST -> "0×";
      default -> cell.times() + "×";
    };
  }
}
