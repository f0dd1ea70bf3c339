package dev.deliverylab.scenario;

import dev.deliverylab.DeliveryLab;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The whole lab on a free port and a folder of the test's, spoken to by REST. */
final class Lab implements AutoCloseable {

  private static final JsonMapper JSON = new JsonMapper();

  final ConfigurableApplicationContext context;
  private final HttpClient http = HttpClient.newHttpClient();
  private final String address;

  Lab(Path folder) {
    context =
        SpringApplication.run(DeliveryLab.class, "--server.port=0", "--lab.data-dir=" + folder);
    address =
        "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port");
  }

  /** An answer: JSON where it is JSON. */
  record Answer(int status, String body) {

    JsonNode json() {
      return JSON.readTree(body);
    }
  }

  String address() {
    return address;
  }

  Answer get(String path) {
    return send(HttpRequest.newBuilder().GET(), path);
  }

  Answer post(String path) {
    return send(HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.noBody()), path);
  }

  Answer post(String path, String type, String body) {
    return send(
        HttpRequest.newBuilder()
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body)),
        path);
  }

  Answer delete(String path) {
    return send(HttpRequest.newBuilder().DELETE(), path);
  }

  /** The run when it is over. */
  JsonNode ended(JsonNode run) {
    JsonNode now = run;
    while (now.path("state").asString().equals("RUNNING")) {
      Run known =
          context
              .getBean(Runs.class)
              .await(now.path("id").asLong(), java.time.Duration.ofMinutes(5));
      now = get("/api/runs/" + known.id()).json();
    }
    return now;
  }

  private Answer send(HttpRequest.Builder request, String path) {
    try {
      HttpResponse<String> answer =
          http.send(
              request.uri(URI.create(address + path)).build(),
              HttpResponse.BodyHandlers.ofString());
      return new Answer(answer.statusCode(), answer.body());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
