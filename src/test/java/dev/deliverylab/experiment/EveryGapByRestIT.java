package dev.deliverylab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deliverylab.experiment.LaneModel.Crash;
import dev.deliverylab.experiment.LaneModel.End;
import dev.deliverylab.experiment.LaneModel.Gap;
import dev.deliverylab.experiment.LaneModel.State;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The five orders in batches of two, by nothing but HTTP: the numbers that the lab must reach, to
 * the letter of the JSON.
 */
class EveryGapByRestIT {

  private static final JsonMapper JSON = new JsonMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir static Path data;
  private static RunningLab lab;

  @BeforeAll
  static void start() {
    lab = new RunningLab(data);
  }

  @AfterAll
  static void stop() {
    if (lab != null) {
      lab.close();
    }
  }

  /**
   * What REST answers after one crash, and after the restart: {@code /sink/rows}, {@code
   * /sink/distinct}, {@code /sink/total}, {@code /progress/0/committed}, duplicates, lost, pending,
   * promise kept, number right.
   */
  private record Answers(String lane, String crash, String crashed, String restarted) {}

  private static final List<Answers> TABLE =
      List.of(
          new Answers(
              "at-least-once",
              "{'after':'effect','record':2,'batch':1}",
              "2 2 '37.50' null 0 0 3 true null",
              "7 5 '186.95' 5 2 0 0 true false"),
          new Answers(
              "at-most-once",
              "{'after':'effect','record':1,'batch':1}",
              "1 1 '25.50' 2 0 1 3 true false",
              "4 4 '137.45' 5 0 1 0 true false"),
          new Answers(
              "transactional",
              "{'after':'effect','record':2,'batch':1}",
              "0 0 '0.00' null 0 0 5 true null",
              "5 5 '149.45' 5 0 0 0 true true"),
          new Answers(
              "idempotent-key",
              "{'after':'effect','record':2,'batch':1}",
              "2 2 '37.50' null 0 0 3 true null",
              "5 5 '149.45' 5 0 0 0 true true"),
          new Answers(
              "dedup-on-read",
              "{'after':'effect','record':2,'batch':1}",
              "2 2 '37.50' null 0 0 3 true null",
              "7 5 '186.95' 5 0 0 0 true true"),
          new Answers(
              "insert-ignore",
              "{'after':'effect','record':2,'batch':1}",
              "2 2 '37.50' null 0 0 3 true null",
              "5 5 '149.45' 5 0 0 0 true true"),
          // The client may have committed its first position, 0, or none: checked below.
          new Answers(
              "auto-commit",
              "{'after':'effect','record':2,'batch':1}",
              "2 2 '37.50' ? 0 0 3 true null",
              "7 5 '186.95' 5 2 0 0 true false"),
          new Answers(
              "auto-commit-handoff",
              "{'after':'effect','record':1,'batch':1}",
              "1 1 '25.50' 5 0 4 0 false false",
              "1 1 '25.50' 5 0 4 0 false false"),
          new Answers(
              "random-key",
              "{'after':'effect','record':2,'batch':1}",
              "2 2 '37.50' null 0 0 3 true null",
              "7 5 '186.95' 5 2 0 0 false false"),
          new Answers(
              "increment-in-place",
              "{'after':'effect','record':2,'batch':1}",
              "1 null '37.50' null null null 5 null null",
              "1 null '186.95' 5 null null 0 false false"));

  private static final List<String> POINTERS =
      List.of(
          "/sink/rows",
          "/sink/distinct",
          "/sink/total",
          "/progress/0/committed",
          "/counts/duplicates",
          "/counts/lost",
          "/counts/pending",
          "/verdict/promiseKept",
          "/verdict/numberRight");

  @Test
  void theTableOfTheFiveOrders() {
    fiveOrdersInBatchesOfTwo();
    for (Answers each : TABLE) {
      post("/api/lanes/" + each.lane + "/crash", each.crash.replace('\'', '"'));
    }
    post("/api/lanes/start", "");
    for (Answers each : TABLE) {
      JsonNode crashed = get("/api/lanes/" + each.lane + "?await=crashed&timeout=120");
      assertAnswers(each.lane + " crashed", crashed, each.crashed);
      assertThat(crashed.at("/state").stringValue()).isEqualTo("CRASHED");
      assertThat(crashed.at("/crashes").toString()).isEqualTo("1");
      assertThat(crashed.at("/truth").toString()).isEqualTo("{\"records\":5,\"total\":\"149.45\"}");
      if (each.lane.equals("auto-commit")) {
        assertThat(crashed.at("/progress/0/committed").toString()).isIn("null", "0");
      }
    }
    for (Answers each : TABLE) {
      post("/api/lanes/" + each.lane + "/restart", "");
    }
    for (Answers each : TABLE) {
      JsonNode drained = get("/api/lanes/" + each.lane + "?await=drained&timeout=120");
      assertAnswers(each.lane + " restarted", drained, each.restarted);
      assertThat(drained.at("/progress/0/lag").toString()).isEqualTo("0");
      assertAnswers(
          each.lane + " recounted",
          post("/api/lanes/" + each.lane + "/recount", ""),
          each.restarted);
    }
    assertThat(get("/api/lanes/dedup-on-read").at("/sink/view").toString())
        .isEqualTo("{\"rows\":5,\"total\":\"149.45\"}");
    assertThat(get("/api/lanes/insert-ignore").at("/recognised").toString()).isEqualTo("2");
    assertThat(get("/api/lanes/at-least-once").at("/kinds").toString())
        .isEqualTo("{\"reRead\":2,\"reSent\":0,\"conflict\":0}");
    assertThat(orderIds("at-most-once")).isEqualTo("1001 1003 1004 1005");
    assertThat(orderIds("at-least-once")).isEqualTo("1001 1002 1001 1002 1003 1004 1005");
    assertThat(orderIds("auto-commit-handoff")).isEqualTo("1001");
  }

  private static void assertAnswers(String when, JsonNode snapshot, String expected) {
    String[] values = expected.split(" ", -1);
    Map<String, String> seen = new LinkedHashMap<>();
    Map<String, String> wanted = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      if (!values[i].equals("?")) {
        wanted.put(POINTERS.get(i), values[i].replace('\'', '"'));
        // A value that is missing is not the same as null, and gives the empty text here.
        seen.put(POINTERS.get(i), snapshot.at(POINTERS.get(i)).toString());
      }
    }
    assertThat(seen).as(when).isEqualTo(wanted);
  }

  private static String orderIds(String lane) {
    List<String> ids = new ArrayList<>();
    get("/api/lanes/" + lane + "/sink")
        .at("/rows")
        .forEach(row -> ids.add(row.at("/orderId").toString()));
    return String.join(" ", ids);
  }

  /** Every gap of every lane, in each of the three batches; all lanes at once. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aCrashInAnyOtherGap(int batch) {
    int longest = LaneModel.gaps("transactional", 2).size();
    for (int nth = 0; nth < longest; nth++) {
      fiveOrdersInBatchesOfTwo();
      Map<String, Crash> crashes = new TreeMap<>();
      for (String lane : LaneModel.lanes()) {
        List<Gap> gaps = LaneModel.gaps(lane, 2);
        // A lane with fewer gaps sits the rest out.
        if (nth < gaps.size()) {
          crashes.put(lane, gaps.get(nth).in(batch));
        }
      }
      Map<String, Set<State>> states = new HashMap<>();
      crashes.forEach((lane, crash) -> post("/api/lanes/" + lane + "/crash", body(crash)));
      post("/api/lanes/start", "");
      crashes.forEach(
          (lane, crash) -> {
            Set<End> ends = new LaneModel(lane, 5, 2).life(State.EMPTY, 1, crash);
            boolean fires = ends.iterator().next().crashed();
            states.put(lane, allowed(lane + " " + crash, lane, ends, fires));
          });
      // One that never fired would still wait in the next life: batch 3 holds one order.
      crashes.keySet().forEach(lane -> delete("/api/lanes/" + lane + "/crash"));
      crashes.keySet().forEach(lane -> post("/api/lanes/" + lane + "/restart", ""));
      crashes.forEach(
          (lane, crash) -> {
            Set<State> before = Objects.requireNonNull(states.get(lane));
            Set<End> ends = new LaneModel(lane, 5, 2).life(before, 2, null);
            allowed(lane + " restarted after " + crash, lane, ends, false);
          });
    }
  }

  /**
   * Waits for the end of the life; the states of the model that agree with the answer, and for
   * lanes whose client commits also those that a late commit can still lead to.
   */
  private static Set<State> allowed(String when, String lane, Set<End> ends, boolean crashed) {
    JsonNode seen =
        get("/api/lanes/" + lane + "?timeout=120&await=" + (crashed ? "crashed" : "drained"));
    String rows = sinkRows(lane);
    JsonNode committed = seen.at("/progress/0/committed");
    List<String> tried = new ArrayList<>();
    Set<State> allowed = new LinkedHashSet<>();
    boolean agrees = false;
    for (End end : ends) {
      State state = end.state();
      List<String> differences = new ArrayList<>();
      if (!lane.equals("increment-in-place") && !rows(state).equals(rows)) {
        differences.add("rows " + rows + " instead of " + rows(state));
      }
      expected(lane, state)
          .forEach(
              (pointer, value) -> {
                String answer = seen.at(pointer).toString();
                if (!answer.equals(value)) {
                  differences.add(pointer + " " + answer + " instead of " + value);
                }
              });
      agrees |= differences.isEmpty();
      tried.add(String.join(", ", differences));
      boolean mayFollow =
          LaneModel.clientCommits(lane)
              && rows(state).equals(rows)
              && (committed.isNull()
                  || (state.progress() != null && state.progress() >= committed.asLong()));
      if (differences.isEmpty() || mayFollow) {
        allowed.add(state);
      }
    }
    assertThat(agrees).as(when + ": " + String.join(" or ", tried)).isTrue();
    return allowed;
  }

  private static Map<String, String> expected(String lane, State state) {
    Long progress = state.progress();
    NaiveCount count =
        NaiveCount.of(
            lane,
            LaneModelTest.fiveOrders(),
            state.rows(),
            progress == null ? Map.of() : Map.of(0, progress));
    Map<String, String> json = new LinkedHashMap<>();
    json.put("/sink/rows", text(count.rows()));
    json.put("/sink/distinct", text(count.distinct()));
    json.put("/sink/total", "\"" + count.total() + "\"");
    json.put("/progress/0/committed", text(progress));
    json.put("/progress/0/end", "5");
    json.put("/counts/duplicates", text(count.duplicates()));
    json.put("/counts/lost", text(count.lost()));
    json.put("/counts/pending", text(count.pending()));
    json.put("/verdict/promiseKept", text(count.promiseKept()));
    json.put("/verdict/numberRight", text(count.numberRight()));
    json.put("/recognised", text(count.recognised()));
    NaiveCount.View view = count.view();
    json.put(
        "/sink/view",
        view == null
            ? "null"
            : "{\"rows\":" + view.rows() + ",\"total\":\"" + view.total() + "\"}");
    return json;
  }

  private static String text(@Nullable Object value) {
    return String.valueOf(value);
  }

  private static String rows(State state) {
    List<String> rows = new ArrayList<>();
    state.rows().forEach(row -> rows.add(1001 + row.offset() + "@" + row.offset()));
    return String.join(" ", rows);
  }

  private static String sinkRows(String lane) {
    if (lane.equals("increment-in-place")) {
      return "";
    }
    List<String> rows = new ArrayList<>();
    get("/api/lanes/" + lane + "/sink")
        .at("/rows")
        .forEach(row -> rows.add(row.at("/orderId") + "@" + row.at("/offset")));
    return String.join(" ", rows);
  }

  private static void fiveOrdersInBatchesOfTwo() {
    post("/api/experiment", "{\"partitions\":1,\"batchSize\":2}");
    post("/api/log/records", "{\"dataset\":\"five-orders\"}");
    // The truth follows the log by itself; before it has, there is nothing to judge by.
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> get("/api/experiment").at("/truth/records").toString().equals("5"));
  }

  private static String body(Crash crash) {
    Integer record = crash.gap().record();
    return "{\"after\":\""
        + crash.gap().after()
        + "\""
        + (record == null ? "" : ",\"record\":" + record)
        + ",\"batch\":"
        + crash.batch()
        + "}";
  }

  private static JsonNode get(String path) {
    return send(request(path).GET().build());
  }

  private static JsonNode delete(String path) {
    return send(request(path).DELETE().build());
  }

  private static JsonNode post(String path, String body) {
    return send(request(path).POST(HttpRequest.BodyPublishers.ofString(body)).build());
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + lab.port() + path))
        .header("Content-Type", "application/json");
  }

  private static JsonNode send(HttpRequest request) {
    try {
      HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode())
          .as(request.method() + " " + request.uri() + ": " + answer.body())
          .isEqualTo(200);
      return JSON.readTree(answer.body());
    } catch (IOException e) {
      throw new AssertionError(request.uri().toString(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
