package dev.deliverylab.web;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A sentence in which each time stands by itself, so that it can be shown in another zone. */
record Said(List<Part> parts) {

  private static final Pattern TIME =
      Pattern.compile("[+-]?\\d{4,10}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?Z");

  /**
   * @param time null for plain text
   */
  record Part(String text, @Nullable Moment time) {}

  /** Finds the times, in ISO form, in a text. */
  static Said of(String text, Instant home) {
    List<Part> parts = new ArrayList<>();
    Matcher times = TIME.matcher(text);
    int from = 0;
    while (times.find()) {
      if (times.start() > from) {
        parts.add(new Part(text.substring(from, times.start()), null));
      }
      parts.add(new Part("", Moment.of(Instant.parse(times.group()), home)));
      from = times.end();
    }
    if (from < text.length()) {
      parts.add(new Part(text.substring(from), null));
    }
    return new Said(List.copyOf(parts));
  }

  /** As it reads in UTC. */
  String plain() {
    StringBuilder plain = new StringBuilder();
    for (Part part : parts) {
      plain.append(part.time() == null ? part.text() : part.time().text());
    }
    return plain.toString();
  }
}
