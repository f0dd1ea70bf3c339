package dev.deliverylab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/**
 * The table of scenarios with the numbers that their runs observed, in Markdown. The README holds a
 * copy between two markers, and {@link #assertShownIn} finds the day on which it stops to agree.
 */
final class ScenarioTable {

  static final String START = "<!-- scenarios:start -->";
  static final String END = "<!-- scenarios:end -->";

  private final List<String> rows = new ArrayList<>();

  /** A run with one crash: what was observed behind the crash and behind the restart. */
  void add(JsonNode run) {
    String lane = run.path("scenario").asString();
    String crash = "";
    List<JsonNode> seen = new ArrayList<>();
    for (JsonNode step : run.path("steps")) {
      String action = step.path("action").asString();
      if (action.startsWith("arm " + lane + " ")) {
        crash = action.substring(("arm " + lane + " ").length());
      } else if (action.equals("expect " + lane)) {
        seen.add(step.path("observed"));
      }
    }
    assertThat(seen).as(lane + ": behind the crash and behind the restart").hasSize(2);
    JsonNode dead = seen.get(0);
    JsonNode last = seen.get(1);
    rows.add(
        List.of(
                "`" + lane + "`",
                crash,
                number(dead, "rows")
                    + (dead.path("rows").asLong() == 1 ? " row, " : " rows, ")
                    + present(dead, "total").asString(),
                rows(last),
                total(last),
                number(last, "duplicates"),
                lost(last),
                answer(last, "promiseKept"),
                answer(last, "numberRight"))
            .stream()
            .collect(Collectors.joining(" | ", "| ", " |\n")));
  }

  String markdown() {
    return """
    | lane | crash point | after the crash | rows | total | duplicates | lost | promise kept | number right |
    |---|---|---|---|---|---|---|---|---|
    """
        + String.join("", rows);
  }

  /** Keeps the table in this file, for somebody who wants to paste it. */
  void writeTo(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, markdown());
  }

  /** Fails with the text to paste if the file says something else between the markers. */
  void assertShownIn(Path file) throws IOException {
    String text = Files.readString(file).replace("\r\n", "\n");
    int start = text.indexOf(START);
    int end = text.indexOf(END);
    assertThat(start >= 0 && end > start)
        .as("%s has %s and %s", file.getFileName(), START, END)
        .isTrue();
    assertThat(text.substring(start + START.length(), end).strip())
        .as(
            "what %s says between %s and %s is not what the runs observed; replace it by:%n%n%s%n"
                + "(the same is in target/scenario-results.md)",
            file.getFileName(), START, END, markdown())
        .isEqualTo(markdown().strip());
  }

  private static String rows(JsonNode seen) {
    JsonNode view = seen.path("view");
    return number(seen, "rows") + (view.isObject() ? ", view " + number(view, "rows") : "");
  }

  private static String total(JsonNode seen) {
    JsonNode view = seen.path("view");
    return present(seen, "total").asString()
        + (view.isObject() ? ", view " + present(view, "total").asString() : "");
  }

  private static String lost(JsonNode seen) {
    String count = number(seen, "lost");
    JsonNode ids = seen.path("lostIds");
    return ids.isEmpty()
        ? count
        : StreamSupport.stream(ids.spliterator(), false)
            .map(JsonNode::asString)
            .collect(Collectors.joining(", ", count + ": ", ""));
  }

  private static String number(JsonNode seen, String name) {
    JsonNode number = present(seen, name);
    return number.isNull() ? "unknown" : number.asString();
  }

  private static String answer(JsonNode seen, String name) {
    JsonNode answer = present(seen, name);
    return answer.isNull() ? "unknown" : answer.asBoolean() ? "yes" : "**no**";
  }

  /** The table has no gaps: what a scenario does not look at would be one. */
  private static JsonNode present(JsonNode seen, String name) {
    JsonNode value = seen.path(name);
    assertThat(value.isMissingNode()).as("%s in %s", name, seen).isFalse();
    return value;
  }
}
