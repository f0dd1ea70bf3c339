package dev.deliverylab.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The packaged lab in a process of its own, driven as anybody would: by HTTP. */
final class LabProcess implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern BROKER = Pattern.compile("Kafka listens on .* after (\\d+) ms");
  private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+(\\d+) kB");

  private final Path data;
  private final Path output;
  private final int port;
  private final Process process;
  private final long started;
  private final HttpClient client = HttpClient.newHttpClient();
  private final JsonMapper json = new JsonMapper();

  /**
   * @param folder may be empty; data and output go there
   * @param options of the virtual machine
   */
  LabProcess(Path folder, String... options) throws IOException {
    data = folder.resolve("data");
    output = folder.resolve("output.txt");
    port = freePort();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(
        List.of("-jar", jar(), "--server.port=" + port, "--lab.data-dir=" + data));
    started = System.nanoTime();
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
  }

  private static String jar() {
    String jar = System.getProperty("bench.jar");
    if (jar == null) {
      throw new IllegalStateException("-Dbench.jar names the packaged lab");
    }
    return jar;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Asks for the dashboard until it is served. Milliseconds from the start of the process. */
  double awaitPage() throws IOException, InterruptedException {
    HttpRequest page = request("/").GET().build();
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < until && process.isAlive()) {
      try {
        if (client.send(page, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
          return (System.nanoTime() - started) / 1e6;
        }
      } catch (IOException notYet) {
        LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
      }
    }
    throw new IllegalStateException("no page was served:\n" + Files.readString(output));
  }

  /** Milliseconds that the broker took, by the lab's own log. */
  double brokerMillis() throws IOException {
    Matcher line = BROKER.matcher(Files.readString(output));
    if (!line.find()) {
      throw new IllegalStateException("the log does not tell when the broker was up");
    }
    return Double.parseDouble(line.group(1));
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return answer(request(path).GET().build());
  }

  JsonNode post(String path, String body) throws IOException, InterruptedException {
    return answer(
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  /** Waits as long as it takes; asks again when the lab's own patience for one request ends. */
  JsonNode awaitDrained(String lane) throws IOException, InterruptedException {
    while (true) {
      HttpResponse<String> answer =
          send(request("/api/lanes/" + lane + "?await=drained&timeout=60").GET().build());
      if (answer.statusCode() != 504) {
        return json.readTree(checked(answer));
      }
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
  }

  private JsonNode answer(HttpRequest request) throws IOException, InterruptedException {
    return json.readTree(checked(send(request)));
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static String checked(HttpResponse<String> answer) {
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(answer.uri() + " answered " + answer.body());
    }
    return answer.body();
  }

  /** Bytes of all files in the data folder. */
  long dataBytes() throws IOException {
    long bytes = 0;
    try (var files = Files.walk(data)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  /** The most memory it ever held, in MiB; NaN where the system does not tell. */
  double peakMebibytes() throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.isReadable(status)) {
      return Double.NaN;
    }
    Matcher peak = PEAK.matcher(Files.readString(status));
    return peak.find() ? Double.parseDouble(peak.group(1)) / 1024 : Double.NaN;
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
