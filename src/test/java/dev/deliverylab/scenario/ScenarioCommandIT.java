package dev.deliverylab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deliverylab.DeliveryLab;
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
    assertThat(ended.out()).startsWith("scenario at-least-once, run 1\n").contains("PASSED: ");
    assertThat(ended.left()).as("temporary data").isEmpty();
    assertThat(folder.resolve("data")).doesNotExist();
  }

  @Test
  void aWrongNumberFailsInTheFolderThatIsGiven() throws Exception {
    String source = new Scenarios().named("transactional").source();
    Path file = folder.resolve("mine.yaml");
    Files.writeString(file, source.replace("total: \"149.45\"", "total: \"149.46\""));
    Ended ended = lab("--lab.run=" + file, "--lab.data-dir=" + folder.resolve("mine"));
    assertThat(ended.code()).as(ended.err()).isEqualTo(ScenarioCommand.FAILED);
    assertThat(ended.out())
        .contains("total: expected 149.46, observed 149.45")
        .contains("FAILED: ");
    assertThat(folder.resolve("mine")).isNotEmptyDirectory();
  }

  @Test
  void aWrongFileIsRefusedBeforeAnythingStarts() throws Exception {
    Path file = folder.resolve("mine.yaml");
    Files.writeString(file, "name: x\nsteps:\n  - explode: all\n");
    Ended ended = lab("--lab.run=" + file);
    assertThat(ended.code()).isEqualTo(ScenarioCommand.WRONG_FILE);
    assertThat(ended.err().strip())
        .startsWith(file + ": line 3, column 5: there is no action 'explode'")
        .doesNotContain("\tat ");
    assertThat(ended.out()).isEmpty();
    Ended missing = lab("--lab.run=nobody");
    assertThat(missing.code()).isEqualTo(ScenarioCommand.WRONG_FILE);
    assertThat(missing.err()).contains("'nobody' is neither").contains("replay-parts-ways");
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
            System.getProperty("java.class.path"),
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
