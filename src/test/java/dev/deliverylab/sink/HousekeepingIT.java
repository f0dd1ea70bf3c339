package dev.deliverylab.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The file is tidied while lanes write, readers read and tables are dropped. With assertions on, as
 * tests run, H2 says so when it trips over itself.
 */
class HousekeepingIT {

  private static final long EXPERIMENT = 1_000;
  private static final int EFFECTS = 8_000;
  private static final List<Shape> LANES =
      List.of(Shape.APPEND_ONLY, Shape.KEYED, Shape.APPEND_ONLY, Shape.KEYED);

  @TempDir private Path folder;

  @Test
  void lanesReadersAndDropsAtTheSameTime() throws Exception {
    Path file = folder.resolve("lab.mv.db");
    List<Long> sizes = new ArrayList<>();
    try (LabDatabase database = LabDatabase.open(folder);
        Sinks sinks = Sinks.at(database.address(), "lab_", Clock.systemUTC())) {
      List<SinkTable> tables = new ArrayList<>();
      for (int lane = 0; lane < LANES.size(); lane++) {
        tables.add(sinks.open(EXPERIMENT, "lane-" + lane, LANES.get(lane)));
      }
      AtomicBoolean writing = new AtomicBoolean(true);
      ExecutorService threads = Executors.newFixedThreadPool(LANES.size() + 2);
      try {
        List<Future<?>> writers =
            tables.stream().<Future<?>>map(table -> threads.submit(() -> write(table))).toList();
        Future<?> reader = threads.submit(() -> read(tables, writing));
        Future<?> dropper = threads.submit(() -> fillAndDrop(sinks, writing));
        for (Future<?> writer : writers) {
          writer.get();
          sizes.add(Files.size(file));
        }
        writing.set(false);
        reader.get();
        dropper.get();
      } finally {
        threads.shutdownNow();
      }
      for (SinkTable table : tables) {
        assertThat(table.page(0, 2 * EFFECTS, false)).hasSize(EFFECTS);
      }
      assertThat(sinks.experiments()).containsExactly(EXPERIMENT);
    }
    assertThat(sizes).as("far less than was ever written").allMatch(bytes -> bytes < 48_000_000);
    try (LabDatabase database = LabDatabase.open(folder);
        Sinks sinks = Sinks.at(database.address(), "lab_", Clock.systemUTC())) {
      for (int lane = 0; lane < LANES.size(); lane++) {
        assertThat(
                sinks.open(EXPERIMENT, "lane-" + lane, LANES.get(lane)).page(0, 2 * EFFECTS, false))
            .as("after a stop and a start")
            .hasSize(EFFECTS);
      }
    }
  }

  private static void write(SinkTable table) {
    try (Sink sink = table.connect(1).sink()) {
      for (int id = 0; id < EFFECTS; id++) {
        var record = SinkContract.record(0, id, SinkContract.order(id, "1.00"));
        if (table.shape() == Shape.KEYED) {
          sink.upsert(record.order().eventId(), record);
        } else {
          sink.append(record);
        }
      }
    }
  }

  private static void read(List<SinkTable> tables, AtomicBoolean writing) {
    while (writing.get()) {
      for (SinkTable table : tables) {
        List<SinkRow> rows = table.page(0, EFFECTS, false);
        assertThat(rows).extracting(SinkRow::row).isSorted().doesNotHaveDuplicates();
      }
    }
  }

  private static void fillAndDrop(Sinks sinks, AtomicBoolean writing) {
    for (long experiment = 1; writing.get() && experiment < EXPERIMENT; experiment++) {
      SinkTable table = sinks.open(experiment, "at-least-once", Shape.APPEND_ONLY);
      try (Sink sink = table.connect(1).sink()) {
        sink.begin();
        for (int id = 0; id < 1_000; id++) {
          sink.append(SinkContract.record(0, id, SinkContract.order(id, "1.00")));
        }
        sink.commit();
      }
      sinks.drop(experiment);
    }
  }
}
