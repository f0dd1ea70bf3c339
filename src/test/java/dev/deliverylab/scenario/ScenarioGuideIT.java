package dev.deliverylab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.deliverylab.DeliveryLab;
import dev.deliverylab.LabProcess;
import dev.deliverylab.lane.Lane;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * {@code docs/scenarios.md} word for word: its files run, its commands run, its tables are whole.
 */
class ScenarioGuideIT {

  private static final Pattern BLOCK =
      Pattern.compile("^```(\\w+)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  private static final Pattern CODE = Pattern.compile("`([^`]*)`");

  private String guide = read(Path.of("docs", "scenarios.md"));

  /** One fenced block: the language it names, and its lines. */
  private record Block(String language, String text) {

    boolean isWholeScenario() {
      return text.startsWith("name:") || language.equals("json");
    }
  }

  @Test
  void everyFileRunsAndEveryCommandDoesWhatItSays(@TempDir Path folder) throws Exception {
    assumeTrue(onThePath("curl"), "There is no curl on the path, so its lines were not run");
    try (Lab lab = new Lab(folder.resolve("data"))) {
      List<Block> blocks = blocks();
      for (int i = 0; i < blocks.size(); i++) {
        Block block = blocks.get(i);
        switch (block.language()) {
          case "yaml" -> {
            if (block.isWholeScenario()) {
              Files.writeString(folder.resolve("mine.yaml"), block.text());
            } else {
              // Reading finds whatever can be wrong before a run.
              boolean ofTime = section("## The time room").contains(block.text());
              assertThat((ofTime ? timeSteps(block.text()) : steps(block.text())).lines())
                  .isNotEmpty();
            }
          }
          case "json" -> passes(lab, block);
          case "sh" -> {
            String said = run(block.text(), lab, folder);
            if (blocks.get(i + 1).language().equals("text")) {
              assertThat(said).as(block.text()).isEqualTo(blocks.get(i + 1).text());
            }
          }
          case "text" -> assertThat(blocks.get(i - 1).language()).isEqualTo("sh");
          default -> throw new AssertionError("nobody reads a block of " + block.language());
        }
      }
      JsonNode first = lab.get("/api/runs/1").json();
      assertThat(first.path("scenario").asString()).isEqualTo("mine");
      assertThat(first.path("state").asString())
          .as(lab.get("/api/runs/1/report").body())
          .isEqualTo("PASSED");
    }
  }

  @Test
  void itsTablesNameEveryActionAndEveryExpectation() {
    assertThat(firstColumn("## Actions"))
        .containsExactlyInAnyOrderElementsOf(StepsReader.actions(new ExperimentWords(1)));
    assertThat(firstColumn("## Expectations"))
        .containsExactly(Arrays.stream(Figure.values()).map(Figure::word).toArray(String[]::new));
    for (String section : List.of("## Actions", "## Expectations")) {
      String block = blockIn(section);
      assertThat(firstColumn(section))
          .as("what the block of %s uses", section)
          .allMatch(word -> block.contains(word + ":"));
    }
    List<String> ofTime = firstColumn("## The time room");
    List<String> actions = new TimeWords(1).actions();
    assertThat(ofTime.subList(0, actions.size())).containsExactlyElementsOf(actions);
    assertThat(ofTime.subList(actions.size(), ofTime.size()))
        .as("behind the head of the second table")
        .containsExactly(
            Arrays.stream(WindowFigure.values()).map(WindowFigure::word).toArray(String[]::new));
    String used = blocks(section("## The time room")).get(1).text();
    assertThat(ofTime).as("what the block uses").allMatch(word -> used.contains(word + ":"));
    assertThat(
            Arrays.stream(Lane.Condition.values())
                .map(condition -> "`" + condition.name().toLowerCase(Locale.ROOT) + "`"))
        .allMatch(section("## Actions")::contains);
  }

  @Test
  void itsLimitsAndExitCodesAreThoseOfTheCode() {
    assertThat(guide)
        .contains(
            "1 to " + Scenario.MAX_LINES + " steps",
            "at most " + Scenario.MAX_TITLE + " characters",
            "at most " + (Scenarios.MAX_BYTES >> 20) + " MiB",
            "(1 to " + Await.MAX_SECONDS + ", " + Await.DEFAULT_SECONDS + " if left out)",
            "| " + ScenarioCommand.PASSED + " | every action was done",
            "| " + ScenarioCommand.FAILED + " | a number was another",
            "| " + ScenarioCommand.WRONG_FILE + " | the file is missing or wrong");
  }

  @Test
  void itsWrongStepsAreRefusedInTheseWords() {
    List<String> rows = rows("## When a file is wrong");
    assertThat(rows).hasSizeGreaterThan(5);
    for (String row : rows) {
      List<String> cells = code(row);
      String source = "name: mine\nsteps:\n  " + cells.get(0) + "\n";
      String said = catchThrowableOfType(ScenarioRefused.class, () -> yaml(source)).getMessage();
      assertThat(cells).as("%s says: %s", row, said).hasSize(2);
      String told = cells.get(1);
      if (told.endsWith("…")) {
        assertThat(said).startsWith(told.substring(0, told.length() - 1));
      } else {
        assertThat(said).isEqualTo(told);
      }
    }
  }

  @Test
  void aGuideThatIsWrongIsFound() {
    ScenarioGuideIT wrong = new ScenarioGuideIT();
    wrong.guide = guide.replace("| `lost` |", "| `loost` |");
    assertThatThrownBy(wrong::itsTablesNameEveryActionAndEveryExpectation)
        .hasMessageContaining("loost");
    wrong.guide = guide.replace("    lag: 0\n", "");
    assertThatThrownBy(wrong::itsTablesNameEveryActionAndEveryExpectation)
        .hasMessageContaining("lag");
    wrong.guide = guide.replace("1 to 1000 steps", "1 to 2000 steps");
    assertThatThrownBy(wrong::itsLimitsAndExitCodesAreThoseOfTheCode)
        .hasMessageContaining("1 to 1000 steps");
    wrong.guide = guide.replace("`line 3, column 5:", "`line 3, column 6:");
    assertThatThrownBy(wrong::itsWrongStepsAreRefusedInTheseWords).hasMessageContaining("column 6");
  }

  private static void passes(Lab lab, Block block) {
    Lab.Answer started = lab.post("/api/scenarios/runs?wait=120", "application/json", block.text());
    assertThat(started.status()).as(started.body()).isEqualTo(200);
    JsonNode run = lab.ended(started.json());
    assertThat(run.path("state").asString()).as(run.toString()).isEqualTo("PASSED");
  }

  /** What a block of commands prints to standard output; each of them must succeed. */
  private static String run(String commands, Lab lab, Path folder)
      throws IOException, InterruptedException {
    String here =
        commands
            .replace("http://127.0.0.1:8080", lab.address())
            .replace("curl ", "curl --fail --silent --show-error ")
            .replace(
                "java -jar target/delivery-lab-*.jar",
                "'"
                    + Path.of(System.getProperty("java.home"), "bin", "java")
                    + "' -Xmx512m -cp '"
                    + LabProcess.classes()
                    + "' "
                    + DeliveryLab.class.getName());
    assertThat(here).doesNotContain("8080", "*.jar");
    Path errors = folder.resolve("errors.txt");
    Process process =
        new ProcessBuilder("sh", "-e", "-c", here)
            .directory(folder.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(commands + said + read(errors)).isZero();
      return said;
    } finally {
      process.destroyForcibly();
    }
  }

  private List<Block> blocks() {
    return blocks(guide);
  }

  private static List<Block> blocks(String text) {
    List<Block> blocks = new ArrayList<>();
    for (Matcher found = BLOCK.matcher(text); found.find(); ) {
      blocks.add(new Block(found.group(1), found.group(2)));
    }
    return blocks;
  }

  private String blockIn(String section) {
    Matcher found = BLOCK.matcher(section(section));
    assertThat(found.find()).isTrue();
    return found.group(2);
  }

  private String section(String title) {
    int from = guide.indexOf("\n" + title + "\n");
    assertThat(from).as(title).isNotNegative();
    int to = guide.indexOf("\n## ", from + 1);
    return guide.substring(from, to < 0 ? guide.length() : to);
  }

  /** The table's rows below its head. */
  private List<String> rows(String section) {
    return section(section).lines().filter(line -> line.startsWith("| ")).skip(1).toList();
  }

  private List<String> firstColumn(String section) {
    return rows(section).stream()
        .flatMap(row -> code(row.substring(0, row.indexOf('|', 1))).stream())
        .toList();
  }

  /** What stands in backticks. */
  private static List<String> code(String text) {
    return CODE.matcher(text).results().map(found -> found.group(1)).toList();
  }

  private static Scenario steps(String list) {
    return yaml("name: mine\nsteps:\n" + list.indent(2));
  }

  private static Scenario timeSteps(String list) {
    return yaml("name: mine\ntime: {}\nsteps:\n" + list.indent(2));
  }

  private static Scenario yaml(String source) {
    return Scenarios.parse(source.getBytes(StandardCharsets.UTF_8), Scenarios.Format.YAML);
  }

  private static boolean onThePath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).replace("\r\n", "\n");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
