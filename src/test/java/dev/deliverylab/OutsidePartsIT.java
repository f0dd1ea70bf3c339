package dev.deliverylab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deliverylab.broker.BrokerInFolder;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The whole lab on a Kafka cluster and a PostgreSQL that are not its own, under the profile {@code
 * external}; and what people see when one of them goes away and comes back.
 */
class OutsidePartsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final JsonMapper JSON = new JsonMapper();
  private static final String LANE = "at-least-once";
  private static final String ORDER =
      "{\"records\":[{\"orderId\":%d,\"amount\":\"1.00\",\"eventTime\":\"2026-01-04T09:14:02Z\"}]}";

  private static final String LATER =
      "{\"records\":[{\"orderId\":9,\"amount\":\"1.00\",\"eventTime\":\"2026-01-04T10:14:02Z\","
          + "\"arrivalTime\":\"2026-01-04T10:14:03Z\"}]}";

  @TempDir private Path folder;

  private final HttpClient http = HttpClient.newHttpClient();
  private BrokerInFolder kafka;
  private int kafkaPort;
  private EmbeddedPostgres postgres;
  private int postgresPort;
  private ConfigurableApplicationContext lab;

  private record Answer(int status, String body) {

    JsonNode json() {
      return JSON.readTree(body);
    }
  }

  @BeforeEach
  void start() throws Exception {
    kafka = new BrokerInFolder(folder.resolve("kafka"));
    kafkaPort = URI.create("kafka://" + kafka.bootstrapServers()).getPort();
    postgres = postgres(0);
    postgresPort = postgres.getPort();
    kafka.admin().createTopics(List.of(new NewTopic("somebody-elses", 1, (short) 1))).all().get();
    sql().sql("CREATE TABLE somebody_elses (id INT)").update();
    lab =
        SpringApplication.run(
            DeliveryLab.class,
            "--spring.profiles.active=external",
            "--server.port=0",
            "--lab.data-dir=" + folder.resolve("lab"),
            "--lab.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
            "--lab.sink.url=jdbc:postgresql://127.0.0.1:" + postgresPort + "/postgres",
            "--lab.sink.username=postgres",
            "--lab.sink.password=postgres");
  }

  @AfterEach
  void stop() throws Exception {
    if (lab != null) {
      lab.close();
    }
    if (postgres != null) {
      postgres.close();
    }
    if (kafka != null) {
      kafka.close();
    }
  }

  @Test
  void aCrashCountsTheSameAndAResetTouchesNothingElse() throws Exception {
    post("/api/lanes/" + LANE + "/crash", "{\"after\":\"effect\",\"record\":2}");
    post("/api/log/records", "{\"dataset\":\"five-orders\"}");
    post("/api/lanes/" + LANE + "/start", "");
    get("/api/lanes/" + LANE + "?await=crashed&timeout=60");
    post("/api/lanes/" + LANE + "/restart", "");
    JsonNode snapshot = get("/api/lanes/" + LANE + "?await=drained&timeout=60").json();

    // 1001 and 1002 were written, then written again: 149.45 + 25.50 + 12.00.
    assertThat(snapshot.at("/sink/total").asString()).isEqualTo("186.95");
    assertThat(tables()).anyMatch(name -> name.contains("at_least_once"));
    assertThat(topics()).hasSize(2).allMatch(ours().or(name -> name.equals("somebody-elses")));

    post("/api/experiment", "{}");
    await()
        .atMost(PATIENCE)
        .until(() -> tables().stream().noneMatch(name -> name.contains("_1_at_least_once")));
    await().atMost(PATIENCE).until(() -> topics().stream().filter(ours()).count() == 1);
    assertThat(topics()).contains("somebody-elses");
    assertThat(tables()).contains("somebody_elses");
  }

  @Test
  void aSinkThatGoesAwayIsSaidAndTheLaneFinishesByItself() throws Exception {
    post("/api/lanes/" + LANE + "/start", "");
    post("/api/log/records", ORDER.formatted(1));
    get("/api/lanes/" + LANE + "?await=drained&timeout=60");

    postgres.close();
    post("/api/log/records", ORDER.formatted(2));
    await().atMost(PATIENCE).until(() -> lane().path("state").asString().equals("FAILED"));
    JsonNode failed = lane();
    assertThat(failed.path("reason").asString()).contains("sink").doesNotContain("Exception");
    assertThat(failed.at("/verdict/promiseKept").isNull()).as("nobody can look").isTrue();
    assertThat(failed.at("/verdict/numberRight").isNull()).as("nobody can look").isTrue();
    assertThat(send("GET", "/", "").status()).isEqualTo(200);
    assertThat(send("GET", "/lanes/" + LANE, "").status()).isIn(200, 503);

    postgres = postgres(postgresPort);
    await().atMost(PATIENCE).until(() -> lane().path("state").asString().equals("RUNNING"));
    JsonNode drained = get("/api/lanes/" + LANE + "?await=drained&timeout=60").json();
    assertThat(drained.at("/sink/distinct").asInt()).isEqualTo(2);
    assertThat(drained.at("/counts/lost").asInt()).isZero();
  }

  @Test
  void windowLanesGoOnByThemselvesToo() throws Exception {
    post("/api/time/records", "{\"dataset\":\"five-late-events\"}");
    for (JsonNode lane : get("/api/time").json().path("lanes")) {
      get("/api/lanes/" + lane.path("lane").asString() + "?await=drained&timeout=60");
    }
    assertThat(windows("arrival-watermark").path("emitted").asString()).isEqualTo("86.25");

    postgres.close();
    post("/api/time/clock", "{\"advanceTo\":\"2026-01-04T10:00:00Z\"}");
    await()
        .atMost(PATIENCE)
        .until(() -> windows("arrival-watermark").path("state").asString().equals("FAILED"));
    JsonNode failed = windows("arrival-watermark");
    assertThat(failed.path("reason").asString())
        .contains("sink", "by itself", "of before")
        .doesNotContain("Exception");
    assertThat(failed.path("emitted").asString()).isEqualTo("86.25");
    assertThat(send("GET", "/time", "").status()).isEqualTo(200);

    postgres = postgres(postgresPort);
    for (String lane : List.of("per-record", "arrival-watermark", "event-time-watermark")) {
      await()
          .atMost(PATIENCE)
          .until(() -> windows(lane).path("state").asString().equals("RUNNING"));
      get("/api/lanes/" + lane + "?await=drained&timeout=60");
    }
    assertThat(windows("arrival-watermark").path("watermark").asString())
        .isEqualTo("2026-01-04T09:50:00Z");
    assertThat(windows("streams-window").path("emitted").asString()).isEqualTo("149.45");

    kafka.close();
    assertThat(send("GET", "/time", "").status()).isEqualTo(200);
    assertThat(windows("streams-window").path("emitted").asString()).isEqualTo("149.45");
    kafka = new BrokerInFolder(folder.resolve("kafka"), kafkaPort);
    await().atMost(PATIENCE).until(() -> send("POST", "/api/time/records", LATER).status() == 200);
    for (JsonNode lane : get("/api/time").json().path("lanes")) {
      get("/api/lanes/" + lane.path("lane").asString() + "?await=drained&timeout=120");
    }
    // However often the order got into the log while its answer was missing, nobody lost it.
    assertThat(windows("streams-window").path("emitted").asString())
        .isEqualTo(windows("event-time-watermark").path("emitted").asString())
        .isNotEqualTo("149.45");
  }

  /** What somebody could see before is shown, but a scenario does not judge by it. */
  @Test
  void aScenarioOfTimeDoesNotPassOnNumbersOfBefore() throws Exception {
    JsonNode started =
        send(
                "POST",
                "/api/scenarios/runs",
                """
                {"name":"x","time":{},"steps":[
                 {"append":{"dataset":"five-late-events"}},
                 {"start":"per-record"},
                 {"await":{"lane":"per-record","condition":"drained"}},
                 {"expect":{"lane":"per-record","accepted":4}},
                 {"await":{"lane":"per-record","condition":"stopped","timeoutSeconds":600}},
                 {"expect":{"lane":"per-record","accepted":4}}]}
                """)
            .json();
    String path = "/api/runs/" + started.path("id").asLong();
    await().atMost(PATIENCE).until(() -> get(path).json().path("steps").size() == 4);
    assertThat(get(path).json().path("steps").get(3).path("ok").asBoolean()).isTrue();

    postgres.close();
    post("/api/lanes/per-record/stop", "");
    assertThat(windows("per-record").path("accepted").asInt()).isEqualTo(4);
    await()
        .atMost(PATIENCE)
        .until(() -> !get(path).json().path("state").asString().equals("RUNNING"));
    JsonNode last = get(path).json().path("steps").get(5);
    assertThat(last.path("ok").asBoolean()).as(last.toString()).isFalse();
    assertThat(last.path("observed").asString()).contains("sink");
  }

  private JsonNode windows(String lane) {
    for (JsonNode each : get("/api/time").json().path("lanes")) {
      if (each.path("lane").asString().equals(lane)) {
        return each;
      }
    }
    throw new AssertionError(lane);
  }

  @Test
  void aBrokerThatGoesAwayIsSaidAndWorkGoesOnWhenItIsBack() throws Exception {
    post("/api/lanes/" + LANE + "/start", "");
    post("/api/log/records", ORDER.formatted(1));
    get("/api/lanes/" + LANE + "?await=drained&timeout=60");

    kafka.close();
    Answer refused = send("POST", "/api/log/records", ORDER.formatted(2));
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.json().path("detail").asString())
        .containsIgnoringCase("broker")
        .doesNotContain("Exception", "org.apache");
    assertThat(send("GET", "/", "").status()).isEqualTo(200);
    Answer lanes = send("GET", "/api/lanes", "");
    assertThat(lanes.status()).isIn(200, 503);

    kafka = new BrokerInFolder(folder.resolve("kafka"), kafkaPort);
    await()
        .atMost(PATIENCE)
        .until(() -> send("POST", "/api/log/records", ORDER.formatted(3)).status() == 200);
    get("/api/lanes/" + LANE + "?await=drained&timeout=60");
    await().atMost(PATIENCE).until(() -> lane().at("/verdict/promiseKept").asBoolean(false));
    assertThat(lane().at("/counts/pending").asInt(-1)).isZero();
  }

  private EmbeddedPostgres postgres(int port) throws IOException {
    var builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(folder.resolve("postgres"))
            .setCleanDataDirectory(false);
    if (port != 0) {
      builder.setPort(port);
    }
    return builder.start();
  }

  private JdbcClient sql() {
    return JdbcClient.create(postgres.getPostgresDatabase());
  }

  private List<String> tables() {
    return sql()
        .sql("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
        .query(String.class)
        .list();
  }

  private List<String> topics() throws Exception {
    return new ArrayList<>(kafka.admin().listTopics().names().get(30, TimeUnit.SECONDS));
  }

  private static java.util.function.Predicate<String> ours() {
    return name -> name.startsWith("delivery-lab.");
  }

  private JsonNode lane() {
    return get("/api/lanes/" + LANE).json();
  }

  private Answer get(String path) {
    Answer answer = send("GET", path, "");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer;
  }

  private void post(String path, String json) {
    Answer answer = send("POST", path, json);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  private Answer send(String method, String path, String json) {
    String port = lab.getEnvironment().getRequiredProperty("local.server.port");
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .method(
                method, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json))
            .build();
    try {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      return new Answer(answer.statusCode(), answer.body());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
