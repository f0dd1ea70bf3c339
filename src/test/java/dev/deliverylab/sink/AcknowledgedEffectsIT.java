package dev.deliverylab.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An effect that was acknowledged survives the process that held the database. */
class AcknowledgedEffectsIT {

  private static final int EFFECTS = 300;
  private static final int MANY_EFFECTS = 20_000;
  private static final int H2_DEFAULT_WRITE_DELAY = 500;

  @TempDir private Path folder;

  @Test
  void allOfThemSurviveAHalt() throws Exception {
    writeAndHalt(0, EFFECTS);
    try (LabDatabase database = LabDatabase.open(folder);
        Sinks sinks = Sinks.at(database.address(), "lab_", Clock.systemUTC())) {
      SinkTable table = sinks.open(1, HaltingWriter.LANE, Shape.APPEND_ONLY);
      assertThat(table.page(0, 2 * EFFECTS, false)).hasSize(EFFECTS);

      // The next life's rows come after them: a sequence that fell back would hide rows.
      Sink next = table.connect(2).sink();
      next.append(SinkContract.record(0, 0, SinkContract.order(0, "1.00")));
      next.close();
      assertThat(table.changedAfter(EFFECTS, 2)).extracting(SinkRow::life).containsExactly(2);
    }
  }

  /** As many as make the file grow beyond what housekeeping leaves alone. */
  @Test
  void allOfThemSurviveAHaltWhileTheFileIsKeptSmall() throws Exception {
    writeAndHalt(0, MANY_EFFECTS);
    assertThat(Files.size(folder.resolve("lab.mv.db"))).isLessThan(MANY_EFFECTS * 1_500L);
    try (LabDatabase database = LabDatabase.open(folder);
        Sinks sinks = Sinks.at(database.address(), "lab_", Clock.systemUTC())) {
      SinkTable table = sinks.open(1, HaltingWriter.LANE, Shape.APPEND_ONLY);
      assertThat(table.page(0, 2 * MANY_EFFECTS, false)).hasSize(MANY_EFFECTS);
    }
  }

  /** Control: with the delay that H2 has by default, the same death loses what it acknowledged. */
  @Test
  void withTheDefaultWriteDelaySomeAreLost() throws Exception {
    writeAndHalt(H2_DEFAULT_WRITE_DELAY, EFFECTS);
    try (LabDatabase database = LabDatabase.open(folder);
        Sinks sinks = Sinks.at(database.address(), "lab_", Clock.systemUTC())) {
      SinkTable table = sinks.open(1, HaltingWriter.LANE, Shape.APPEND_ONLY);
      assertThat(table.page(0, 2 * EFFECTS, false)).hasSizeLessThan(EFFECTS);
    }
  }

  private void writeAndHalt(int writeDelayMillis, int effects) throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    HaltingWriter.class.getName(),
                    folder.toString(),
                    Integer.toString(writeDelayMillis),
                    Integer.toString(effects)))
            .inheritIO()
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(HaltingWriter.HALTED);
    } finally {
      process.destroyForcibly();
    }
  }
}
