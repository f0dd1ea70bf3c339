package dev.deliverylab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.deliverylab.lane.Pace;
import dev.deliverylab.time.WindowLanes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Every bundled scenario on the real lab, by REST; and scenarios that must not pass. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScenariosIT {

  /** One crash and one restart of one lane: what the README's table shows. */
  private static final List<String> IN_THE_TABLE = Scenarios.names().subList(0, 10);

  private static final String ENDLESS =
      """
      name: endless
      steps:
        - start: at-least-once
        - await: {lane: at-least-once, condition: crashed, timeoutSeconds: 600}
      """;

  private final Map<String, JsonNode> played = new HashMap<>();
  private Lab lab;

  @BeforeAll
  void start(@TempDir Path folder) {
    lab = new Lab(folder.resolve("data"));
  }

  @AfterAll
  void end() {
    lab.close();
  }

  static Stream<String> bundled() {
    return Scenarios.names().stream();
  }

  @ParameterizedTest
  @MethodSource("bundled")
  void passes(String name) {
    JsonNode run = played(name);
    assertThat(run.path("state").asString())
        .as(lab.get("/api/runs/" + run.path("id").asLong() + "/report").body())
        .isEqualTo("PASSED");
    assertThat(run.propertyNames()).containsExactly("id", "scenario", "state", "steps");
    for (JsonNode step : run.path("steps")) {
      assertThat(step.propertyNames()).containsExactly("action", "expected", "observed", "ok");
    }
  }

  /** In slow motion the handoff lane's client commits less before the crash. */
  @Test
  void aRunGoesAtFullSpeed() {
    String slow = "{\"stepMillis\":700}";
    lab.post("/api/pace", "application/json", slow);
    try {
      JsonNode run = lab.ended(lab.post("/api/scenarios/auto-commit-handoff/runs").json());
      assertThat(run.path("state").asString()).isEqualTo("PASSED");
      assertThat(lab.context.getBean(Pace.class).perStep()).isZero();
    } finally {
      lab.post("/api/pace", "application/json", "{\"stepMillis\":0}");
    }
  }

  @Test
  void theTableOfTheReadmeIsWhatARunObserved() throws IOException {
    ScenarioTable table = new ScenarioTable();
    IN_THE_TABLE.forEach(name -> table.add(played(name)));
    table.writeTo(Path.of("target", "scenario-results.md"));
    table.assertShownIn(Path.of("README.md"));
  }

  @Test
  void aTableThatDiffersIsFound(@TempDir Path folder) throws IOException {
    ScenarioTable table = new ScenarioTable();
    table.add(played("at-least-once"));
    String right = ScenarioTable.START + "\n\n" + table.markdown() + "\n" + ScenarioTable.END;
    Path readme = Files.writeString(folder.resolve("README.md"), "# Lab\n" + right);
    table.assertShownIn(readme);
    Files.writeString(readme, right.replace("186.95", "75.00"));
    assertThatThrownBy(() -> table.assertShownIn(readme))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("README.md")
        .hasMessageContaining("target/scenario-results.md")
        .hasMessageContaining(table.markdown());
    Files.writeString(readme, "# Lab\n");
    assertThatThrownBy(() -> table.assertShownIn(readme)).hasMessageContaining(ScenarioTable.START);
  }

  @Test
  void oneWrongNumberFailsTheRunAndIsNamed() {
    String source = lab.get("/api/scenarios/at-least-once").body();
    String wrong = source.replace("rows: 7", "rows: 8");
    assertThat(wrong).isNotEqualTo(source);
    JsonNode run = own("application/yaml", wrong);
    assertThat(run.path("state").asString()).isEqualTo("FAILED");
    List<JsonNode> notWell = new ArrayList<>();
    run.path("steps").forEach(step -> notWell.add(step));
    notWell.removeIf(step -> step.path("ok").asBoolean());
    assertThat(notWell).hasSize(1);
    assertThat(notWell.get(0).path("action").asString()).isEqualTo("expect at-least-once");
    assertThat(notWell.get(0).path("expected").path("rows").asLong()).isEqualTo(8);
    assertThat(notWell.get(0).path("observed").path("rows").asLong()).isEqualTo(7);
    assertThat(run.path("steps").get(run.path("steps").size() - 1).path("action").asString())
        .as("it went on to its end")
        .isEqualTo("recount at-least-once");
    assertThat(lab.get("/api/runs/" + run.path("id").asLong() + "/report").body())
        .contains("rows: expected 8, observed 7");
  }

  @Test
  void anActionThatCannotBeDoneEndsTheRun() {
    JsonNode run =
        own(
            "application/json",
            """
            {"name":"mine","steps":[{"pause":"transactional"},{"start":"transactional"}]}
            """);
    assertThat(run.path("state").asString()).isEqualTo("FAILED");
    assertThat(run.path("steps")).hasSize(2);
    assertThat(run.path("steps").get(0).path("observed").asString()).contains("start it first");
    assertThat(run.path("steps").get(1).path("observed").asString()).contains("Ended here");
  }

  @Test
  void whatCannotHappenIsNotWaitedFor() {
    JsonNode run =
        own("text/yaml", "name: x\nsteps:\n  - await: {lane: transactional, condition: drained}\n");
    assertThat(run.path("steps").get(0).path("observed").asString())
        .isEqualTo("transactional is STOPPED and so will not be drained");
  }

  @Test
  void oneRunAtATimeAndItCanBeStopped() {
    JsonNode first = lab.post("/api/scenarios/runs", "application/x-yaml", ENDLESS).json();
    assertThat(first.path("state").asString()).isEqualTo("RUNNING");
    String path = "/api/runs/" + first.path("id").asLong();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> lab.get(path).json().path("steps").size() == 1);
    Lab.Answer second = lab.post("/api/scenarios/at-least-once/runs");
    assertThat(second.status()).isEqualTo(409);
    assertThat(second.json().path("detail").asString()).contains("endless").contains(path);
    JsonNode stopped = lab.delete(path).json();
    assertThat(stopped.path("state").asString()).isEqualTo("FAILED");
    assertThat(stopped.path("steps").get(1).path("observed").asString())
        .isEqualTo("Stopped before its end, by request.");
    assertThat(lab.delete(path).json()).as("over is over").isEqualTo(stopped);
    assertThat(lab.get("/api/runs?limit=1").json().path("runs").get(0)).isEqualTo(stopped);
  }

  @Test
  void aLongAppendIsStoppedInItsMiddleAndTheLogKeepsWhatItTook() {
    JsonNode run =
        lab.post(
                "/api/scenarios/runs",
                "application/json",
                """
                {"name":"long","steps":[{"append":{"generate":{"count":1000000}}},{"start":"all"}]}
                """)
            .json();
    String path = "/api/runs/" + run.path("id").asLong();
    await().atMost(Duration.ofMinutes(1)).until(() -> truth() > 0);
    JsonNode stopped = lab.delete(path).json();
    assertThat(stopped.path("state").asString()).isEqualTo("FAILED");
    assertThat(stopped.path("steps")).hasSize(2);
    String appended = stopped.path("steps").get(0).path("observed").asString();
    assertThat(appended).matches("[0-9]+ records, then the run was to end");
    assertThat(stopped.path("steps").get(0).path("ok").asBoolean()).isFalse();
    long acknowledged = Long.parseLong(appended.substring(0, appended.indexOf(' ')));
    assertThat(acknowledged).isBetween(1L, 999_999L);
    await().atMost(Duration.ofMinutes(1)).until(() -> truth() == acknowledged);
  }

  @Test
  void aReplacedExperimentEndsTheRun() {
    JsonNode run = lab.post("/api/scenarios/runs", "application/yaml", ENDLESS).json();
    String path = "/api/runs/" + run.path("id").asLong();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> lab.get(path).json().path("steps").size() == 1);
    assertThat(lab.post("/api/experiment", "application/json", "{}").status()).isEqualTo(200);
    JsonNode ended = lab.ended(run);
    assertThat(ended.path("state").asString()).isEqualTo("FAILED");
    assertThat(ended.path("steps").get(1).path("observed").asString())
        .isEqualTo("Somebody replaced the experiment of this run by a new one.");
  }

  @ParameterizedTest
  @CsvSource({
    "late-per-record,     missingShare: \"42.3\",  missingShare: \"42.4\", missingShare",
    "late-closing-record, watermark: \"2026-01-04T09:10:00Z\", watermark: \"2026-01-04T09:10:01Z\", watermark",
    "late-restated,       'published: [\"60.75\", \"123.95\"]', 'published: [\"60.75\"]', windows",
    "late-crash,          '{lane: all, accepted: 0', '{lane: all, accepted: 1', accepted"
  })
  void aWrongNumberOfTheWindowsFailsTheRunToo(
      String name, String right, String wrong, String figure) {
    String source = lab.get("/api/scenarios/" + name).body();
    assertThat(source).contains(right);
    JsonNode run = own("application/yaml", source.replace(right, wrong));
    assertThat(run.path("state").asString()).isEqualTo("FAILED");
    assertThat(run.path("steps").valueStream().filter(step -> !step.path("ok").asBoolean()))
        .isNotEmpty()
        .allSatisfy(
            step ->
                assertThat(step.path("expected").path(figure))
                    .isNotEqualTo(step.path("observed").path(figure)));
  }

  static Stream<Scenario> ofTime() {
    return new Scenarios().all().stream().map(Scenarios.Bundled::scenario).filter(Scenario::ofTime);
  }

  /** With each number that a file expects made wrong, each is told as different from what came. */
  @ParameterizedTest
  @MethodSource("ofTime")
  void everyNumberThatIsExpectedOfAWindowLaneIsLookedAt(Scenario right) {
    List<Line<WindowLanes>> lines =
        ((Script.ForTime) right.script())
            .lines().stream()
                .map(line -> line instanceof ExpectWindows expect ? wrong(expect) : line)
                .toList();
    Runs runs = lab.context.getBean(Runs.class);
    Run run =
        runs.start(
            new Scenario(
                right.name(),
                right.title(),
                right.text(),
                right.partitions(),
                right.batchSize(),
                new Script.ForTime(lines)));
    run = runs.await(run.id(), Duration.ofMinutes(5));
    assertThat(run.state()).isEqualTo(Run.State.FAILED);
    assertThat(run.steps()).as("it went on to its end").hasSize(run.planned());
    for (Run.Step step : run.steps()) {
      boolean expects = step.action().startsWith("expect ");
      assertThat(step.ok()).as(step.toString()).isEqualTo(!expects);
      if (expects) {
        assertAllDiffer(step.action(), step.expected(), step.observed());
      }
    }
  }

  private static ExpectWindows wrong(ExpectWindows right) {
    Map<WindowFigure, @Nullable Object> wanted = new LinkedHashMap<>();
    right.wanted().forEach((figure, value) -> wanted.put(figure, wrong(value)));
    return new ExpectWindows(right.lane(), wanted);
  }

  private static Object wrong(@Nullable Object value) {
    if (value instanceof Map<?, ?> columns) {
      Map<Object, Object> wrong = new LinkedHashMap<>();
      columns.forEach((name, column) -> wrong.put(name, wrong(column)));
      return wrong;
    }
    if (value instanceof List<?> items) {
      return items.stream().map(ScenariosIT::wrong).toList();
    }
    return value instanceof Long number
        ? number + 1
        : value instanceof Boolean answer ? (Object) !answer : value + "0";
  }

  private static void assertAllDiffer(String of, @Nullable Object expected, Object observed) {
    if (expected instanceof Map<?, ?> wanted && observed instanceof Map<?, ?> seen) {
      assertThat(seen.keySet()).as(of).isEqualTo(wanted.keySet());
      wanted.forEach((name, value) -> assertAllDiffer(of + " " + name, value, seen.get(name)));
    } else if (expected instanceof List<?> wanted && observed instanceof List<?> seen) {
      assertThat(seen).as(of).hasSameSizeAs(wanted);
      for (int i = 0; i < wanted.size(); i++) {
        assertAllDiffer(of, wanted.get(i), seen.get(i));
      }
    } else {
      assertThat(observed).as(of).isNotEqualTo(expected);
    }
  }

  @Test
  void aWindowThatNobodyExpectsFailsTheRun() {
    String source = lab.get("/api/scenarios/late-arrival-watermark").body();
    String last = "        - {start: \"2026-01-04T09:05:00Z\"";
    JsonNode run = own("application/yaml", source.substring(0, source.lastIndexOf(last)));
    assertThat(run.path("state").asString()).isEqualTo("FAILED");
    assertThat(lab.get("/api/runs/" + run.path("id").asLong() + "/report").body())
        .contains("windows: expected [(start 2026-01-04T09:00:00Z");
  }

  @Test
  void aRunInTheTimeRoomLeavesTheExperimentAsItIs() {
    assertThat(lab.post("/api/experiment", "application/json", "{}").status()).isEqualTo(200);
    long experiment = lab.get("/api/experiment").json().path("id").asLong();
    long log = lab.get("/api/time").json().path("log").asLong();
    JsonNode run =
        own(
            "application/yaml",
            """
            name: x
            time: {partitions: 2, batchSize: 5}
            steps:
              - clock: {pace: step}
              - append: {generate: {count: 9, seed: 3, delay: heavy-tail}}
              - clock: {step: 4}
              - start: all
              - await: {lane: all, condition: drained}
              - expect: {lane: all, truth: {records: 4}, lag: 0}
            """);
    assertThat(run.path("state").asString())
        .as(lab.get("/api/runs/" + run.path("id").asLong() + "/report").body())
        .isEqualTo("PASSED");
    assertThat(run.path("steps").get(1).path("observed").asString())
        .isEqualTo("9 wait for their arrival");
    JsonNode time = lab.get("/api/time").json();
    assertThat(time.path("log").asLong()).isGreaterThan(log);
    assertThat(time.path("partitions").asInt()).isEqualTo(2);
    assertThat(lab.get("/api/experiment").json().path("id").asLong()).isEqualTo(experiment);
  }

  @Test
  void aReplacedTimeLogEndsTheRun() {
    JsonNode run =
        lab.post(
                "/api/scenarios/runs",
                "application/yaml",
                """
                name: x
                time: {}
                steps:
                  - start: per-record
                  - await: {lane: per-record, condition: crashed, timeoutSeconds: 600}
                """)
            .json();
    String path = "/api/runs/" + run.path("id").asLong();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> lab.get(path).json().path("steps").size() == 1);
    assertThat(lab.post("/api/time/reset", "application/json", "{}").status()).isEqualTo(200);
    JsonNode ended = lab.ended(run);
    assertThat(ended.path("steps").get(1).path("observed").asString())
        .isEqualTo("Somebody replaced the time log of this run by a new one.");
  }

  @Test
  void refusesWithWhatIsAllowed() {
    long before = newest();
    Lab.Answer wrong =
        lab.post("/api/scenarios/runs", "application/yaml", "name: x\nsteps:\n  - explode: all\n");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.json().path("line").asInt()).isEqualTo(3);
    assertThat(wrong.json().path("column").asInt()).isEqualTo(5);
    assertThat(wrong.json().path("detail").asString()).startsWith("line 3, column 5: there is no");
    assertThat(lab.post("/api/scenarios/runs", "text/plain", "x").status()).isEqualTo(415);
    assertThat(lab.post("/api/scenarios/runs", "application/yaml", "").json().path("detail"))
        .hasToString("\"line 1, column 1: the file is empty\"");
    assertThat(lab.post("/api/scenarios/runs", "text/yaml", "x".repeat(2 << 20)).status())
        .isEqualTo(413);
    assertThat(lab.post("/api/scenarios/at-least-once/runs?wait=121").status()).isEqualTo(400);
    Lab.Answer unknown = lab.post("/api/scenarios/nobody/runs");
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.json().path("detail").asString()).contains("at-least-once, at-most-once");
    assertThat(lab.get("/api/scenarios/nobody").status()).isEqualTo(404);
    assertThat(lab.get("/api/runs/999999").status()).isEqualTo(404);
    assertThat(lab.get("/api/runs/x").status()).isEqualTo(400);
    assertThat(newest()).as("nothing has run").isEqualTo(before);
  }

  @Test
  void listsScenariosAndGivesReportsAway() {
    JsonNode listed = lab.get("/api/scenarios").json().path("scenarios");
    assertThat(listed).hasSameSizeAs(Scenarios.names());
    assertThat(listed.get(0).propertyNames())
        .containsExactly("name", "title", "text", "about", "steps");
    assertThat(lab.get("/api/scenarios/at-least-once").body()).contains("name: at-least-once");
    String report = "/api/runs/" + played("at-least-once").path("id").asLong() + "/report";
    assertThat(lab.get(report).body()).contains("PASSED");
    assertThat(lab.get(report + "?format=csv").body()).startsWith("action,expected,observed,ok");
    assertThat(lab.get(report + "?format=json").json()).isEqualTo(played("at-least-once"));
    assertThat(lab.get(report + "?format=pdf").status()).isEqualTo(400);
  }

  private long truth() {
    return lab.get("/api/experiment").json().path("truth").path("records").asLong();
  }

  private long newest() {
    return lab.get("/api/runs?limit=1").json().path("runs").path(0).path("id").asLong(0);
  }

  private JsonNode own(String type, String source) {
    Lab.Answer started = lab.post("/api/scenarios/runs?wait=120", type, source);
    assertThat(started.status()).as(started.body()).isEqualTo(200);
    return lab.ended(started.json());
  }

  private JsonNode played(String name) {
    return played.computeIfAbsent(
        name,
        asked -> {
          Lab.Answer started = lab.post("/api/scenarios/" + asked + "/runs?wait=120");
          assertThat(started.status()).as(started.body()).isEqualTo(200);
          return lab.ended(started.json());
        });
  }
}
