package dev.deliverylab.web;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Ranges of the REST contract that several calls share. */
final class Limits {

  static final int MAX_LIMIT = 1_000;

  private Limits() {}

  static void limit(int limit) {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException("limit: 1 to " + MAX_LIMIT + "; it was " + limit);
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

  static Instant instant(@Nullable Object value) {
    String allowed = "\"value\": a time with its zone, as in 2026-01-04T09:17:02Z";
    if (!(value instanceof String text)) {
      throw new IllegalArgumentException(allowed);
    }
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(allowed + "; it was '" + text + "'", e);
    }
  }
}
