package dev.deliverylab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deliverylab.guarantee.Guarantees;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The whole application, killed in the middle of its work, and other sudden or refused starts. */
class KilledLabIT {

  private static final int KILLED = 128 + 9;
  private static final int TERMINATED = 128 + 15;

  /** Told to stop before the kill. */
  private static final String STOPPED = "insert-ignore";

  /** Told to pause before the kill. */
  private static final String PAUSED = "dedup-on-read";

  /** Never told to run. */
  private static final String FRESH = "random-key";

  @TempDir private Path folder;

  @Test
  void nothingThatWasShownIsLostWhenTheLabIsKilledInMidLoad() throws Exception {
    Map<String, JsonNode> before;
    List<JsonNode> told;
    try (LabProcess lab = LabProcess.launch(folder, 0).awaitUp()) {
      lab.post("/api/experiment", "{\"partitions\":2,\"batchSize\":20}");
      lab.post("/api/lanes/at-least-once/crash", "{\"after\":\"commit\",\"batch\":3}");
      for (String lane : Guarantees.names()) {
        if (!lane.equals(FRESH)) {
          lab.post("/api/lanes/" + lane + "/start", "");
        }
      }
      lab.post("/api/log/records", "{\"generate\":{\"count\":1000,\"seed\":7,\"keys\":20}}");
      lab.post("/api/time/reset", "{\"partitions\":2,\"batchSize\":20}");
      lab.get("/api/lanes/at-least-once?await=crashed&timeout=120");
      lab.post("/api/lanes/at-least-once/restart", "");
      lab.post("/api/load", "{\"ratePerSecond\":400,\"seconds\":600,\"seed\":42}");
      await()
          .atMost(Duration.ofMinutes(3))
          .until(() -> rows(lab, "idempotent-key") > 500 && rows(lab, PAUSED) > 200);
      lab.post("/api/lanes/" + PAUSED + "/pause", "");
      lab.post("/api/lanes/" + STOPPED + "/stop", "");
      await().atMost(Duration.ofMinutes(3)).until(() -> rows(lab, "at-least-once") > 1_200);
      told = lab.history("at-least-once");
      before = lanes(lab);
      // Kafka Streams, too, is somewhere in these when the lab dies.
      lab.post(
          "/api/time/records",
          "{\"generate\":{\"count\":1000,\"seed\":5,\"keys\":9,\"delay\":\"heavy-tail\"}}");
      await().atMost(Duration.ofMinutes(1)).until(() -> accepted(lab, "streams-window") > 50);

      assertThat(lab.kill()).isEqualTo(KILLED);
    }

    try (LabProcess lab = LabProcess.launch(folder, 0).awaitUp()) {
      Map<String, JsonNode> after = lanes(lab);
      allIsThere(before, after);
      tailIsThere(told, lab.history("at-least-once"));
      statesAreTold(after);
      workIsFinished(lab);
      windowsAreAsIfNothingHadHappened(lab);

      refusedBecauseTheFolderIsTaken();
      refusedBecauseThePortIsTaken(lab.port());

      assertThat(lab.terminate()).isEqualTo(TERMINATED);
    }

    try (LabProcess lab = LabProcess.launch(folder, 0).awaitUp()) {
      for (JsonNode lane : lanes(lab).values()) {
        assertThat(lane.path("state").asString())
            .as(lane.path("lane").asString() + " after a graceful end")
            .isEqualTo("STOPPED");
      }
    }
  }

  private static void allIsThere(Map<String, JsonNode> before, Map<String, JsonNode> after) {
    assertThat(after.keySet()).isEqualTo(before.keySet());
    for (String name : before.keySet()) {
      JsonNode was = before.get(name);
      JsonNode is = after.get(name);
      assertThat(is.at("/truth/records").asLong())
          .as(name + ": truth")
          .isGreaterThanOrEqualTo(was.at("/truth/records").asLong());
      assertThat(is.at("/sink/rows").asLong())
          .as(name + ": rows")
          .isGreaterThanOrEqualTo(was.at("/sink/rows").asLong());
      assertThat(is.path("progress").size()).as(name + ": partitions").isEqualTo(2);
      for (int i = 0; i < 2; i++) {
        JsonNode then = was.path("progress").get(i);
        JsonNode now = is.path("progress").get(i);
        assertThat(now.path("committed").asLong(0))
            .as(name + ": progress")
            .isGreaterThanOrEqualTo(then.path("committed").asLong(0));
        assertThat(now.path("end").asLong())
            .as(name + ": log")
            .isGreaterThanOrEqualTo(then.path("end").asLong());
      }
      assertThat(is.path("restarts")).as(name + ": restarts").isEqualTo(was.path("restarts"));
      assertThat(is.path("life")).as(name + ": life").isEqualTo(was.path("life"));
    }
    assertThat(after.get("at-least-once").path("crashes").asInt())
        .as("the armed crash and the kill")
        .isEqualTo(2);
  }

  private static void tailIsThere(List<JsonNode> told, List<JsonNode> now) {
    JsonNode last = told.get(told.size() - 1);
    assertThat(now).as("the newest event that was shown").contains(last);
    long previous = 0;
    for (JsonNode event : now) {
      assertThat(event.path("seq").asLong()).as("in order, once each").isGreaterThan(previous);
      previous = event.path("seq").asLong();
    }
    JsonNode newest = now.get(now.size() - 1);
    assertThat(newest.path("kind").asString()).isEqualTo("CRASHED");
    assertThat(newest.path("text").asString()).contains("whole lab");
  }

  private static void statesAreTold(Map<String, JsonNode> lanes) {
    lanes.forEach(
        (name, lane) ->
            assertThat(lane.path("state").asString())
                .as(name)
                .isEqualTo(Set.of(STOPPED, FRESH).contains(name) ? "STOPPED" : "CRASHED"));
  }

  private static void workIsFinished(LabProcess lab) throws Exception {
    for (String name : Guarantees.names()) {
      lab.post("/api/lanes/" + name + "/restart", "");
    }
    for (String name : Guarantees.names()) {
      lab.get("/api/lanes/" + name + "?await=drained&timeout=120");
    }
    List<String> unknown = new ArrayList<>();
    Map<String, JsonNode> counted = new HashMap<>();
    for (String name : Guarantees.names()) {
      JsonNode running = lab.get("/api/lanes/" + name);
      JsonNode full = lab.post("/api/lanes/" + name + "/recount", "");
      for (String part : List.of("/sink", "/truth", "/counts", "/kinds", "/verdict")) {
        assertThat(full.at(part)).as(name + part).isEqualTo(running.at(part));
      }
      boolean blind = name.equals("increment-in-place"); // a sum that agrees proves no promise
      if (!(blind || full.at("/verdict/promiseKept").isBoolean())
          || !full.at("/verdict/numberRight").isBoolean()) {
        unknown.add(name + ": " + full.path("verdict"));
      }
      long end = 0;
      for (JsonNode partition : full.path("progress")) {
        end += partition.path("end").asLong();
        assertThat(partition.path("lag").asLong()).as(name).isZero();
      }
      assertThat(full.at("/truth/records").asLong()).as("all of the log").isEqualTo(end);
      counted.put(name, full);
    }
    assertThat(unknown).as("the recount disagrees, or something is pending").isEmpty();

    for (String kept :
        List.of(
            "at-most-once",
            "at-least-once",
            "auto-commit",
            "transactional",
            "idempotent-key",
            "insert-ignore",
            "dedup-on-read")) {
      assertThat(counted.get(kept).at("/verdict/promiseKept").asBoolean())
          .as(kept + ": " + counted.get(kept).path("verdict"))
          .isTrue();
    }
    for (String right :
        List.of("transactional", "idempotent-key", "insert-ignore", "dedup-on-read", FRESH)) {
      assertThat(counted.get(right).at("/verdict/numberRight").asBoolean())
          .as(right + ": " + counted.get(right).path("verdict"))
          .isTrue();
    }
    assertThat(counted.get("at-least-once").at("/counts/lost").asLong()).isZero();
    assertThat(counted.get("at-most-once").at("/counts/duplicates").asLong()).isZero();
  }

  /** Of one log, judged once with a death in the middle and once, in a new run, without. */
  private static void windowsAreAsIfNothingHadHappened(LabProcess lab) throws Exception {
    for (JsonNode lane : lab.get("/api/time").path("lanes")) {
      String name = lane.path("lane").asString();
      assertThat(lane.path("state").asString()).as(name).isEqualTo("CRASHED");
      lab.post("/api/lanes/" + name + "/restart", "");
      lab.get("/api/lanes/" + name + "?await=drained&timeout=120");
    }
    JsonNode died = lab.get("/api/time").path("lanes");
    for (JsonNode lane : died) {
      lab.post("/api/lanes/" + lane.path("lane").asString() + "/replay", "{\"to\":\"earliest\"}");
    }
    for (JsonNode lane : died) {
      String name = lane.path("lane").asString();
      lab.get("/api/lanes/" + name + "?await=drained&timeout=120");
      JsonNode again =
          lab.get("/api/time")
              .path("lanes")
              .valueStream()
              .filter(each -> each.path("lane").asString().equals(name))
              .findFirst()
              .orElseThrow();
      assertThat(again.path("run").asInt()).isEqualTo(lane.path("run").asInt() + 1);
      long all = lane.path("accepted").asLong() + lane.at("/late/dropped").asLong();
      assertThat(all).as(name).isEqualTo(1_000);
      // With several partitions the order between them, and so who is late, may differ by rule;
      // by its own arrival, and by its own partition's time, each record is judged alike.
      if (name.equals("per-record") || name.equals("streams-window")) {
        for (String field : List.of("accepted", "late", "emitted")) {
          assertThat(again.path(field)).as(name + " " + field).isEqualTo(lane.path(field));
        }
      }
    }
  }

  private static long accepted(LabProcess lab, String name) throws Exception {
    for (JsonNode lane : lab.get("/api/time").path("lanes")) {
      if (lane.path("lane").asString().equals(name)) {
        return lane.path("accepted").asLong();
      }
    }
    throw new AssertionError(name);
  }

  private void refusedBecauseTheFolderIsTaken() throws Exception {
    try (LabProcess second = LabProcess.launch(folder, 0)) {
      assertThat(second.awaitExit()).isNotZero();
      assertThat(second.said()).contains("Another instance of the lab uses ");
      noStackTrace(second);
    }
  }

  private void refusedBecauseThePortIsTaken(int port) throws Exception {
    try (LabProcess second = LabProcess.launch(folder.resolve("another"), port)) {
      assertThat(second.awaitExit()).isNotZero();
      assertThat(second.said()).containsIgnoringCase("port " + port);
      noStackTrace(second);
    }
  }

  private static void noStackTrace(LabProcess lab) {
    assertThat(lab.said().lines()).noneMatch(line -> line.startsWith("\tat "));
  }

  private static long rows(LabProcess lab, String lane) throws Exception {
    return lab.get("/api/lanes/" + lane).at("/sink/rows").asLong();
  }

  private static Map<String, JsonNode> lanes(LabProcess lab) throws Exception {
    Map<String, JsonNode> lanes = new HashMap<>();
    lab.get("/api/lanes")
        .path("lanes")
        .forEach(lane -> lanes.put(lane.path("lane").asString(), lane));
    return lanes;
  }
}
