package dev.deliverylab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deliverylab.DeliveryLab;
import dev.deliverylab.LabProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --lab.run=FILE} in a process of its own: what it prints and how it ends. */
class ScenarioCommandIT {

  @TempDir Path folder;

  @Test
  void aBundledScenarioPassesAndLeavesNothingBehind() throws Exception {
    Ended ended = lab("--lab.run=at-least-once");
    assertThat(ended.code()).as(ended.err()).isEqualTo(ScenarioCommand.PASSED);
    assertThat(ended.out())
        .as("the report and nothing else")
        .startsWith("scenario at-least-once, run 1\n")
        .containsPattern("\nPASSED: (\\d+) of \\1 steps done, 0 not well\n$");
    assertThat(ended.left()).as("temporary data").isEmpty();
    assertThat(folder.resolve("data")).doesNotExist();
  }

  @Test
  void aScenarioOfTimeRunsThereToo() throws Exception {
    Ended ended = lab("--lab.run=late-restated");
    assertThat(ended.code()).as(ended.err()).isEqualTo(ScenarioCommand.PASSED);
    assertThat(ended.out())
        .startsWith("scenario late-restated, run 1\n")
        .contains("published [60.75, 123.95]")
        .containsPattern("\nPASSED: (\\d+) of \\1 steps done, 0 not well\n$");
    assertThat(ended.left()).as("temporary data").isEmpty();
  }

  @Test
  void aWrongNumberFailsInTheFolderThatIsGiven() throws Exception {
    String source = new Scenarios().named("transactional").source();
    Path file = folder.resolve("mine.yaml");
    Files.writeString(file, source.replace("total: \"149.45\"", "total: \"149.46\""));
    Ended ended = lab("--lab.run=" + file, "--lab.data-dir=" + folder.resolve("mine"));
    assertThat(ended.code()).as(ended.err()).isEqualTo(ScenarioCommand.FAILED);
    assertThat(ended.out())
        .startsWith("scenario transactional, run 1\n")
        .contains("total: expected 149.46, observed 149.45")
        .containsPattern("\nFAILED: (\\d+) of \\1 steps done, 1 not well\n$");
    assertThat(folder.resolve("mine")).isNotEmptyDirectory();
  }

  @Test
  void aWrongFileIsRefusedBeforeAnythingStarts() throws Exception {
    Path file = folder.resolve("mine.yaml");
    Files.writeString(file, "name: x\nsteps:\n  - explode: all\n");
    Ended ended = lab("--lab.run=" + file);
    assertThat(ended.code()).isEqualTo(ScenarioCommand.WRONG_FILE);
    assertThat(ended.err().strip().lines()).as("one line, no stack trace").hasSize(1);
    assertThat(ended.err())
        .startsWith(file + ": line 3, column 5: there is no action 'explode'; the actions are ");
    assertThat(ended.out()).isEmpty();
  }

  @Test
  void aNameThatIsNeitherFileNorScenarioListsTheScenarios() throws Exception {
    for (String missing : List.of("nobody", folder.toString(), "")) {
      Ended ended = lab("--lab.run=" + missing);
      assertThat(ended.code()).as(missing).isEqualTo(ScenarioCommand.WRONG_FILE);
      assertThat(ended.err().strip().lines()).hasSize(1);
      assertThat(ended.err())
          .startsWith("'" + missing + "' is neither a file")
          .contains("replay-parts-ways");
      assertThat(ended.out()).isEmpty();
    }
  }

  @Test
  void aLabThatCannotStartSaysWhyWithoutAStackTrace() throws Exception {
    Path occupied = Files.writeString(folder.resolve("a-file"), "not a folder");
    Ended ended = lab("--lab.run=at-least-once", "--lab.data-dir=" + occupied);
    assertThat(ended.code()).isEqualTo(ScenarioCommand.FAILED);
    assertThat(ended.err()).contains("The run could not be made").doesNotContain("\tat ");
    assertThat(ended.out()).isEmpty();
  }

  private record Ended(int code, String out, String err, List<Path> left) {}

  private Ended lab(String... args) throws IOException, InterruptedException {
    Path temp = Files.createDirectories(folder.resolve("tmp"));
    Path out = folder.resolve("out.txt");
    Path err = folder.resolve("err.txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx512m",
            "-Djava.io.tmpdir=" + temp,
            "-cp",
            LabProcess.classes(),
            DeliveryLab.class.getName()));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    try (Stream<Path> left = Files.list(temp)) {
      return new Ended(
          process.exitValue(),
          Files.readString(out),
          Files.readString(err),
          left.filter(path -> path.getFileName().toString().startsWith("delivery-lab")).toList());
    }
  }
}
