package dev.deliverylab.bench;

import dev.deliverylab.LabProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/** A million records through two lanes at once, by REST, in a heap of 1 GiB. */
final class MillionRecords {

  private static final int RECORDS = Integer.getInteger("bench.million", 1_000_000);
  private static final int BATCH = 500;
  private static final String[] LANES = {"at-least-once", "idempotent-key"};

  private MillionRecords() {}

  static void run(Path folder) throws Exception {
    Benchmarks.print("%n### %,d records, 1 GiB of heap%n", RECORDS);
    Benchmarks.print("Batches of %d, both lanes at the same time.%n", BATCH);
    Benchmarks.print("| what | measured |");
    Benchmarks.print("|---|---|");
    try (LabProcess lab = PackagedLab.launch(folder, "-Xmx1g")) {
      lab.awaitPage();
      lab.post("/api/experiment", "{\"partitions\":1,\"batchSize\":" + BATCH + "}");
      long start = System.nanoTime();
      lab.post(
          "/api/log/records", "{\"generate\":{\"count\":" + RECORDS + ",\"seed\":42,\"keys\":50}}");
      perSecond("generated and acknowledged", start);
      while (lab.get("/api/experiment").path("truth").path("appended").asLong() < RECORDS) {
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      }
      perSecond("the same, and read into the truth", start);
      start = System.nanoTime();
      for (String lane : LANES) {
        lab.post("/api/lanes/" + lane + "/start", "");
      }
      for (String lane : LANES) {
        awaitDrained(lab, lane);
        perSecond("through `" + lane + "`", start);
      }
      for (String lane : LANES) {
        start = System.nanoTime();
        JsonNode counted = lab.post("/api/lanes/" + lane + "/recount", "");
        Benchmarks.print(
            "| full recount of `%s` | %.0f s: %s rows, %s; %s |",
            lane,
            (System.nanoTime() - start) / 1e9,
            counted.path("sink").path("rows").asString(),
            counted.path("sink").path("total").asString(),
            counted.path("verdict").path("why").asString());
      }
      Benchmarks.print("| most memory of the process | %.0f MiB |", PackagedLab.peakMebibytes(lab));
      megabytes("data folder before the reset", folder);
      reset(lab, folder);
    }
  }

  /** Asks for the condition once it is near: the lab waits for a limited time only. */
  private static void awaitDrained(LabProcess lab, String lane) throws Exception {
    while (lab.get("/api/lanes/" + lane).at("/sink/rows").asLong() < RECORDS) {
      LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
    }
    lab.get("/api/lanes/" + lane + "?await=drained&timeout=60");
  }

  private static void reset(LabProcess lab, Path folder) throws Exception {
    long full = PackagedLab.bytes(folder);
    lab.post("/api/experiment", "{}");
    long until = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    // The old experiment is removed in the background; settled is what shrinks no more.
    long last = full;
    long since = System.nanoTime();
    while (System.nanoTime() < until
        && System.nanoTime() - since < Duration.ofSeconds(15).toNanos()) {
      long now = PackagedLab.bytes(folder);
      if (now < last) {
        last = now;
        since = System.nanoTime();
      }
      LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
    }
    megabytes("data folder after it", folder);
  }

  private static void perSecond(String what, long start) {
    double seconds = (System.nanoTime() - start) / 1e9;
    Benchmarks.print("| %s | %,.0f records/s, %.0f s |", what, RECORDS / seconds, seconds);
  }

  private static void megabytes(String what, Path folder) throws Exception {
    Benchmarks.print("| %s | %,.0f MB |", what, PackagedLab.bytes(folder) / 1e6);
  }
}
