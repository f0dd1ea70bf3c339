package dev.deliverylab.sink;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The sink in the lab's own database. */
class H2SinkTest extends SinkContract {

  @TempDir private static Path folder;
  private static LabDatabase database;

  @BeforeAll
  static void start() {
    database = LabDatabase.open(folder);
  }

  @AfterAll
  static void stop() {
    database.close();
  }

  @Override
  SinkAddress address() {
    return database.address();
  }
}
