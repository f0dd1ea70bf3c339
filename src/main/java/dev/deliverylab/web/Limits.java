package dev.deliverylab.web;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Ranges of the REST contract that several calls share. */
final class Limits {

  static final int MAX_LIMIT = 1_000;
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private Limits() {}

  static void limit(int limit) {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException("limit: 1 to " + MAX_LIMIT + "; it was " + limit);
    }
  }

  static void after(long after) {
    if (after < 0) {
      throw new IllegalArgumentException(
          "after: the \"next\" of an earlier answer, 0 or more; it was " + after);
    }
  }

  static long wholeNumber(@Nullable Object value, String allowed) {
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    if (value instanceof BigInteger) {
      throw new IllegalArgumentException(allowed + "; it was out of every range: " + value);
    }
    throw new IllegalArgumentException(
        allowed + "; it was " + (value == null ? "left out" : "'" + value + "'"));
  }

  static Instant instant(String name, @Nullable Object value) {
    String allowed = "\"" + name + "\": a time with its zone, as in 2026-01-04T09:17:02Z";
    if (!(value instanceof String text)) {
      throw new IllegalArgumentException(allowed);
    }
    try {
      Instant instant = OffsetDateTime.parse(text).toInstant();
      if (instant.isBefore(Instant.EPOCH) || instant.isAfter(LAST)) {
        throw new IllegalArgumentException(
            allowed + ", between the years 1970 and 9999; it was '" + text + "'");
      }
      return instant;
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(allowed + "; it was '" + text + "'", e);
    }
  }

  /**
   * What to ask the next page for: the caller asked for one more than it shows, so that a page that
   * is exactly full is known for the last.
   *
   * @param found at most {@code limit} + 1
   * @param place of a shown item, for the next page to start behind
   */
  static <T> @Nullable Long next(List<T> found, int limit, ToLongFunction<T> place) {
    return found.size() <= limit ? null : place.applyAsLong(found.get(limit - 1));
  }

  static <T> List<T> shown(List<T> found, int limit) {
    return found.size() <= limit ? found : found.subList(0, limit);
  }
}
