package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.deliverylab.experiment.Watch;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** The counts as metrics, and the alert the first time that an order lands in a sink twice. */
@ExtendWith(SharedLab.class)
class MetricsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Lab lab;
  private final ListAppender<ILoggingEvent> said = new ListAppender<>();

  MetricsIT(Lab lab) {
    this.lab = lab;
  }

  @BeforeEach
  void listen() {
    said.start();
    watchLog().addAppender(said);
  }

  @AfterEach
  void hearNoMore() {
    watchLog().detachAppender(said);
  }

  private static Logger watchLog() {
    return (Logger) LoggerFactory.getLogger(Watch.class);
  }

  private String value(String metric, String lane) {
    String start = metric + "{lane=\"" + lane + "\"} ";
    return lab.get("/actuator/prometheus")
        .ok()
        .body()
        .lines()
        .filter(line -> line.startsWith(start))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + start))
        .substring(start.length());
  }

  /** The watch counts by itself, within a second or two. */
  private void awaitValue(String metric, String lane, double expected) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(Double.parseDouble(value(metric, lane)))
                    .as("%s of %s", metric, lane)
                    .isEqualTo(expected));
  }

  private void dieAndComeBack(String lane, int record) {
    lab.crashAfter(lane, "effect", record);
    lab.post("/api/lanes/" + lane + "/start").ok();
    lab.await(lane, "crashed");
    lab.post("/api/lanes/" + lane + "/restart").ok();
    lab.await(lane, "drained");
  }

  @Test
  void everyCountOfEveryLane() {
    lab.fresh(1, 2);
    lab.fiveOrders();
    dieAndComeBack("at-least-once", 2);
    dieAndComeBack("at-most-once", 1);
    awaitValue("lab_duplicates", "at-least-once", 2);
    awaitValue("lab_lost", "at-least-once", 0);
    awaitValue("lab_duplicates", "at-most-once", 0);
    awaitValue("lab_lost", "at-most-once", 1);
    awaitValue("lab_lag", "at-most-once", 0);
    awaitValue("lab_pending", "at-most-once", 0);
    awaitValue("lab_crashes_total", "at-most-once", 1);
    awaitValue("lab_restarts_total", "at-most-once", 1);
    awaitValue("lab_pending", "transactional", 5);
    awaitValue("lab_lag", "transactional", 5);
    awaitValue("lab_crashes_total", "transactional", 0);
    awaitValue("lab_restarts_total", "transactional", 0);
    List<String> lanes =
        lab.get("/api/experiment").at("/lanes").valueStream().map(l -> l.asString()).toList();
    for (String lane : lanes) {
      for (String metric :
          List.of(
              "lab_duplicates",
              "lab_lost",
              "lab_pending",
              "lab_lag",
              "lab_crashes_total",
              "lab_restarts_total",
              "lab_uniqueness_alert")) {
        assertThat(value(metric, lane)).isNotEmpty();
      }
    }
  }

  @Test
  void theAlertFiresOnceTheFirstTimeAnOrderLandsTwice() {
    lab.fresh(1, 2);
    lab.fiveOrders();
    for (String lane : List.of("at-least-once", "idempotent-key")) {
      lab.post("/api/lanes/" + lane + "/start").ok();
      lab.await(lane, "drained");
      awaitValue("lab_pending", lane, 0);
      awaitValue("lab_uniqueness_alert", lane, 0);
    }
    assertThat(alerts()).isEmpty();

    again("at-least-once");
    again("idempotent-key");
    awaitValue("lab_uniqueness_alert", "at-least-once", 1);
    assertThat(alerts()).hasSize(1);
    assertThat(alerts().get(0))
        .matches("at-least-once: order \\d+ is in the sink twice: the first of this lane");
    String alert = alerts().get(0).substring("at-least-once: ".length());
    assertThat(alertEvents("at-least-once")).containsExactly(alert);
    assertThat(lab.get("/lanes/at-least-once", "Accept", "text/html").ok().body()).contains(alert);

    // Worse is not news.
    again("at-least-once");
    awaitValue("lab_duplicates", "at-least-once", 10);
    assertThat(alerts()).hasSize(1);
    assertThat(alertEvents("at-least-once")).hasSize(1);
    // Recognised is not twice.
    assertThat(lab.lane("idempotent-key").number("/recognised")).isEqualTo(5);
    assertThat(Double.parseDouble(value("lab_uniqueness_alert", "idempotent-key"))).isZero();
    assertThat(alertEvents("idempotent-key")).isEmpty();

    lab.fresh(1, 2);
    awaitValue("lab_uniqueness_alert", "at-least-once", 0);
    awaitValue("lab_duplicates", "at-least-once", 0);
  }

  private void again(String lane) {
    lab.post("/api/lanes/" + lane + "/replay", "{\"to\":\"earliest\"}").ok();
    lab.await(lane, "drained");
  }

  private List<String> alerts() {
    return List.copyOf(said.list).stream()
        .filter(event -> event.getLevel() == Level.WARN)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  private List<String> alertEvents(String lane) {
    return lab.get("/api/lanes/" + lane + "/history?limit=1000")
        .ok()
        .at("/events")
        .valueStream()
        .filter(event -> event.get("kind").asString().equals("ALERT"))
        .map(event -> event.get("text").asString())
        .toList();
  }
}
