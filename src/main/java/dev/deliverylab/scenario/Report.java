package dev.deliverylab.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A run in words: as rows, as text for people and as CSV for sheets. */
public final class Report {

  private final Run run;

  public Report(Run run) {
    this.run = run;
  }

  /**
   * One step in words.
   *
   * @param expected empty for an action that expects nothing
   * @param differences of a step that is not well what differs, one sentence a field
   */
  public record Row(
      String action, String expected, String observed, boolean ok, List<String> differences) {

    private static Row of(Run.Step step) {
      return new Row(
          step.action(),
          step.expected() == null ? "" : words(step.expected()),
          words(step.observed()),
          step.ok(),
          step.ok() ? List.of() : differing(step));
    }
  }

  /** The steps that are done, in order. */
  public List<Row> rows() {
    return run.steps().stream().map(Row::of).toList();
  }

  /** One line a step; below a step that is not well, each field that differs. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append("scenario ")
        .append(run.scenario())
        .append(", run ")
        .append(run.id())
        .append("\n\n");
    List<Row> rows = rows();
    for (Row row : rows) {
      text.append(row.ok() ? "  ok     " : "  WRONG  ").append(row.action());
      if (row.ok()) {
        text.append(": ").append(row.observed());
      }
      row.differences().forEach(line -> text.append("\n           ").append(line));
      text.append('\n');
    }
    return text.append('\n')
        .append(run.state())
        .append(": ")
        .append(rows.size())
        .append(" of ")
        .append(run.planned())
        .append(" steps done, ")
        .append(rows.stream().filter(row -> !row.ok()).count())
        .append(" not well\n")
        .toString();
  }

  /** A header and one line a step; RFC 4180. */
  public String csv() {
    return rows().stream()
        .map(row -> List.of(row.action(), row.expected(), row.observed(), String.valueOf(row.ok())))
        .map(cells -> cells.stream().map(Report::cell).collect(Collectors.joining(",")) + "\r\n")
        .collect(Collectors.joining("", "action,expected,observed,ok\r\n", ""));
  }

  private static List<String> differing(Run.Step step) {
    if (!(step.expected() instanceof Map<?, ?> expected
        && step.observed() instanceof Map<?, ?> observed)) {
      return List.of(words(step.observed()));
    }
    List<String> lines = new ArrayList<>();
    expected.forEach(
        (name, value) -> {
          String wanted = plain(value);
          String seen = plain(observed.get(name));
          if (!Objects.equals(wanted, seen)) {
            lines.add(name + ": expected " + wanted + ", observed " + seen);
          }
        });
    Object difference = observed.get("difference");
    if (difference != null) {
      lines.add(plain(difference));
    }
    return lines;
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
          .map(item -> item == null ? "none" : plain(item))
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
