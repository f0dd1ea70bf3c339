package dev.deliverylab.scenario;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A run as text for people and as CSV for sheets. */
public final class Report {

  private final Run run;

  public Report(Run run) {
    this.run = run;
  }

  /** One line a step; below a step that is not well, each field that differs. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append("scenario ")
        .append(run.scenario())
        .append(", run ")
        .append(run.id())
        .append("\n\n");
    for (Run.Step step : run.steps()) {
      text.append(step.ok() ? "  ok     " : "  WRONG  ").append(step.action());
      if (step.ok()) {
        text.append(": ").append(words(step.observed()));
      } else if (step.expected() instanceof Map<?, ?> expected
          && step.observed() instanceof Map<?, ?> observed) {
        expected.forEach(
            (name, value) -> {
              if (!Objects.equals(plain(value), plain(observed.get(name)))) {
                text.append("\n           ")
                    .append(name)
                    .append(": expected ")
                    .append(plain(value))
                    .append(", observed ")
                    .append(plain(observed.get(name)));
              }
            });
        Object difference = observed.get("difference");
        if (difference != null) {
          text.append("\n           ").append(difference);
        }
      } else {
        text.append("\n           ").append(words(step.observed()));
      }
      text.append('\n');
    }
    long wrong = run.steps().stream().filter(step -> !step.ok()).count();
    return text.append('\n')
        .append(run.state())
        .append(": ")
        .append(run.steps().size())
        .append(" of ")
        .append(run.planned())
        .append(" steps done, ")
        .append(wrong)
        .append(" not well\n")
        .toString();
  }

  /** A header and one line a step; RFC 4180. */
  public String csv() {
    return run.steps().stream()
        .map(
            step ->
                List.of(
                    step.action(),
                    step.expected() == null ? "" : words(step.expected()),
                    words(step.observed()),
                    String.valueOf(step.ok())))
        .map(cells -> cells.stream().map(Report::cell).collect(Collectors.joining(",")) + "\r\n")
        .collect(Collectors.joining("", "action,expected,observed,ok\r\n", ""));
  }

  private static String words(@Nullable Object value) {
    return value instanceof Map<?, ?> fields
        ? fields.entrySet().stream()
            .map(field -> field.getKey() + " " + plain(field.getValue()))
            .collect(Collectors.joining(", "))
        : plain(value);
  }

  /** The same words before a run is stored and after it is read again. */
  private static String plain(@Nullable Object value) {
    if (value instanceof Map<?, ?> fields) {
      return "(" + words(fields) + ")";
    }
    if (value instanceof List<?> items) {
      return items.stream()
          .map(item -> item == null ? "none" : item.toString())
          .collect(Collectors.joining(", ", "[", "]"));
    }
    return value == null ? "unknown" : value.toString();
  }

  /** Always in quotes; a sheet must not take a cell for a formula. */
  private static String cell(String text) {
    String safe = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    return '"' + safe.replace("\"", "\"\"") + '"';
  }
}
