package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What REST answers when all is well: every field, its type, and how lists go on. */
@ExtendWith(SharedLab.class)
class AnswersIT {

  private static final List<String> LANES =
      List.of(
          "at-most-once",
          "at-least-once",
          "auto-commit",
          "auto-commit-handoff",
          "transactional",
          "idempotent-key",
          "insert-ignore",
          "dedup-on-read",
          "random-key",
          "increment-in-place");

  private final Lab lab;

  AnswersIT(Lab lab) {
    this.lab = lab;
  }

  @Test
  void aNewExperimentIsEmptyAndItsLanesAreStopped() {
    Lab.Answer made = lab.fresh(3, 7);
    assertThat(made.number("/partitions")).isEqualTo(3);
    assertThat(made.number("/batchSize")).isEqualTo(7);
    assertThat(made.number("/truth/records")).isZero();
    assertThat(made.text("/truth/total")).isEqualTo("0.00");
    assertThat(made.number("/truth/conflicts")).isZero();
    assertThat(made.number("/dataBytes")).isPositive();
    assertThat(made.number("/experiment"))
        .isEqualTo(lab.get("/api/experiment").number("/experiment"));

    JsonNode lanes = lab.get("/api/lanes").ok().at("/lanes");
    assertThat(lanes.valueStream().map(lane -> lane.get("lane").asString())).isEqualTo(LANES);
    for (JsonNode lane : lanes) {
      assertThat(lane.get("state").asString()).isEqualTo("STOPPED");
      assertThat(lane.get("progress")).hasSize(3);
      for (JsonNode place : lane.get("progress")) {
        assertThat(place.get("committed").isNull()).as("never committed").isTrue();
        assertThat(place.get("end").asLong()).isZero();
        assertThat(place.get("lag").asLong()).isZero();
      }
    }
  }

  @Test
  void leftOutMeansOnePartitionAndBatchesOfTwo() {
    Lab.Answer made = lab.post("/api/experiment", "{}").ok();
    assertThat(made.number("/partitions")).isEqualTo(1);
    assertThat(made.number("/batchSize")).isEqualTo(2);
  }

  /** Two orders applied, then death: 2 + 5 rows, 37.50 + 149.45 = 186.95. */
  @Test
  void aSnapshotHasEveryFieldOfTheContract() {
    lab.fresh(1, 2);
    lab.fiveOrders();
    Lab.Answer armed = lab.crashAfter("at-least-once", "effect", 2);
    assertThat(armed.text("/armed/after")).isEqualTo("effect");
    assertThat(armed.number("/armed/record")).isEqualTo(2);
    assertThat(armed.number("/armed/batch")).isEqualTo(1);
    assertThat(armed.text("/armed/waitsFor")).contains("effect 2 of batch 1");

    lab.post("/api/lanes/at-least-once/start").ok();
    Lab.Answer crashed = lab.await("at-least-once", "crashed");
    assertThat(crashed.at("/armed").isNull()).as("firing disarms").isTrue();
    assertThat(crashed.at("/progress/0/committed").isNull()).isTrue();
    assertThat(crashed.number("/progress/0/lag")).isEqualTo(5);
    assertThat(crashed.text("/sink/total")).isEqualTo("37.50");
    assertThat(crashed.text("/lastCrash/after")).isEqualTo("effect");

    lab.post("/api/lanes/at-least-once/restart").ok();
    Lab.Answer done = lab.await("at-least-once", "drained");
    assertThat(done.text("/lane")).isEqualTo("at-least-once");
    assertThat(done.text("/state")).isEqualTo("RUNNING");
    assertThat(done.at("/reason").isNull()).isTrue();
    assertThat(done.at("/group").isString()).isTrue();
    assertThat(done.at("/steps").valueStream().map(JsonNode::asString))
        .containsExactly("poll", "effect", "commit");
    assertThat(done.at("/crashes").isIntegralNumber()).isTrue();
    assertThat(done.number("/crashes")).isEqualTo(1);
    assertThat(done.number("/restarts")).isEqualTo(1);
    assertThat(done.json().at("/progress/0").toString())
        .isEqualTo("{\"partition\":0,\"committed\":5,\"end\":5,\"lag\":0}");
    assertThat(done.json().at("/sink").toString())
        .isEqualTo("{\"rows\":7,\"distinct\":5,\"total\":\"186.95\",\"view\":null}");
    assertThat(done.json().at("/truth").toString())
        .isEqualTo("{\"records\":5,\"total\":\"149.45\"}");
    assertThat(done.json().at("/counts").toString())
        .isEqualTo("{\"duplicates\":2,\"lost\":0,\"pending\":0}");
    assertThat(done.json().at("/kinds").toString())
        .isEqualTo("{\"reRead\":2,\"reSent\":0,\"conflict\":0}");
    assertThat(done.number("/recognised")).isZero();
    assertThat(done.text("/verdict/promise")).isEqualTo("no order is lost");
    assertThat(done.at("/verdict/promiseKept").booleanValue()).isTrue();
    assertThat(done.at("/verdict/numberRight").booleanValue()).isFalse();
    assertThat(done.text("/verdict/why")).isNotBlank();

    Lab.Answer counted = lab.post("/api/lanes/at-least-once/recount").ok();
    assertThat(counted.json().at("/counts")).isEqualTo(done.json().at("/counts"));
    assertThat(counted.json().at("/verdict")).isEqualTo(done.json().at("/verdict"));
  }

  @Test
  void idsKeepEveryDigitWhereverTheyAppear() {
    String longest = "1234567890".repeat(6) + "1234"; // 64 digits
    List<String> ids = List.of("9007199254740993", "18446744073709551616", longest);
    lab.fresh(1, 2);
    Lab.Answer placed =
        lab.append(
                Lab.order(ids.get(0), "1.00")
                    + ","
                    + Lab.order("\"" + ids.get(1) + "\"", "2")
                    + ","
                    + Lab.order(longest, "3.5"))
            .ok();
    assertDigits(placed, "/records", ids);
    lab.post("/api/lanes/idempotent-key/start").ok();
    lab.await("idempotent-key", "drained");

    assertDigits(lab.get("/api/log/records").ok(), "/records", ids);
    assertDigits(lab.get("/api/lanes/idempotent-key/sink").ok(), "/rows", ids);
    assertThat(lab.get("/api/lanes/idempotent-key/history").ok().body())
        .contains(
            "\"orderId\":" + ids.get(0), "\"orderId\":" + ids.get(1), "\"orderId\":" + longest);
    assertThat(lab.get("/api/lanes/idempotent-key/sink.csv").ok().body()).contains(ids);

    // 7 as text and 7 as a number are one order: sent again, not a conflict.
    lab.append(Lab.order("7", "1.00") + "," + Lab.order("\"7\"", "1.0")).ok();
    Lab.Answer both = lab.await("idempotent-key", "drained");
    assertThat(both.number("/truth/records")).isEqualTo(4);
    assertThat(lab.get("/api/experiment").number("/truth/resent")).isEqualTo(1);
    assertThat(lab.get("/api/experiment").number("/truth/conflicts")).isZero();
    assertThat(lab.get("/api/log/records").text("/records/1/amount")).isEqualTo("2.00");
  }

  private static void assertDigits(Lab.Answer answer, String list, List<String> ids) {
    List<BigInteger> found =
        answer.at(list).valueStream().map(each -> each.get("orderId").bigIntegerValue()).toList();
    assertThat(found).isEqualTo(ids.stream().map(BigInteger::new).toList());
    for (String id : ids) {
      assertThat(answer.body()).containsPattern("\"orderId\":" + id + "[,}]").doesNotContain("E+");
    }
  }

  @Test
  void aRowOfTheSinkSaysWhereItCameFrom() {
    lab.fresh(1, 2);
    lab.append(
            "{\"orderId\":5,\"amount\":-3,\"eventTime\":\"2026-01-04T10:14:02+01:00\",\"customer\":\"<b>Zoë</b>\"}")
        .ok();
    lab.post("/api/lanes/at-least-once/start").ok();
    lab.await("at-least-once", "drained");
    Lab.Answer rows = lab.get("/api/lanes/at-least-once/sink").ok();
    assertThat(rows.at("/rows")).hasSize(1);
    assertThat(rows.number("/rows/0/row")).isPositive();
    assertThat(rows.text("/rows/0/amount")).isEqualTo("-3.00");
    assertThat(rows.text("/rows/0/eventTime")).isEqualTo("2026-01-04T09:14:02Z");
    assertThat(rows.text("/rows/0/customer")).isEqualTo("<b>Zoë</b>");
    assertThat(rows.number("/rows/0/partition")).isZero();
    assertThat(rows.number("/rows/0/offset")).isZero();
    assertThat(Instant.parse(rows.text("/rows/0/appliedAt")))
        .isBefore(Instant.now().plusSeconds(1));
    assertThat(rows.at("/next").isNull()).isTrue();
    // Text, not markup, and not an attachment that a browser would guess about.
    assertThat(rows.type()).isEqualTo("application/json");
    assertThat(rows.raw().headers().firstValue("X-Content-Type-Options")).contains("nosniff");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 1000})
  void listsGoOnUntilNextIsNullAlsoWhenTheLastPageIsFull(int limit) {
    Lab.Answer lane = lab.lane("at-least-once");
    if (lab.get("/api/experiment").number("/truth/appended") != 5
        || lane.at("/progress").size() != 1
        || !lane.text("/sink/total").equals("149.45")
        || !lane.text("/state").equals("STOPPED")) {
      lab.fresh(1, 2);
      lab.fiveOrders();
      lab.post("/api/lanes/at-least-once/start").ok();
      lab.await("at-least-once", "drained");
      lab.post("/api/lanes/at-least-once/stop").ok();
    }
    int pages = (5 + limit - 1) / limit;
    assertPages("/api/log/records", "from", "records", limit, 5, pages);
    assertPages("/api/lanes/at-least-once/sink", "after", "rows", limit, 5, pages);
    int events = lab.get("/api/lanes/at-least-once/history?limit=1000").ok().at("/events").size();
    assertPages(
        "/api/lanes/at-least-once/history",
        "after",
        "events",
        limit,
        events,
        (events + limit - 1) / limit);
  }

  private void assertPages(
      String path, String cursor, String list, int limit, int items, int pages) {
    List<JsonNode> all = new ArrayList<>();
    long from = 0;
    for (int page = 1; ; page++) {
      Lab.Answer answer = lab.get(path + "?limit=" + limit + "&" + cursor + "=" + from).ok();
      answer.at("/" + list).forEach(all::add);
      if (answer.at("/next").isNull()) {
        assertThat(page).isEqualTo(pages);
        break;
      }
      assertThat(page).isLessThan(pages);
      from = answer.number("/next");
    }
    assertThat(all).hasSize(items).doesNotHaveDuplicates();
  }

  @Test
  void theViewOfDedupOnReadHasEveryOrderOnce() {
    lab.fresh(1, 2);
    lab.fiveOrders();
    lab.crashAfter("dedup-on-read", "effect", 2);
    lab.post("/api/lanes/dedup-on-read/start").ok();
    lab.await("dedup-on-read", "crashed");
    lab.post("/api/lanes/dedup-on-read/start").ok();
    Lab.Answer done = lab.await("dedup-on-read", "drained");
    assertThat(done.json().at("/sink").toString())
        .isEqualTo(
            "{\"rows\":7,\"distinct\":5,\"total\":\"186.95\",\"view\":{\"rows\":5,\"total\":\"149.45\"}}");
    assertThat(lab.get("/api/lanes/dedup-on-read/sink").ok().at("/rows")).hasSize(7);
    assertThat(lab.get("/api/lanes/dedup-on-read/sink?view=deduplicated").ok().at("/rows"))
        .hasSize(5);
    assertThat(lab.get("/api/lanes/dedup-on-read/sink.csv?view=deduplicated").ok().body().lines())
        .hasSize(6);
  }

  @Test
  void generatedIdsRunFromOneOrBehindTheHighest() {
    lab.fresh(2, 2);
    String three = "{\"generate\":{\"count\":3,\"seed\":42,\"keys\":50}}";
    assertThat(lab.post("/api/log/records", three).ok().number("/appended")).isEqualTo(3);
    lab.append(Lab.order("100", "1.00")).ok();
    lab.post("/api/log/records", three).ok();
    List<Long> ids = new ArrayList<>();
    for (int partition = 0; partition < 2; partition++) {
      lab.get("/api/log/records?partition=" + partition)
          .ok()
          .at("/records")
          .forEach(record -> ids.add(record.get("orderId").asLong()));
    }
    assertThat(ids).containsExactlyInAnyOrder(1L, 2L, 3L, 100L, 101L, 102L, 103L);
  }

  @Test
  void imports() {
    lab.fresh(1, 2);
    String csv =
        "orderId,amount,eventTime,customer\n1,1.00,2026-01-04T09:14:02Z,a\n2,2.5,2026-01-04T09:14:02Z,\n";
    Lab.Answer taken =
        lab.send(
                "POST",
                "/api/log/import",
                java.net.http.HttpRequest.BodyPublishers.ofString(csv),
                "Content-Type",
                "text/csv; charset=utf-8")
            .ok();
    assertThat(taken.number("/appended")).isEqualTo(2);
    lab.send(
            "POST",
            "/api/log/import",
            java.net.http.HttpRequest.BodyPublishers.ofString(Lab.order("3", "3.00") + "\n"),
            "Content-Type",
            "application/x-ndjson")
        .ok();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> assertThat(lab.get("/api/experiment").text("/truth/total")).isEqualTo("6.50"));
  }

  @Test
  void sameContentIsSentAgainOtherContentIsAConflict() {
    lab.fresh(1, 2);
    lab.append(
            Lab.order("1", "1.00")
                + ","
                + Lab.order("1", "1.00")
                + ","
                + Lab.order("2", "2.00")
                + ","
                + Lab.order("2", "9.00"))
        .ok();
    lab.post("/api/lanes/at-least-once/start").ok();
    Lab.Answer done = lab.await("at-least-once", "drained");
    assertThat(done.json().at("/truth").toString()).isEqualTo("{\"records\":2,\"total\":\"3.00\"}");
    assertThat(done.json().at("/kinds").toString())
        .isEqualTo("{\"reRead\":0,\"reSent\":1,\"conflict\":1}");
    assertThat(done.number("/counts/duplicates")).isEqualTo(2);

    Lab.Answer conflicts = lab.get("/api/log/conflicts?limit=10").ok();
    assertThat(conflicts.at("/conflicts")).hasSize(1);
    assertThat(conflicts.number("/total")).isEqualTo(1);
    assertThat(conflicts.number("/conflicts/0/orderId")).isEqualTo(2);
    assertThat(conflicts.text("/conflicts/0/winner/amount")).isEqualTo("2.00");
    assertThat(conflicts.number("/conflicts/0/winner/offset")).isEqualTo(2);
    assertThat(conflicts.text("/conflicts/0/loser/amount")).isEqualTo("9.00");
    assertThat(conflicts.number("/conflicts/0/loser/offset")).isEqualTo(3);

    // A negative control: without another content there is nothing to list.
    lab.fresh(1, 2);
    lab.append(Lab.order("1", "1.00") + "," + Lab.order("1", "1.0")).ok();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> assertThat(lab.get("/api/experiment").number("/truth/resent")).isEqualTo(1));
    assertThat(lab.get("/api/log/conflicts").ok().at("/conflicts")).isEmpty();
  }
}
