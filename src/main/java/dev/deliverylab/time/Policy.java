package dev.deliverylab.time;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a window lane is told.
 *
 * @param window the windows' size, from a second to a day
 * @param bound how long it waits for late records, from nothing to a year
 * @param late what becomes of those that come later still
 * @param idleAfter a partition without records for this long, by the clock, holds the watermark
 *     back no more; null: it does for ever
 * @param maxAhead how far after its own arrival an event's time may lie and still push the
 *     watermark; what claims to be from further in the future counts as if from there; null: any
 *     event does
 */
public record Policy(
    Duration window,
    Duration bound,
    Late late,
    @Nullable Duration idleAfter,
    @Nullable Duration maxAhead) {

  private static final String NONE = "-";
  public static final Duration MAX_WINDOW = Duration.ofDays(1);
  public static final Duration MAX_BOUND = Duration.ofDays(365);

  /** What our own rules follow until they are told otherwise. */
  public static final Policy FIRST =
      new Policy(
          Duration.ofMinutes(5), Duration.ofMinutes(10), Late.DROP, null, Duration.ofMinutes(1));

  /**
   * @throws IllegalArgumentException naming the field and what it allows
   */
  public Policy {
    if (window.compareTo(Duration.ofSeconds(1)) < 0
        || window.compareTo(MAX_WINDOW) > 0
        || window.toMillis() % 1000 != 0) {
      throw new IllegalArgumentException("windowSeconds: 1 to 86400 (a day), whole seconds");
    }
    if (bound.isNegative() || bound.compareTo(MAX_BOUND) > 0) {
      throw new IllegalArgumentException("boundSeconds: 0 to 31536000 (a year)");
    }
    if (idleAfter != null
        && (idleAfter.isNegative() || idleAfter.isZero() || idleAfter.compareTo(MAX_BOUND) > 0)) {
      throw new IllegalArgumentException("idleSeconds: 1 to 31536000 (a year), or null for never");
    }
    if (maxAhead != null && (maxAhead.isNegative() || maxAhead.compareTo(MAX_BOUND) > 0)) {
      throw new IllegalArgumentException(
          "maxAheadSeconds: 0 to 31536000 (a year), or null for no limit");
    }
  }

  /** All of it in one line, which {@link #parse} reads. */
  String text() {
    return String.join(
        " ", window.toString(), bound.toString(), late.label(), text(idleAfter), text(maxAhead));
  }

  private static String text(@Nullable Duration duration) {
    return duration == null ? NONE : duration.toString();
  }

  /** What {@link #text} wrote. */
  static Policy parse(String text) {
    String[] words = text.split(" ", -1);
    return new Policy(
        Duration.parse(words[0]),
        Duration.parse(words[1]),
        Late.of(words[2]),
        duration(words[3]),
        duration(words[4]));
  }

  private static @Nullable Duration duration(String word) {
    return word.equals(NONE) ? null : Duration.parse(word);
  }
}
