package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stream through a real Tomcat and real sockets: who does not read harms nobody. */
class LiveServletIT {

  @TempDir java.nio.file.Path folder;

  private final AtomicLong version = new AtomicLong(1);
  private final List<AutoCloseable> open = new ArrayList<>();
  private Tomcat tomcat;
  private LiveStream stream;
  private int port;

  @BeforeEach
  void start() throws Exception {
    String much = "x".repeat(20_000);
    stream =
        new LiveStream(
            new LiveStream.Source() {
              @Override
              public long version() {
                return version.get();
              }

              @Override
              public String render(String fragment, long at) {
                return "<p>" + at + (fragment.equals("much") ? much : "") + "</p>";
              }
            },
            new LiveStream.Limits(
                Duration.ofMillis(20), Duration.ofMillis(200), Duration.ofSeconds(1), 3));
    stream.start();
    tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    tomcat.getConnector().setProperty("maxThreads", "4");
    Context context = tomcat.addContext("", folder.toString());
    Wrapper wrapper =
        Tomcat.addServlet(context, "live", new LiveServlet(stream, f -> f.matches("top|much")));
    wrapper.setAsyncSupported(true);
    wrapper.addMapping("/live");
    tomcat.start();
    port = tomcat.getConnector().getLocalPort();
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
    stream.close();
    tomcat.stop();
    tomcat.destroy();
  }

  private Socket connect(String on, int receiveBuffer) throws IOException {
    Socket socket = new Socket();
    if (receiveBuffer > 0) {
      socket.setReceiveBufferSize(receiveBuffer);
    }
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    open.add(socket);
    socket
        .getOutputStream()
        .write(
            ("GET /live?on=" + on + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** Reads on until the line is there, or the server hangs up. */
  private static boolean readUntil(BufferedReader reader, String wanted) throws IOException {
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      if (line.contains(wanted)) {
        return true;
      }
    }
    return false;
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    socket.setSoTimeout(20_000);
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
  }

  @Test
  void aViewerGetsAFullPictureThenChangesThenBeats() throws Exception {
    BufferedReader reader = reader(connect("top", 0));
    assertThat(readUntil(reader, "text/event-stream")).isTrue();
    assertThat(readUntil(reader, "data: <p>1</p>")).isTrue();
    version.set(7);
    assertThat(readUntil(reader, "data: <p>7</p>")).isTrue();
    assertThat(readUntil(reader, "event: beat")).isTrue();
  }

  @Test
  void whoDoesNotReadIsDroppedAndNobodyElseNotices() throws Exception {
    BufferedReader well = reader(connect("top", 0));
    assertThat(readUntil(well, "data: <p>1</p>")).isTrue();
    connect("much", 1024);
    await().until(() -> stream.viewers() == 2);

    AtomicBoolean changing = new AtomicBoolean(true);
    Thread changes =
        new Thread(
            () -> {
              while (changing.get()) {
                version.incrementAndGet();
                java.util.concurrent.locks.LockSupport.parkNanos(2_000_000);
              }
            });
    changes.start();
    open.add(
        () -> {
          changing.set(false);
          changes.join();
        });
    // Its sockets fill, then it is blocked for a second, then it is gone; the other hears all
    // along.
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (stream.viewers() > 1 && System.nanoTime() < deadline) {
      assertThat(readUntil(well, "data: <p>")).isTrue();
    }
    assertThat(stream.viewers()).isEqualTo(1);
    changing.set(false);
    changes.join();
    long last = version.incrementAndGet();
    assertThat(readUntil(well, "data: <p>" + last + "</p>")).isTrue();

    // The server, which has four threads, goes on answering while the dropped connection dies.
    for (int n = 0; n < 4; n++) {
      assertThat(readUntil(reader(connect("nonsense", 0)), "400")).isTrue();
    }
  }

  @Test
  void aClosedPageIsForgottenWithinABeatOrTwo() throws Exception {
    Socket socket = connect("top", 0);
    assertThat(readUntil(reader(socket), "data: <p>1</p>")).isTrue();
    assertThat(stream.viewers()).isEqualTo(1);
    socket.close();
    await().atMost(Duration.ofSeconds(5)).until(() -> stream.viewers() == 0);
  }

  @Test
  void tooManyViewersAreToldSoInASentence() throws Exception {
    for (int n = 0; n < 3; n++) {
      assertThat(readUntil(reader(connect("top", 0)), "data: <p>1</p>")).isTrue();
    }
    BufferedReader fourth = reader(connect("top", 0));
    assertThat(readUntil(fourth, "503")).isTrue();
    assertThat(readUntil(fourth, "Too many pages are open")).isTrue();
  }
}
