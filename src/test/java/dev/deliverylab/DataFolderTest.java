package dev.deliverylab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {

  @TempDir Path parent;

  @Test
  void isMadeWithItsRooms() throws Exception {
    try (DataFolder folder = DataFolder.open(parent.resolve("a/b"))) {
      Path room = folder.room("kafka");
      assertThat(room).isDirectory().isEqualTo(parent.resolve("a/b/kafka").toAbsolutePath());
      assertThat(folder.bytes("kafka")).isZero();
      assertThat(folder.bytes("missing")).isZero();
      Files.write(Files.createDirectories(room.resolve("topic")).resolve("log"), new byte[1234]);
      assertThat(folder.bytes("kafka")).isEqualTo(1234);
    }
  }

  @Test
  void belongsToOneAtATime() {
    try (DataFolder first = DataFolder.open(parent)) {
      assertThatThrownBy(() -> DataFolder.open(parent))
          .isInstanceOf(DataFolder.Unusable.class)
          .hasMessageStartingWith("Another instance of the lab uses " + first.path());
    }
    DataFolder.open(parent).close();
  }

  /** Claims the folder in a process of its own, and dies holding it. */
  static final class Claiming {
    public static void main(String[] args) throws Exception {
      DataFolder folder = DataFolder.open(Path.of(args[0]));
      System.out.println("claimed " + folder.path());
      // Until killed.
      new java.util.concurrent.CountDownLatch(1).await();
    }
  }

  @Test
  void theLockOfAKilledProcessIsGoneAndOfALivingOneIsNot() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Claiming.class.getName(),
                parent.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (var lines = child.inputReader()) {
      assertThat(lines.readLine()).startsWith("claimed");
      assertThatThrownBy(() -> DataFolder.open(parent)).isInstanceOf(DataFolder.Unusable.class);
    } finally {
      child.destroyForcibly();
    }
    assertThat(child.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(parent.resolve("lab.lock")).exists();
    DataFolder.open(parent).close();
  }

  @Test
  void aPlaceWhereNoFolderCanBeIsNamed() throws Exception {
    Path file = Files.createFile(parent.resolve("file"));
    assertThatThrownBy(() -> DataFolder.open(file.resolve("data")))
        .isInstanceOf(DataFolder.Unusable.class)
        .hasMessageContaining("lab.data-dir");
  }
}
