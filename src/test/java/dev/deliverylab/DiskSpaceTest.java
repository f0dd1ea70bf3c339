package dev.deliverylab;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskSpaceTest {

  @TempDir private Path folder;

  @Test
  void refusesOnceLessIsLeftThanItKeeps() throws IOException {
    DiskSpace greedy = new DiskSpace(folder, Long.MAX_VALUE);

    assertThatThrownBy(greedy::require)
        .isInstanceOf(DiskSpace.NearlyFull.class)
        .hasMessageContaining("MiB left")
        .hasMessageContaining("make space");
  }

  @Test
  void saysNothingWhileThereIsEnough() throws IOException {
    DiskSpace modest = new DiskSpace(folder, 1);

    assertThatCode(modest::require).doesNotThrowAnyException();
  }
}
