package dev.deliverylab.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.Assertions;
import tools.jackson.databind.JsonNode;

/**
 * The table of scenarios with the numbers that a run observed, in Markdown. The README holds a copy
 * between two markers, and {@link #assertShownIn} finds the day on which it stops to agree.
 */
final class ScenarioTable {

  static final String START = "<!-- scenarios:start -->";
  static final String END = "<!-- scenarios:end -->";

  private final List<String> rows = new ArrayList<>();

  /** A run with one crash: what was observed behind the crash and behind the restart. */
  void add(JsonNode run) {
    String name = run.path("scenario").asString();
    String crash = "";
    List<JsonNode> seen = new ArrayList<>();
    for (JsonNode step : run.path("steps")) {
      String action = step.path("action").asString();
      if (action.startsWith("arm " + name + " ")) {
        crash = action.substring(("arm " + name + " ").length());
      } else if (action.equals("expect " + name)) {
        seen.add(step.path("observed"));
      }
    }
    Assertions.assertThat(seen).as(name + ": behind the crash and behind the restart").hasSize(2);
    JsonNode last = seen.get(1);
    rows.add(
        "| `%s` | %s | %s | %s | %s | %s |"
            .formatted(
                name,
                crash,
                numbers(seen.get(0)),
                numbers(last),
                answer(last.path("promiseKept")),
                answer(last.path("numberRight"))));
  }

  String markdown() {
    return """
    | scenario | crash point | after the crash | after the restart | promise kept | number right |
    |---|---|---|---|---|---|
    """
        + rows.stream().map(row -> row + "\n").collect(Collectors.joining());
  }

  /** Fails with the text to paste, if there is such a file and it says something else. */
  void assertShownIn(Path file) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    String text = Files.readString(file).replace("\r\n", "\n");
    int start = text.indexOf(START);
    int end = text.indexOf(END);
    String shown = start < 0 || end < start ? "" : text.substring(start + START.length(), end);
    Assertions.assertThat(shown.strip())
        .as(
            "%s between %s and %s; paste this:%n%s%n%n%s%n%s",
            file.getFileName(), START, END, START, markdown(), END)
        .isEqualTo(markdown().strip());
  }

  private static String numbers(JsonNode seen) {
    List<String> parts = new ArrayList<>();
    if (seen.path("distinct").isNull()) {
      parts.add("balance " + seen.path("total").asString());
    } else {
      parts.add(
          seen.path("rows").asString() + (seen.path("rows").asLong() == 1 ? " row" : " rows"));
      parts.add(seen.path("distinct").asString() + " distinct");
      parts.add(seen.path("total").asString());
    }
    JsonNode view = seen.path("view");
    if (view.isObject()) {
      parts.add("view " + view.path("rows").asString() + " rows, " + view.path("total").asString());
    }
    if (seen.path("lostIds").isArray()) {
      List<String> lost = new ArrayList<>();
      seen.path("lostIds").forEach(id -> lost.add(id.asString()));
      parts.add("lost " + String.join(" ", lost));
    }
    return String.join(", ", parts);
  }

  private static String answer(JsonNode answer) {
    return answer.isNull() ? "unknown" : answer.asBoolean() ? "yes" : "no";
  }
}
