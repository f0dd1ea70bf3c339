package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Windows, watermarks and late records by REST. Five events: 25.50 at 09:04, then 12.00, 40.00 and
 * 8.75 in the window from 09:05, and 63.20 of 09:06 that arrives at 09:41; 149.45 together.
 */
@ExtendWith(SharedLab.class)
class TimeApiIT {

  private static final List<String> OURS =
      List.of("per-record", "arrival-watermark", "event-time-watermark");
  private static final String STREAMS = "streams-window";
  private static final String FIVE = "{\"dataset\":\"five-late-events\"}";

  private final Lab lab;

  TimeApiIT(Lab lab) {
    this.lab = lab;
  }

  @BeforeEach
  void emptyLog() {
    lab.post("/api/pace", "{\"stepMillis\":0}").ok();
    lab.post("/api/time/reset", "{}").ok();
  }

  @Test
  void perRecordAndTheArrivalClockDropTheLastAndEventTimeDropsNone() {
    lab.post("/api/time/records", FIVE).ok();

    JsonNode perRecord = drained("per-record");
    counts(perRecord, 4, 1, "86.25", "0.00");
    assertThat(perRecord.at("/missing").asString()).isEqualTo("63.20");
    assertThat(perRecord.at("/missingShare").asString()).isEqualTo("42.3");
    assertThat(perRecord.at("/watermark").isNull()).isTrue();

    JsonNode arrival = drained("arrival-watermark");
    counts(arrival, 4, 1, "86.25", "86.25");
    assertThat(arrival.at("/watermark").asString()).isEqualTo("2026-01-04T09:31:00Z");

    JsonNode eventTime = drained("event-time-watermark");
    counts(eventTime, 5, 0, "149.45", "0.00");
    assertThat(eventTime.at("/watermark").asString()).isEqualTo("2026-01-04T08:59:00Z");
    assertThat(windows(eventTime))
        .containsExactly("09:00 1 25.50 2 open", "09:05 4 123.95 2100 open");
    for (JsonNode window : eventTime.at("/windows")) {
      assertThat(window.at("/true/revenue")).isEqualTo(window.at("/revenue"));
    }

    // Kafka Streams: the same rule, the same windows.
    JsonNode streams = drained(STREAMS);
    counts(streams, 5, 0, "149.45", "0.00");
    assertThat(streams.at("/watermark").asString()).isEqualTo("2026-01-04T08:59:00Z");
    assertThat(windows(streams)).isEqualTo(windows(eventTime));
    assertThat(streams.at("/engineDropped").asLong()).isZero();
  }

  /** 09:20 - 10 min = 09:10, where the window of the last one ends. */
  @Test
  void anotherRecordBringsTheEventTimeWatermarkToTheEndOfTheWindow() {
    lab.post(
            "/api/time/records",
            records(
                record(1001, "25.50", "09:04:00", "09:04:02"),
                record(1006, "1.00", "09:20:00", "09:20:01"),
                record(1005, "63.20", "09:06:00", "09:41:00")))
        .ok();
    JsonNode lane = drained("event-time-watermark");
    counts(lane, 2, 1, "26.50", "25.50");
    JsonNode streams = drained(STREAMS);
    counts(streams, 2, 1, "26.50", "25.50");
    assertThat(windows(streams)).isEqualTo(windows(lane));
    assertThat(streams.at("/engineDropped").asLong()).isEqualTo(1);
    JsonNode late = lab.get("/api/time/lanes/event-time-watermark/late").ok().at("/late/0");
    assertThat(late.at("/orderId").asLong()).isEqualTo(1005);
    assertThat(late.at("/watermark").asString()).isEqualTo("2026-01-04T09:10:00Z");
    assertThat(late.at("/windowEnd").asString()).isEqualTo("2026-01-04T09:10:00Z");
    assertThat(late.at("/behindSeconds").asLong()).isZero();

    // A second earlier, and the window is still open.
    emptyLog();
    lab.post(
            "/api/time/records",
            records(
                record(1006, "1.00", "09:19:59", "09:20:01"),
                record(1005, "63.20", "09:06:00", "09:41:00")))
        .ok();
    counts(drained("event-time-watermark"), 2, 0, "64.20", "0.00");
    counts(drained(STREAMS), 2, 0, "64.20", "0.00");
  }

  /** Eleven minutes late, and its window ends at 09:10 while the watermark stands at 09:07. */
  @Test
  void theFirstTwoRulesDisagreeAboutOneRecord() {
    lab.post("/api/time/records", records(record(1, "5.00", "09:06:00", "09:17:00"))).ok();
    counts(drained("per-record"), 0, 1, "0.00", "0.00");
    counts(drained("arrival-watermark"), 1, 0, "5.00", "0.00");
  }

  @Test
  void aRestatedWindowIsPublishedAgainAndAReplayDoublesNothing() {
    lab.post("/api/time/records", FIVE).ok();
    policy("arrival-watermark", "{\"late\":\"restate\"}");
    for (int run = 2; run <= 3; run++) {
      JsonNode lane = drained("arrival-watermark");
      assertThat(lane.at("/run").asInt()).isEqualTo(run);
      assertThat(lane.at("/accepted").asInt()).isEqualTo(4);
      assertThat(lane.at("/late/restated").asInt()).isEqualTo(1);
      assertThat(lane.at("/emitted").asString()).isEqualTo("149.45");
      JsonNode window = lane.at("/windows/1");
      assertThat(window.at("/revision").asInt()).isEqualTo(2);
      assertThat(window.at("/published/0/revenue").asString()).isEqualTo("60.75");
      assertThat(window.at("/published/1/revenue").asString()).isEqualTo("123.95");
      lab.post("/api/lanes/arrival-watermark/replay", "{\"to\":\"earliest\"}").ok();
    }
  }

  /** The engine lets no window go then; the last one comes after its window has been final. */
  @Test
  void kafkaStreamsRestatesToo() {
    policy(STREAMS, "{\"boundMinutes\":0,\"late\":\"restate\"}");
    lab.post(
            "/api/time/records",
            records(
                record(1002, "12.00", "09:07:00", "09:07:01"),
                record(1006, "1.00", "09:20:00", "09:20:01"),
                record(1005, "63.20", "09:06:00", "09:41:00")))
        .ok();
    for (int run = 2; run <= 3; run++) {
      JsonNode lane = drained(STREAMS);
      assertThat(lane.at("/run").asInt()).isEqualTo(run);
      counts(lane, 2, 0, "76.20", "75.20");
      assertThat(lane.at("/late/restated").asInt()).isEqualTo(1);
      JsonNode window = lane.at("/windows/0");
      assertThat(window.at("/revision").asInt()).isEqualTo(2);
      assertThat(window.at("/published/0/revenue").asString()).isEqualTo("12.00");
      assertThat(window.at("/published/1/revenue").asString()).isEqualTo("75.20");
      assertThat(lab.get("/api/time/lanes/streams-window/late").ok().at("/late/0/orderId").asLong())
          .isEqualTo(1005);
      lab.post("/api/lanes/streams-window/replay", "{\"to\":\"earliest\"}").ok();
    }
  }

  @Test
  void kafkaStreamsIsReplayedFromTheStartOrNotAtAll() {
    lab.post("/api/time/records", FIVE).ok();
    drained(STREAMS);
    lab.post("/api/lanes/streams-window/replay", "{\"to\":\"offset\",\"value\":2}")
        .refused(400, "earliest");
    put(STREAMS, "{\"idleSeconds\":5}").refused(400, "boundSeconds");
    put(STREAMS, "{\"maxAheadSeconds\":5}").refused(400, "boundSeconds");
    assertThat(drained(STREAMS).at("/run").asInt()).isEqualTo(1);
    lab.post("/api/lanes/streams-window/replay", "{\"to\":\"earliest\",\"group\":\"new\"}").ok();
    JsonNode again = drained(STREAMS);
    counts(again, 5, 0, "149.45", "0.00");
    assertThat(again.at("/run").asInt()).isEqualTo(2);
    policy(STREAMS, "{\"windowMinutes\":60,\"late\":\"side-output\"}");
    assertThat(windows(drained(STREAMS))).containsExactly("09:00 5 149.45 2100 open");
  }

  /** Duplicates are another room's business: here each record counts, in the truth, too. */
  @Test
  void whatLiesInTheLogTwiceIsCountedTwiceInTheTruthToo() {
    lab.post("/api/time/records", FIVE).ok();
    lab.post("/api/time/records", FIVE).ok();
    JsonNode lane = drained("per-record");
    counts(lane, 8, 2, "172.50", "0.00");
    assertThat(lane.at("/true").asString()).isEqualTo("298.90");
    assertThat(lane.at("/missingShare").asString()).isEqualTo("42.3");
    JsonNode verdict = lab.get("/api/lanes/per-record").ok().at("/verdict");
    assertThat(verdict.at("/promiseKept").asBoolean()).isTrue();
    assertThat(verdict.at("/numberRight").asBoolean()).isFalse();
    // All is counted by event time, but no window is final: that is no answer yet.
    drained(STREAMS);
    JsonNode held = lab.get("/api/lanes/streams-window").ok().at("/verdict");
    assertThat(held.at("/promiseKept").asBoolean()).isTrue();
    assertThat(held.at("/numberRight").isNull()).isTrue();
  }

  @Test
  void whatIsSetAsideIsNotMissing() {
    policy("per-record", "{\"late\":\"side-output\"}");
    lab.post("/api/time/records", FIVE).ok();
    JsonNode lane = drained("per-record");
    assertThat(lane.at("/late/side").asInt()).isEqualTo(1);
    assertThat(lane.at("/late/sideRevenue").asString()).isEqualTo("63.20");
    assertThat(lane.at("/emitted").asString()).isEqualTo("86.25");
    assertThat(lane.at("/missing").asString()).isEqualTo("0.00");
  }

  static Stream<Arguments> gaps() {
    List<Arguments> gaps = new ArrayList<>();
    for (String lane : OURS) {
      for (int batch = 1; batch <= 2; batch++) {
        for (String gap :
            List.of("poll", "begin", "effect 1", "effect 2", "store-offset", "commit-tx")) {
          gaps.add(Arguments.of(lane, gap, batch));
        }
      }
    }
    for (int batch = 1; batch <= 2; batch++) {
      for (String gap :
          List.of("poll", "begin", "effect 1", "effect 2", "send-offsets", "commit-tx")) {
        gaps.add(Arguments.of(STREAMS, gap, batch));
      }
    }
    return gaps.stream();
  }

  /** Records arrive in two batches of two and one of one: late ones are in the second and third. */
  @ParameterizedTest
  @MethodSource("gaps")
  void aCrashInAnyGapChangesNothing(String lane, String gap, int batch) {
    lab.post("/api/lanes/" + lane + "/stop").ok();
    lab.post(
            "/api/time/records",
            records(
                record(1, "25.50", "09:04:00", "09:04:02"),
                record(2, "40.00", "09:21:00", "09:21:01"),
                record(3, "8.75", "09:03:00", "09:22:00"),
                record(4, "12.00", "09:36:00", "09:36:00"),
                record(5, "63.20", "09:06:00", "09:41:00")))
        .ok();
    String[] words = gap.split(" ", -1);
    lab.post(
            "/api/lanes/" + lane + "/crash",
            "{\"after\":\"%s\",\"batch\":%d%s}"
                .formatted(words[0], batch, words.length > 1 ? ",\"record\":" + words[1] : ""))
        .ok();
    lab.post("/api/lanes/" + lane + "/start").ok();
    lab.await(lane, "crashed").ok();
    lab.post("/api/lanes/" + lane + "/restart").ok();
    JsonNode after = drained(lane);

    assertThat(after.at("/crashes").asInt()).isEqualTo(1);
    counts(after, 3, 2, "77.50", lane.equals("per-record") ? "0.00" : "65.50");
    assertThat(after.at("/missing").asString()).isEqualTo("71.95");
  }

  /**
   * Five records, three of them late, in batches of two, two and one. Whatever the gap, each late
   * one is in the topic once: what the last life kept and did not send, the next one sends.
   */
  @ParameterizedTest
  @ValueSource(strings = {"effect 2", "store-offset", "commit-tx", "send 1", "send 2"})
  void eachLateRecordIsInTheSideTopicOnce(String gap) {
    policy("per-record", "{\"late\":\"side-output\"}");
    lab.post("/api/lanes/per-record/stop").ok();
    lab.post(
            "/api/time/records",
            records(
                record(1, "1.00", "09:04:00", "09:04:02"),
                record(2, "2.00", "09:05:00", "09:05:02"),
                record(3, "4.00", "09:03:00", "09:22:00"),
                record(4, "8.00", "09:04:00", "09:36:00"),
                record(5, "16.00", "09:06:00", "09:41:00")))
        .ok();
    String[] words = gap.split(" ", -1);
    lab.post(
            "/api/lanes/per-record/crash",
            "{\"after\":\"%s\",\"batch\":2%s}"
                .formatted(words[0], words.length > 1 ? ",\"record\":" + words[1] : ""))
        .ok();
    lab.post("/api/lanes/per-record/start").ok();
    lab.await("per-record", "crashed").ok();
    lab.post("/api/lanes/per-record/restart").ok();
    assertThat(drained("per-record").at("/late/side").asInt()).isEqualTo(3);
    assertThat(sideTopic()).containsExactly("4.00", "8.00", "16.00");
  }

  /** The amounts in the side topic, as a committed reader finds them once the lane has stopped. */
  private List<String> sideTopic() {
    lab.post("/api/lanes/per-record/stop").ok();
    var broker = lab.bean(dev.deliverylab.broker.Broker.class);
    var place =
        new TopicPartition(
            broker
                .names()
                .timeLog(lab.get("/api/time").ok().number("/log"))
                .topic("per-record.late"),
            0);
    Map<String, Object> settings =
        Map.of("bootstrap.servers", broker.bootstrapServers(), "isolation.level", "read_committed");
    List<String> amounts = new ArrayList<>();
    try (var consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(place));
      consumer.seekToEnd(List.of(place));
      long end = consumer.position(place);
      consumer.seekToBeginning(List.of(place));
      while (consumer.position(place) < end) {
        for (var each : consumer.poll(java.time.Duration.ofSeconds(1))) {
          amounts.add(JsonMapper.shared().readTree(each.value()).at("/order/amount").asString());
        }
      }
    }
    return amounts;
  }

  /** Of 11 events, one a minute, the one of 10:03 comes last: 10:10 - 2 min is past its window. */
  @Test
  void aReplayBeginsATimeOfItsOwn() {
    policy("event-time-watermark", "{\"windowMinutes\":1,\"boundMinutes\":2}");
    List<String> events = new ArrayList<>();
    for (int minute = 0; minute <= 10; minute++) {
      if (minute != 3) {
        String time = "10:%02d:00".formatted(minute);
        events.add(record(minute + 1, "1.00", time, time));
      }
    }
    events.add(record(4, "1.00", "10:03:00", "10:10:30"));
    lab.post("/api/time/records", records(events.toArray(String[]::new))).ok();
    List<String> first = windows(drained("event-time-watermark"));
    for (int again = 0; again < 2; again++) {
      lab.post("/api/lanes/event-time-watermark/replay", "{\"to\":\"earliest\"}").ok();
      JsonNode lane = drained("event-time-watermark");
      // Final are the windows of 10:00 to 10:07, one of which lost its event.
      counts(lane, 10, 1, "10.00", "7.00");
      assertThat(windows(lane)).isEqualTo(first);
    }
    // Half of it again leaves the same, too.
    lab.post("/api/lanes/event-time-watermark/replay", "{\"to\":\"offset\",\"value\":6}").ok();
    assertThat(windows(drained("event-time-watermark"))).isEqualTo(first);
  }

  @Test
  void onTheWallClockAReplayTurnsAllLateButNotByEventTime() {
    lab.post("/api/time/records", FIVE).ok();
    OURS.forEach(this::drained);
    lab.post("/api/time/clock", "{\"mode\":\"wall\"}").ok();
    for (String lane : OURS) {
      lab.post("/api/lanes/" + lane + "/replay", "{\"to\":\"earliest\"}").ok();
    }
    counts(drained("per-record"), 0, 5, "0.00", "0.00");
    counts(drained("arrival-watermark"), 0, 5, "0.00", "0.00");
    counts(drained("event-time-watermark"), 5, 0, "149.45", "0.00");
    lab.post("/api/time/clock", "{\"advanceTo\":\"2026-01-04T10:00:00Z\"}").refused(400, "wall");
  }

  @Test
  void theClockClosesWhatNoRecordCloses() {
    lab.post("/api/time/records", records(record(1, "5.00", "09:06:00", "09:06:01"))).ok();
    counts(drained("arrival-watermark"), 1, 0, "5.00", "0.00");
    lab.post("/api/time/clock", "{\"advanceTo\":\"2026-01-04T09:20:00Z\"}").ok();
    counts(drained("arrival-watermark"), 1, 0, "5.00", "5.00");
    assertThat(drained("arrival-watermark").at("/answeredAfterSeconds").asInt()).isEqualTo(600);
    counts(drained("event-time-watermark"), 1, 0, "5.00", "0.00");
    lab.post("/api/time/clock", "{\"advanceTo\":\"2026-01-04T09:19:59Z\"}")
        .refused(400, "advanceTo", "09:20:00Z");
  }

  /**
   * Partitions 0 and 1 bring an event a second, partition 2 nothing; then one of it that is 50
   * seconds old.
   */
  @Test
  void aSilentPartitionIsNamedAndLeftOutOnceItIsIdle() {
    lab.post("/api/time/reset", "{\"partitions\":3}").ok();
    policy("event-time-watermark", "{\"windowSeconds\":10,\"boundSeconds\":0,\"idleSeconds\":30}");
    policy(STREAMS, "{\"windowSeconds\":10,\"boundSeconds\":0}");
    secondsOfTwoPartitions(0, 20);
    JsonNode held = drained("event-time-watermark");
    assertThat(held.at("/heldBackBy").asInt()).isEqualTo(2);
    assertThat(held.at("/waiting").asString()).contains("partition 2", "no order yet", "10:00:10");
    counts(held, 40, 0, "40.00", "0.00");

    secondsOfTwoPartitions(20, 60);
    JsonNode freed = drained("event-time-watermark");
    assertThat(freed.at("/idle/0").asInt()).isEqualTo(2);
    counts(freed, 120, 0, "120.00", "100.00");

    lab.post("/api/time/records", records(record(500, "5.00", "10:00:09", "10:00:59", customer(2))))
        .ok();
    counts(drained("event-time-watermark"), 120, 1, "120.00", "100.00");
    JsonNode late = lab.get("/api/time/lanes/event-time-watermark/late").ok().at("/late/0");
    assertThat(late.at("/orderId").asLong()).isEqualTo(500);
    // Kafka Streams judges each partition by its own time, so that record is in time there.
    counts(drained(STREAMS), 121, 0, "125.00", "0.00");
  }

  /** As they come: nobody reads one partition far ahead of the other. */
  private void secondsOfTwoPartitions(int from, int to) {
    for (int second = from; second < to; second += 10) {
      List<String> records = new ArrayList<>();
      for (int i = second; i < second + 10; i++) {
        String time = "10:00:%02d".formatted(i);
        records.add(record(2 * i + 1, "1.00", time, time, customer(0)));
        records.add(record(2 * i + 2, "1.00", time, time, customer(1)));
      }
      lab.post("/api/time/records", records(records.toArray(String[]::new))).ok();
      drained("event-time-watermark");
    }
  }

  @Test
  void arrivalsArePacedByTheirOwnClock() {
    lab.post("/api/time/clock", "{\"pace\":\"x60\"}").ok();
    // Two minutes apart: two seconds at sixty times the speed.
    lab.post(
            "/api/time/records",
            records(
                record(1, "1.00", "10:00:00", "10:00:00"),
                record(2, "2.00", "10:01:00", "10:01:00"),
                record(3, "4.00", "10:02:00", "10:02:00")))
        .ok();
    org.awaitility.Awaitility.await()
        .atMost(java.time.Duration.ofSeconds(20))
        .untilAsserted(
            () -> assertThat(lab.get("/api/time").ok().at("/clock/queued").asInt()).isOne());
    assertThat(lab.get("/api/time").ok().number("/records")).isEqualTo(2);
    // The last one is still to come, unless somebody will not wait for it.
    lab.post("/api/time/clock", "{\"pace\":\"at-once\"}").ok();
    assertThat(lab.get("/api/time").ok().number("/records")).isEqualTo(3);
    counts(drained("per-record"), 3, 0, "7.00", "0.00");
  }

  @Test
  void recordsWaitForTheirStep() {
    lab.post("/api/time/clock", "{\"pace\":\"step\"}").ok();
    assertThat(lab.post("/api/time/records", FIVE).ok().number("/queued")).isEqualTo(5);
    assertThat(lab.get("/api/time").ok().number("/records")).isZero();
    for (int step = 1; step <= 5; step++) {
      lab.post("/api/time/clock", "{\"step\":1}").ok();
      assertThat(lab.get("/api/time").ok().number("/records")).isEqualTo(step);
    }
    counts(drained("per-record"), 4, 1, "86.25", "0.00");
  }

  @Test
  void anEventFromTheFutureIsAcceptedAndClosesNothing() {
    lab.post("/api/time/records", records(record(1, "5.00", "09:06:00", "09:06:01"))).ok();
    assertThat(
            lab.post(
                    "/api/time/records",
                    "{\"records\":[{\"orderId\":2,\"amount\":\"1.00\","
                        + "\"eventTime\":\"2099-01-01T00:00:00Z\","
                        + "\"arrivalTime\":\"2026-01-04T09:07:00Z\"}]}")
                .ok()
                .number("/ahead"))
        .isEqualTo(1);
    lab.post("/api/time/records", records(record(3, "2.00", "09:05:00", "09:08:00"))).ok();
    JsonNode lane = drained("event-time-watermark");
    counts(lane, 3, 0, "8.00", "0.00");
    // 09:07 and the minute that an event may lead, less the ten of the bound.
    assertThat(lane.at("/watermark").asString()).isEqualTo("2026-01-04T08:58:00Z");
  }

  @Test
  void theMetricsShowTheSame() {
    lab.post("/api/time/records", FIVE).ok();
    OURS.forEach(this::drained);
    drained(STREAMS);
    assertThat(lab.get("/actuator/prometheus").body())
        .contains("lab_time_accepted{lane=\"per-record\"} 4.0")
        .contains("lab_time_late{fate=\"dropped\",lane=\"per-record\"} 1.0")
        .contains("lab_time_late{fate=\"dropped\",lane=\"event-time-watermark\"} 0.0")
        .contains("lab_time_emitted{lane=\"arrival-watermark\"} 86.25")
        .contains("lab_time_true{lane=\"arrival-watermark\"} 149.45")
        .contains("lab_time_missing_percent{lane=\"arrival-watermark\"} 42.3")
        .contains("lab_time_open_windows{lane=\"event-time-watermark\"} 2.0")
        .contains("lab_time_open_events{lane=\"event-time-watermark\"} 5.0")
        .contains("lab_time_accepted{lane=\"streams-window\"} 5.0")
        .contains("lab_time_engine_dropped{lane=\"streams-window\"} 0.0");
  }

  @Test
  void whatIsNotAllowedIsSaidAndChangesNothing() {
    lab.post("/api/time/records", "{\"dataset\":\"six\"}").refused(400, "five-late-events");
    lab.post("/api/time/records", "{}").refused(400, "dataset", "records", "generate");
    lab.post(
            "/api/time/records",
            "{\"records\":[{\"orderId\":1,\"amount\":\"1\","
                + "\"eventTime\":\"1969-12-31T23:59:59Z\","
                + "\"arrivalTime\":\"2026-01-04T09:00:00Z\"}]}")
        .refused(400, "eventTime", "1970");
    put("per-record", "{\"boundMinutes\":-1}").refused(400, "boundMinutes");
    put("per-record", "{\"boundSeconds\":31536001}").refused(400, "boundSeconds", "year");
    put("per-record", "{\"windowMinutes\":0}").refused(400, "windowSeconds");
    put("per-record", "{\"late\":\"keep\"}").refused(400, "drop", "side-output", "restate");
    put("per-record", "{\"size\":1}").refused(400, "boundMinutes");
    put("at-least-once", "{\"late\":\"drop\"}").refused(404, "per-record");
    lab.get("/api/lanes/per-record/sink").refused(404, "/api/time/lanes/per-record/windows");
    lab.post("/api/lanes/per-record/recount").refused(404, "/api/time/lanes/per-record/windows");
    lab.post("/api/time/reset", "{\"partitions\":17}").refused(400, "1 to 16");
    lab.post("/api/lanes/per-record/crash", "{\"after\":\"commit\"}").refused(400, "commit-tx");
    assertThat(lab.get("/api/time").ok().number("/records")).isZero();
  }

  private Lab.Answer put(String lane, String body) {
    return lab.send(
        "PUT",
        "/api/time/lanes/" + lane + "/policy",
        java.net.http.HttpRequest.BodyPublishers.ofString(body),
        "Content-Type",
        "application/json");
  }

  private void policy(String lane, String body) {
    put(lane, body).ok();
  }

  private JsonNode drained(String lane) {
    lab.await(lane, "drained").ok();
    for (JsonNode each : lab.get("/api/time").ok().at("/lanes")) {
      if (each.at("/lane").asString().equals(lane)) {
        return each;
      }
    }
    throw new AssertionError(lane);
  }

  private static void counts(
      JsonNode lane, int accepted, int dropped, String emitted, String closed) {
    String name = lane.at("/lane").asString();
    assertThat(lane.at("/accepted").asInt()).as(name + " accepted").isEqualTo(accepted);
    assertThat(lane.at("/late/dropped").asInt()).as(name + " dropped").isEqualTo(dropped);
    assertThat(lane.at("/emitted").asString()).as(name + " emitted").isEqualTo(emitted);
    assertThat(lane.at("/closed").asString()).as(name + " closed").isEqualTo(closed);
  }

  private static List<String> windows(JsonNode lane) {
    List<String> windows = new ArrayList<>();
    for (JsonNode window : lane.at("/windows")) {
      windows.add(
          "%s %d %s %d %s"
              .formatted(
                  window.at("/start").asString().substring(11, 16),
                  window.at("/events").asInt(),
                  window.at("/revenue").asString(),
                  window.at("/maxLatenessSeconds").asInt(),
                  window.at("/final").asBoolean() ? "final" : "open"));
    }
    return windows;
  }

  private static String records(String... records) {
    return "{\"records\":[" + String.join(",", records) + "]}";
  }

  private static String record(long id, String amount, String event, String arrival) {
    return record(id, amount, event, arrival, "somebody");
  }

  private static String record(
      long id, String amount, String event, String arrival, String customer) {
    return ("{\"orderId\":%d,\"amount\":\"%s\",\"eventTime\":\"2026-01-04T%sZ\","
            + "\"arrivalTime\":\"2026-01-04T%sZ\",\"customer\":\"%s\"}")
        .formatted(id, amount, event, arrival, customer);
  }

  /** A customer whose orders lie in this one of three partitions. */
  private static String customer(int partition) {
    return IntStream.range(0, 100)
        .mapToObj(n -> "customer-" + n)
        .filter(
            name ->
                Utils.toPositive(Utils.murmur2(name.getBytes(StandardCharsets.UTF_8))) % 3
                    == partition)
        .findFirst()
        .orElseThrow();
  }
}
