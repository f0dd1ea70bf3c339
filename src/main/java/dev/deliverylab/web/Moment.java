package dev.deliverylab.web;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * A time as the page of time writes it: in UTC, so that it means the same without a script; a
 * script writes it again in the viewer's own zone.
 *
 * @param at in ISO form
 * @param as which of its parts are written: {@code near}: the time of day, or {@code full}
 */
record Moment(String at, String as, String text) {

  private static final Duration NEAR = Duration.ofHours(18);

  private static final DateTimeFormatter HM = utc("HH:mm");
  private static final DateTimeFormatter HMS = utc("HH:mm:ss");
  private static final DateTimeFormatter FULL = utc("uuuu-MM-dd HH:mm:ss");

  /**
   * @param home what the reader has in mind: a time far from it is written with its date
   */
  static Moment of(Instant time, Instant home) {
    if (Duration.between(home, time).abs().compareTo(NEAR) > 0) {
      return new Moment(time.toString(), "full", FULL.format(time));
    }
    DateTimeFormatter format = time.getEpochSecond() % 60 == 0 ? HM : HMS;
    return new Moment(time.toString(), "near", format.format(time));
  }

  private static DateTimeFormatter utc(String pattern) {
    return DateTimeFormatter.ofPattern(pattern).withZone(ZoneOffset.UTC);
  }
}
