package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deliverylab.history.History;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The running lab as a program outside sees it: over HTTP. */
final class Lab {

  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final int port;
  private final ConfigurableApplicationContext context;

  Lab(int port, ConfigurableApplicationContext context) {
    this.port = port;
    this.context = context;
  }

  record Answer(int status, String type, String body, HttpResponse<String> raw) {

    JsonNode json() {
      return JSON.readTree(body);
    }

    /** The value at this JSON pointer, which must be there. */
    JsonNode at(String pointer) {
      JsonNode value = json().at(pointer);
      assertThat(value.isMissingNode()).as("%s in %s", pointer, body).isFalse();
      return value;
    }

    String text(String pointer) {
      return at(pointer).asString();
    }

    long number(String pointer) {
      return at(pointer).asLong();
    }

    Answer ok() {
      assertThat(status).as(body).isEqualTo(200);
      return this;
    }

    /** A problem with this status whose detail says something with these words. */
    Answer refused(int expected, String... words) {
      assertThat(status).as(body).isEqualTo(expected);
      assertThat(type).isEqualTo("application/problem+json");
      assertThat(at("/status").asInt()).isEqualTo(expected);
      assertThat(text("/title")).isNotBlank();
      assertThat(text("/detail")).contains(words);
      assertNothingOfJava(body);
      return this;
    }
  }

  static void assertNothingOfJava(String body) {
    assertThat(body)
        .doesNotContain(
            "java.",
            "jakarta",
            "Exception",
            "dev.deliverylab",
            "springframework",
            "jackson",
            "\tat ")
        .doesNotContain("Feature", "REDACTED", "CoercionConfig", "Constraints");
  }

  int port() {
    return port;
  }

  String address() {
    return "http://127.0.0.1:" + port;
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  <T> T bean(String name, Class<T> type) {
    return context.getBean(name, type);
  }

  Answer get(String path, String... headers) {
    return send("GET", path, BodyPublishers.noBody(), headers);
  }

  Answer post(String path) {
    return send("POST", path, BodyPublishers.noBody());
  }

  Answer post(String path, String json, String... headers) {
    List<String> all = new ArrayList<>(List.of("Content-Type", "application/json"));
    all.addAll(List.of(headers));
    return send("POST", path, BodyPublishers.ofString(json), all.toArray(String[]::new));
  }

  Answer delete(String path) {
    return send("DELETE", path, BodyPublishers.noBody());
  }

  Answer send(String method, String path, BodyPublisher body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address() + path)).timeout(PATIENCE).method(method, body);
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
      String type = answer.headers().firstValue("Content-Type").orElse("");
      return new Answer(answer.statusCode(), type, answer.body(), answer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Exactly these bytes, on a connection of their own; what comes back until it is closed. */
  String raw(String request) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * All that a command could change, to be compared: the experiment, every lane, what was appended,
   * runs, the load, and how much has ever happened.
   */
  String everything() {
    return String.join(
        "\n",
        get("/api/experiment").ok().body().replaceFirst("\"dataBytes\":[0-9]+", ""),
        get("/api/lanes").ok().body(),
        get("/api/runs").ok().body(),
        get("/api/load").ok().body(),
        "events: " + bean(History.class).last());
  }

  // --- what many tests do ---

  /** A new experiment, at full speed: the pace is the lab's, and another test may have set it. */
  Answer fresh(int partitions, int batchSize) {
    post("/api/pace", "{\"stepMillis\":0}").ok();
    return post(
            "/api/experiment",
            "{\"partitions\":%d,\"batchSize\":%d}".formatted(partitions, batchSize))
        .ok();
  }

  void fiveOrders() {
    assertThat(post("/api/log/records", "{\"dataset\":\"five-orders\"}").ok().number("/appended"))
        .isEqualTo(5);
  }

  Answer append(String orders) {
    return post("/api/log/records", "{\"records\":[" + orders + "]}");
  }

  static String order(String id, String amount) {
    return "{\"orderId\":%s,\"amount\":\"%s\",\"eventTime\":\"2026-01-04T09:14:02Z\"}"
        .formatted(id, amount);
  }

  Answer lane(String lane) {
    return get("/api/lanes/" + lane).ok();
  }

  Answer await(String lane, String condition) {
    return get("/api/lanes/" + lane + "?await=" + condition + "&timeout=90").ok();
  }

  Answer crashAfter(String lane, String step, int record) {
    return post(
            "/api/lanes/" + lane + "/crash",
            "{\"after\":\"%s\",\"record\":%d,\"batch\":1}".formatted(step, record))
        .ok();
  }
}
