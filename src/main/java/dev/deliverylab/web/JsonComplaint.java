package dev.deliverylab.web;

import dev.deliverylab.log.OrderRefused;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/**
 * What is wrong with a JSON body, said to the one who wrote it: which field, and what it takes. The
 * parser's own sentences name classes and settings, which are nobody's business.
 */
final class JsonComplaint {

  private static final int SHOWN = 40;

  private JsonComplaint() {}

  static String of(JacksonException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof OrderRefused refused) {
        return place(e) + ": " + refused.getMessage();
      }
    }
    if (e instanceof UnrecognizedPropertyException unknown) {
      return "'" + shown(unknown.getPropertyName()) + "' is not known here" + allowed(unknown);
    }
    if (e instanceof InputCoercionException) {
      return place(e) + " is a whole number, and this one is too large";
    }
    if (e instanceof MismatchedInputException wrong) {
      return mismatch(wrong);
    }
    if (e instanceof UnexpectedEndOfInputException) {
      return "the body is not JSON: it ends too early";
    }
    if (e instanceof StreamConstraintsException) {
      return "the body is not acceptable: it is nested too deeply, or a name or a number in it is"
          + " too long"
          + where(e);
    }
    return String.valueOf(e.getOriginalMessage()).startsWith("Duplicate")
        ? "a field is given twice" + where(e)
        : "the body is not JSON" + where(e);
  }

  private static String mismatch(MismatchedInputException wrong) {
    if (wrong.getPath().isEmpty()) {
      return String.valueOf(wrong.getOriginalMessage()).startsWith("Trailing")
          ? "the body is one JSON object, with nothing behind it"
          : "the body is a JSON object";
    }
    return place(wrong) + " is " + kind(wrong.getTargetType());
  }

  private static String kind(@Nullable Class<?> type) {
    if (type == Integer.class || type == Long.class || type == BigInteger.class) {
      return "a whole number";
    }
    if (type == Boolean.class) {
      return "true or false";
    }
    if (type == String.class) {
      return "a string";
    }
    return type != null && Collection.class.isAssignableFrom(type) ? "a list" : "a JSON object";
  }

  private static String allowed(UnrecognizedPropertyException unknown) {
    Collection<Object> known = unknown.getKnownPropertyIds();
    return known == null || known.isEmpty()
        ? ""
        : "; this takes " + known.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  /** {@code records[2]}, {@code generate.count}. */
  private static String place(JacksonException e) {
    StringBuilder place = new StringBuilder();
    List<JacksonException.Reference> path = e.getPath();
    for (JacksonException.Reference step : path) {
      if (step.getPropertyName() == null) {
        place.append('[').append(step.getIndex()).append(']');
      } else {
        place.append(place.isEmpty() ? "" : ".").append(step.getPropertyName());
      }
    }
    return place.isEmpty() ? "a value" : place.toString();
  }

  private static String where(JacksonException e) {
    TokenStreamLocation at = e.getLocation();
    return at == null || at.getLineNr() < 1
        ? ""
        : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
  }

  private static String shown(String name) {
    return name.length() <= SHOWN ? name : name.substring(0, SHOWN) + "…";
  }
}
