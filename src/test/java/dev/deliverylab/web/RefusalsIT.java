package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is not allowed: the answer says what is, in plain words, and nothing has changed. */
@ExtendWith(SharedLab.class)
class RefusalsIT {

  private static final int MIB = 1 << 20;
  private static final String TIME = "\"eventTime\":\"2026-01-04T09:14:02Z\"";
  private static final String CRASH = "POST /api/lanes/at-least-once/crash";
  private static final String REPLAY = "POST /api/lanes/at-least-once/replay";
  private static final String APPEND = "POST /api/log/records";
  private static final String NEW = "POST /api/experiment";
  private static final String LOAD = "POST /api/load";
  private static final String PACE = "POST /api/pace";

  private static final String CLOSE = "Host: localhost\r\nConnection: close\r\n\r\n";

  private final Lab lab;

  RefusalsIT(Lab lab) {
    this.lab = lab;
  }

  /** Five orders in two partitions, one lane at work, one crash that waits. */
  @BeforeEach
  void scene() {
    if (!lab.get("/api/experiment").text("/truth/total").equals("149.45")
        || lab.get("/api/experiment").number("/partitions") != 2
        || lab.lane("transactional").at("/armed").isNull()) {
      lab.fresh(2, 2);
      lab.fiveOrders();
      lab.post("/api/lanes/at-least-once/start").ok();
      lab.await("at-least-once", "drained");
      lab.crashAfter("transactional", "effect", 2);
      lab.crashAfter("at-least-once", "effect", 2);
    }
  }

  static Stream<Arguments> bodies() {
    return Stream.of(
        // a new experiment
        call(NEW, "{\"partitions\":0}", "1 to 16"),
        call(NEW, "{\"partitions\":17}", "1 to 16"),
        call(NEW, "{\"batchSize\":0}", "1 to 1000"),
        call(NEW, "{\"batchSize\":1001}", "1 to 1000"),
        call(NEW, "{\"partitions\":-1,\"batchSize\":2}", "1 to 16"),
        call(NEW, "{\"partitions\":1.5}", "partitions is a whole number"),
        call(NEW, "{\"partitions\":\"2\"}", "partitions is a whole number"),
        call(NEW, "{\"partitions\":true}", "partitions is a whole number"),
        call(NEW, "{\"batchSize\":99999999999}", "batchSize is a whole number", "too large"),
        call(NEW, "{\"partition\":1}", "'partition' is not known", "partitions, batchSize"),
        call(NEW, "{\"partitions\":1,\"partitions\":2}", "given twice", "line 1"),
        call(NEW, "{\"partitions\":1}{}", "one JSON object, with nothing behind it"),
        call(NEW, "{\"partitions\":", "not JSON: it ends too early"),
        call(NEW, "{partitions:1}", "not JSON", "line 1"),
        call(NEW, "[1,2]", "is a JSON object"),
        call(NEW, "\"1\"", "is a JSON object"),
        call(NEW, "null", "takes a JSON object"),
        call(NEW, "", "takes a JSON object"),
        call(NEW, "[".repeat(100_000), "JSON object"),
        // appending
        call(APPEND, "{}", "say one of", "dataset", "records", "generate"),
        call(APPEND, "{\"dataset\":\"five-orders\",\"generate\":{\"count\":1}}", "say one of"),
        call(APPEND, "{\"dataset\":\"six-orders\"}", "five-orders"),
        call(APPEND, "{\"dataset\":5}", "dataset is a string"),
        call(APPEND, "{\"records\":[]}", "at least one"),
        call(APPEND, "{\"records\":[null]}", "none is null"),
        call(APPEND, "{\"records\":{}}", "records is a list"),
        call(APPEND, "{\"generate\":{}}", "\"count\" from 1 to 1000000"),
        call(APPEND, "{\"generate\":{\"count\":0}}", "between 1 and 1000000"),
        call(APPEND, "{\"generate\":{\"count\":1000001}}", "between 1 and 1000000"),
        call(APPEND, "{\"generate\":{\"count\":1,\"keys\":0}}", "keys lies between"),
        call(APPEND, "{\"generate\":{\"count\":1,\"seed\":1.5}}", "generate.seed is a whole"),
        call(APPEND, "{\"generate\":{\"count\":1,\"rate\":1}}", "count, seed, keys"),
        // a load, the pace
        call(LOAD, "{}", "\"ratePerSecond\": 1 to 100000"),
        call(LOAD, "{\"ratePerSecond\":0}", "between 1 and 100000"),
        call(LOAD, "{\"ratePerSecond\":100001}", "between 1 and 100000"),
        call(LOAD, "{\"ratePerSecond\":1,\"seconds\":0}", "between 1 and 3600"),
        call(LOAD, "{\"ratePerSecond\":1,\"seconds\":3601}", "between 1 and 3600"),
        call(LOAD, "{\"ratePerSecond\":1,\"minutes\":1}", "ratePerSecond, seconds, seed"),
        call(PACE, "{}", "0 to 2000"),
        call(PACE, "{\"stepMillis\":-1}", "0 to 2000"),
        call(PACE, "{\"stepMillis\":2001}", "0 to 2000"),
        // crashes
        call(CRASH, "{}", "{\"now\":true}", "poll, effect, commit"),
        call(CRASH, "{\"now\":false}", "{\"now\":true}"),
        call(CRASH, "{\"now\":\"true\"}", "now is true or false"),
        call(CRASH, "{\"now\":1}", "now is true or false"),
        call(CRASH, "{\"now\":true,\"after\":\"poll\"}", "\"now\" goes without"),
        call(CRASH, "{\"after\":\"explode\"}", "no step 'explode'", "poll, effect, commit"),
        call(CRASH, "{\"after\":\"begin\"}", "poll, effect, commit"),
        call(CRASH, "{\"after\":5}", "after is a string"),
        call(CRASH, "{\"after\":\"effect\"}", "\"record\" from 1 to 2"),
        call(CRASH, "{\"after\":\"effect\",\"record\":0}", "batch size, which is 2"),
        call(CRASH, "{\"after\":\"effect\",\"record\":3}", "batch size, which is 2"),
        call(CRASH, "{\"after\":\"effect\",\"record\":1.0}", "record is a whole number"),
        call(CRASH, "{\"after\":\"effect\",\"record\":\"1\"}", "record is a whole number"),
        call(CRASH, "{\"after\":\"poll\",\"record\":1}", "takes no \"record\""),
        call(CRASH, "{\"after\":\"commit\",\"record\":1}", "takes no \"record\""),
        call(CRASH, "{\"after\":\"poll\",\"batch\":0}", "\"batch\" counts from 1"),
        call(CRASH, "{\"after\":\"poll\",\"batch\":-1}", "\"batch\" counts from 1"),
        call(CRASH, "{\"after\":\"poll\",\"gap\":1}", "after, record, batch, now"),
        // replays
        call(REPLAY, "{}", "earliest, latest, offset, timestamp or shift", "left out"),
        call(REPLAY, "{\"to\":\"start\"}", "earliest, latest, offset, timestamp or shift"),
        call(REPLAY, "{\"to\":\"offset\"}", "whole number", "left out"),
        call(REPLAY, "{\"to\":\"offset\",\"value\":\"3\"}", "whole number", "'3'"),
        call(REPLAY, "{\"to\":\"offset\",\"value\":1.5}", "whole number"),
        call(REPLAY, "{\"to\":\"offset\",\"value\":-1}", "partition 0, which allows 0 to"),
        call(REPLAY, "{\"to\":\"offset\",\"value\":6}", "which allows 0 to"),
        call(REPLAY, "{\"to\":\"offset\",\"value\":" + "9".repeat(30) + "}", "whole number"),
        call(REPLAY, "{\"to\":\"shift\"}", "whole number"),
        call(REPLAY, "{\"to\":\"shift\",\"value\":\"-2\"}", "whole number"),
        call(REPLAY, "{\"to\":\"timestamp\"}", "a time with its zone"),
        call(REPLAY, "{\"to\":\"timestamp\",\"value\":5}", "a time with its zone"),
        call(REPLAY, "{\"to\":\"timestamp\",\"value\":\"2026-01-04T09:17:02\"}", "its zone"),
        call(REPLAY, "{\"to\":\"timestamp\",\"value\":\"yesterday\"}", "its zone"),
        call(REPLAY, "{\"to\":\"timestamp\",\"value\":\"1969-01-04T09:17:02Z\"}", "1970 and 9999"),
        call(REPLAY, "{\"to\":\"earliest\",\"partition\":2}", "from 0 to 1"),
        call(REPLAY, "{\"to\":\"earliest\",\"partition\":-1}", "from 0 to 1"),
        call(REPLAY, "{\"to\":\"earliest\",\"partition\":0.5}", "partition is a whole number"),
        call(REPLAY, "{\"to\":\"earliest\",\"group\":\"old\"}", "same or new"),
        call(REPLAY, "{\"to\":\"earliest\",\"dryRun\":\"yes\"}", "dryRun is true or false"),
        call(REPLAY, "{\"to\":\"earliest\",\"dry\":true}", "to, value, partition, group, dryRun"));
  }

  private static Arguments call(String call, String body, String... says) {
    return Arguments.of(call, body, says);
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("bodies")
  void aBodyThatIsNotAllowed(String call, String body, String[] says) {
    assertChangesNothing(() -> lab.post(path(call), body).refused(400, says));
  }

  /** Each behind an order that is well, which must not be appended either. */
  static Stream<Arguments> orders() {
    return Stream.of(
        order("{}", "orderId is missing"),
        order("{\"orderId\":1,\"amount\":\"1.00\"}", "eventTime is missing"),
        order("{\"orderId\":1," + TIME + "}", "amount is missing"),
        order(withId("1.5"), "whole number from 0 with at most 64 digits"),
        order(withId("1e3"), "whole number from 0 with at most 64 digits"),
        order(withId("-1"), "whole number from 0 with at most 64 digits"),
        order(withId("\"\""), "whole number from 0 with at most 64 digits"),
        order(withId("\"1001x\""), "whole number from 0 with at most 64 digits"),
        order(withId("\"<script>\""), "whole number from 0 with at most 64 digits"),
        order(withId("1".repeat(65)), "whole number from 0 with at most 64 digits"),
        order(withId("1".repeat(20_000)), "too long"),
        order(withId("null"), "orderId is a number or a string"),
        order(withId("[1]"), "orderId is a number or a string"),
        order(withId("true"), "orderId is a number or a string"),
        order(withAmount("\"1.001\""), "at most two decimals"),
        order(withAmount("1.001"), "at most two decimals"),
        order(withAmount("\"100000000.00\""), "between -99999999.99 and 99999999.99"),
        order(withAmount("\"-100000000\""), "between -99999999.99 and 99999999.99"),
        order(withAmount("\"ten\""), "a decimal such as 25.50"),
        order(withAmount("\"1e3\""), "a decimal such as 25.50"),
        order(withAmount("1e3"), "a decimal such as 25.50"),
        order(withAmount("\"1,50\""), "a decimal such as 25.50"),
        order(withAmount("\"NaN\""), "a decimal such as 25.50"),
        order(withAmount("NaN"), "amount is no JSON"),
        order(withAmount("\"\""), "a decimal such as 25.50"),
        order(withAmount("null"), "amount is a number or a string"),
        order(withTime("\"2026-01-04T09:14:02\""), "a time with its offset"),
        order(withTime("\"2026-01-04\""), "a time with its offset"),
        order(withTime("\"04.01.2026 09:14\""), "a time with its offset"),
        order(withTime("1767518042"), "eventTime is a string"),
        order(withTime("\"1969-12-31T23:59:59Z\""), "between the years 1970 and 9999"),
        order(withTime("\"+10000-01-01T00:00:00Z\""), "between the years 1970 and 9999"),
        order(withMore("\"customer\":5"), "customer is a string"),
        order(withMore("\"customer\":\"\""), "1 to 200 characters"),
        order(withMore("\"customer\":\"" + "c".repeat(201) + "\""), "1 to 200 characters"),
        order(withMore("\"customer\":\"a\\nb\""), "no control characters"),
        order(withMore("\"customer\":\"a\\u0000b\""), "no control characters"),
        order(withMore("\"customer\":\"\\ud800\""), "none that are not UTF-8"),
        order(withMore("\"amont\":1"), "orderId, amount, eventTime, customer"),
        order(withMore("\"orderId\":2"), "orderId is given twice"));
  }

  private static Arguments order(String order, String says) {
    return Arguments.of(order, says);
  }

  private static String withId(String id) {
    return "{\"orderId\":" + id + ",\"amount\":\"1.00\"," + TIME + "}";
  }

  private static String withAmount(String amount) {
    return "{\"orderId\":1,\"amount\":" + amount + "," + TIME + "}";
  }

  private static String withTime(String time) {
    return "{\"orderId\":1,\"amount\":\"1.00\",\"eventTime\":" + time + "}";
  }

  private static String withMore(String field) {
    return "{\"orderId\":1,\"amount\":\"1.00\"," + TIME + "," + field + "}";
  }

  @ParameterizedTest
  @MethodSource("orders")
  void anOrderThatIsNotAllowedAndTheGoodOneBeforeIt(String order, String says) {
    assertChangesNothing(
        () -> lab.append(Lab.order("9", "1.00") + "," + order).refused(400, "records[1]: ", says));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          /api/log/records?limit=0                                | 1 to 1000
          /api/log/records?limit=1001                             | 1 to 1000
          /api/log/records?limit=-1                               | 1 to 1000
          /api/log/records?limit=many                             | 'limit' is a whole number
          /api/log/records?limit=99999999999                      | 'limit' is a whole number
          /api/log/records?from=-1                                | 0 or more
          /api/log/records?from=99999999999999999999              | 'from' is a whole number
          /api/log/records?partition=2                            | 0 to 1
          /api/log/records?partition=-1                           | 0 to 1
          /api/log/records?partition=a                            | 'partition' is a whole number
          /api/log/conflicts?limit=0                              | 1 to 1000
          /api/lanes/at-least-once/sink?limit=0                   | 1 to 1000
          /api/lanes/at-least-once/sink?limit=1001                | 1 to 1000
          /api/lanes/at-least-once/sink?after=-1                  | 0 or more
          /api/lanes/at-least-once/sink?after=x                   | 'after' is a whole number
          /api/lanes/at-least-once/sink?view=all                  | view: deduplicated
          /api/lanes/at-least-once/sink.csv?view=all              | view: deduplicated
          /api/lanes/at-least-once/history?limit=0                | 1 to 1000
          /api/lanes/at-least-once/history?limit=1001             | 1 to 1000
          /api/lanes/at-least-once/history?after=-1               | 0 or more
          /api/lanes/at-least-once?await=dead                     | drained, crashed, stopped or running
          /api/lanes/at-least-once?await=RUNNING                  | drained, crashed, stopped or running
          /api/lanes/at-least-once?await=                         | drained, crashed, stopped or running
          /api/lanes/at-least-once?await=drained&timeout=121      | 0 to 120
          /api/lanes/at-least-once?await=drained&timeout=-1       | 0 to 120
          /api/lanes/at-least-once?await=drained&timeout=long     | 'timeout' is a whole number
          /api/runs?limit=0                                       | 1 to 1000
          /api/runs/first                                         | 'id' is a whole number
          """)
  void aQueryThatIsNotAllowed(String path, String says) {
    assertChangesNothing(() -> lab.get(path).refused(400, says));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET ",
        "GET /sink",
        "GET /sink.csv",
        "GET /history",
        "POST /start",
        "POST /stop",
        "POST /restart",
        "POST /pause",
        "POST /resume",
        "POST /recount",
        "DELETE /crash"
      })
  void anUnknownLane(String call) {
    for (String lane : new String[] {"exactly-once", "AT-LEAST-ONCE", "%3Cscript%3E"}) {
      String path = "/api/lanes/" + lane + call.substring(call.indexOf(' ') + 1);
      assertChangesNothing(
          () ->
              lab.send(method(call), path, BodyPublishers.noBody())
                  .refused(404, "there is no lane", "at-most-once", "increment-in-place"));
    }
  }

  @Test
  void aQueryThatIsNoQuery() {
    assertChangesNothing(
        () ->
            assertThat(lab.raw("GET /api/log/records?limit=%zz HTTP/1.1\r\n" + CLOSE))
                .startsWith("HTTP/1.1 400")
                .contains("application/problem+json", "write parameters as name=value"));
  }

  @Test
  void anUnknownLaneAlsoWithABody() {
    assertChangesNothing(
        () -> {
          lab.post("/api/lanes/x/crash", "{\"after\":\"poll\"}").refused(404, "at-least-once");
          lab.post("/api/lanes/x/replay", "{\"to\":\"earliest\"}").refused(404, "at-least-once");
          lab.get("/api/lanes/x?await=drained&timeout=100").refused(404, "at-least-once");
        });
  }

  @Test
  void whatIsNotThere() {
    assertChangesNothing(
        () -> {
          lab.get("/api/nothing").refused(404, "/v3/api-docs lists every call");
          lab.post("/api/lanes/at-least-once/explode").refused(404, "/v3/api-docs");
          lab.get("/api/runs/999999").refused(404, "999999");
          lab.get("/api/scenarios/nobody").refused(404, "at-least-once, at-most-once");
          lab.post("/api/scenarios/nobody/runs").refused(404, "side-by-side");
        });
  }

  @ParameterizedTest
  @CsvSource({
    "PUT,    /api/experiment,                'GET or POST, not PUT'",
    "DELETE, /api/experiment,                'GET or POST'",
    "GET,    /api/lanes/start,               'there is no lane'",
    "GET,    /api/lanes/at-least-once/start, 'this call takes POST'",
    "PATCH,  /api/lanes/at-least-once/crash, 'DELETE or POST'",
    "POST,   /api/lanes/at-least-once/sink,  'this call takes GET'",
    "POST,   /api/events,                    '/v3/api-docs says which'",
    "DELETE, /api/log/records,               'GET or POST'"
  })
  void anotherMethod(String method, String path, String says) {
    assertChangesNothing(
        () -> {
          Lab.Answer answer = lab.send(method, path, BodyPublishers.noBody());
          answer.refused(answer.status() == 404 ? 404 : 405, says);
        });
  }

  @ParameterizedTest
  @CsvSource({
    "/api/experiment,                 application/json",
    "/api/log/records,                application/json",
    "/api/load,                       application/json",
    "/api/pace,                       application/json",
    "/api/lanes/at-least-once/crash,  application/json",
    "/api/lanes/at-least-once/replay, application/json",
    "/api/log/import,                 text/csv or application/x-ndjson",
    "/api/scenarios/runs,             application/yaml"
  })
  void aWrongContentType(String path, String allowed) {
    BodyPublisher body = BodyPublishers.ofString("{}");
    assertChangesNothing(
        () -> {
          for (String type : new String[] {"text/plain", "application/xml", "no type at all"}) {
            lab.send("POST", path, body, "Content-Type", type).refused(415, allowed);
          }
          lab.send("POST", path, body).refused(415, allowed);
          lab.send("POST", path, body, "Content-Type", "application/x-www-form-urlencoded")
              .refused(415, allowed);
        });
  }

  @Test
  void anAnswerInAFormThatThereIsNot() {
    assertChangesNothing(
        () -> {
          lab.get("/api/lanes", "Accept", "application/xml").refused(406, "application/json");
          lab.send(
                  "POST",
                  "/api/lanes/at-least-once/stop",
                  BodyPublishers.noBody(),
                  "Accept",
                  "text/csv")
              .refused(406, "application/json");
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/experiment",
        "/api/log/records",
        "/api/lanes/at-least-once/crash",
        "/api/lanes/at-least-once/stop",
        "/api/scenarios/runs"
      })
  void aBodyOverOneMebibyteWithAndWithoutItsLengthAnnounced(String path) {
    String tooLong = "{" + " ".repeat(MIB - 1) + "}";
    byte[] bytes = tooLong.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    assertThat(bytes).hasSize(MIB + 1);
    assertChangesNothing(
        () -> {
          lab.post(path, tooLong).refused(413, "at most 1 MiB");
          lab.send(
                  "POST",
                  path,
                  BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(bytes)),
                  "Content-Type",
                  "application/json")
              .refused(413, "at most 1 MiB");
        });
  }

  @Test
  void aBodyOfExactlyOneMebibyteIsRead() {
    String longest = "{" + " ".repeat(MIB - 2) + "}";
    assertChangesNothing(() -> lab.post("/api/log/records", longest).refused(400, "say one of"));
  }

  @Test
  void whatIsAllowedOnlyInAnotherState() {
    assertChangesNothing(
        () -> {
          lab.post("/api/lanes/random-key/crash", "{\"now\":true}").refused(409, "start it first");
          lab.post("/api/lanes/random-key/pause").refused(409, "STOPPED", "start it first");
          lab.post("/api/lanes/random-key/resume").refused(409, "STOPPED", "start or restart");
        });
  }

  /** A negative control: the comparison above sees what each of these changes. */
  @Test
  void whatIsAllowedChangesSomething() {
    for (String call :
        new String[] {
          "POST /api/lanes/random-key/start {}",
          "POST /api/lanes/random-key/crash {\"after\":\"poll\",\"batch\":9}",
          "POST /api/lanes/random-key/pause {}",
          "POST /api/lanes/at-least-once/replay {\"to\":\"latest\"}",
          "POST /api/log/records {\"records\":[" + Lab.order("7", "1.00") + "]}",
          "POST /api/pace {\"stepMillis\":1}",
          "POST /api/experiment {}"
        }) {
      String[] parts = call.split(" ", 3);
      String before = lab.everything();
      lab.post(parts[1], parts[2]).ok();
      assertThat(lab.everything()).as(call).isNotEqualTo(before);
    }
    lab.post("/api/pace", "{\"stepMillis\":0}").ok();
  }

  private void assertChangesNothing(Runnable refused) {
    String before = lab.everything();
    refused.run();
    assertThat(lab.everything()).isEqualTo(before);
  }

  private static String method(String call) {
    return call.substring(0, call.indexOf(' '));
  }

  private static String path(String call) {
    return call.substring(call.indexOf(' ') + 1);
  }
}
