package dev.deliverylab;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The whole lab in a process of its own, as a user starts it, driven by HTTP alone. */
public final class LabProcess implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Pattern PORT =
      Pattern.compile("Delivery Lab is at http://127\\.0\\.0\\.1:(\\d+) ");
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private final Process process;
  private final long started;
  private final List<String> output = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Integer> port = new CompletableFuture<>();
  private final Thread reader;

  /**
   * Starts what was compiled; does not wait for it.
   *
   * @param port 0 for a free one
   */
  public static LabProcess launch(Path folder, int port) throws IOException {
    return new LabProcess(
        List.of("-Xmx768m", "-cp", classes(), DeliveryLab.class.getName()), folder, port);
  }

  /**
   * The class path of what was compiled, without what only tests have: the lab's own logging
   * settings count here.
   */
  public static String classes() {
    String tests = File.separator + "test-classes";
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.endsWith(tests) && !entry.endsWith(tests + File.separator))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Starts the packaged lab on a free port; does not wait for it. */
  public static LabProcess launchPackaged(Path jar, Path folder, String heap) throws IOException {
    return new LabProcess(List.of(heap, "-jar", jar.toString()), folder, 0);
  }

  private LabProcess(List<String> virtualMachine, Path folder, int port) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(virtualMachine);
    command.addAll(List.of("--server.port=" + port, "--lab.data-dir=" + folder));
    this.started = System.nanoTime();
    this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
    this.reader = new Thread(this::read, "lab-process-output");
    reader.setDaemon(true);
    reader.start();
  }

  /** Waits until the page can be used. */
  public LabProcess awaitUp() throws Exception {
    awaitPort();
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> get("/actuator/health").path("status").asString().equals("UP"));
    return this;
  }

  /**
   * Waits until the dashboard is served.
   *
   * @return milliseconds from the start of the process
   */
  public double awaitPage() throws Exception {
    awaitPort();
    HttpRequest page = request("/").GET().build();
    Awaitility.await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .ignoreExceptions()
        .until(() -> http.send(page, BodyHandlers.discarding()).statusCode() == 200);
    return (System.nanoTime() - started) / 1e6;
  }

  private void awaitPort() throws InterruptedException, TimeoutException {
    try {
      port.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("It ended with " + awaitExit() + "; it said\n" + said(), e);
    }
  }

  public int port() {
    return port.join();
  }

  public long pid() {
    return process.pid();
  }

  public String said() {
    return String.join("\n", output);
  }

  public JsonNode get(String path) throws IOException, InterruptedException {
    return send(request(path).GET().build());
  }

  /** An empty body where {@code json} is empty. */
  public JsonNode post(String path, String json) throws IOException, InterruptedException {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
        .timeout(PATIENCE);
  }

  private JsonNode send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new AssertionError(request + ": " + answer.statusCode() + " " + answer.body());
    }
    return JSON.readTree(answer.body());
  }

  /** SIGKILL: nothing in the process gets to know. */
  public int kill() throws InterruptedException {
    process.destroyForcibly();
    return awaitExit();
  }

  /** SIGTERM: the process ends in order. */
  public int terminate() throws InterruptedException {
    process.destroy();
    return awaitExit();
  }

  public int awaitExit() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("It does not end; it said\n" + said());
    }
    reader.join(PATIENCE.toMillis());
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (output.size() < 2_000) {
          output.add(line);
        }
        Matcher started = PORT.matcher(line);
        if (started.find()) {
          port.complete(Integer.valueOf(started.group(1)));
        }
      }
    } catch (IOException e) {
      // The process is gone.
    }
    port.completeExceptionally(new IllegalStateException("it ended before it listened"));
  }

  /** All events of a lane that are in memory. */
  List<JsonNode> history(String lane) throws IOException, InterruptedException {
    List<JsonNode> events = new ArrayList<>();
    JsonNode page = get("/api/lanes/" + lane + "/history?limit=1000");
    page.path("events").forEach(events::add);
    while (page.path("next").isNumber()) {
      page = get("/api/lanes/" + lane + "/history?limit=1000&after=" + page.path("next").asLong());
      page.path("events").forEach(events::add);
    }
    return events;
  }
}
