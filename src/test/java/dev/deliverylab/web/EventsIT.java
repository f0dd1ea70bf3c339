package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deliverylab.history.History;
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
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The events for programs: whoever was away goes on where it was, and nobody waits for anybody. */
@ExtendWith(SharedLab.class)
class EventsIT {

  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Lab lab;
  private final List<Reader> readers = new ArrayList<>();

  EventsIT(Lab lab) {
    this.lab = lab;
  }

  @AfterEach
  void hangUp() throws IOException {
    for (Reader reader : readers) {
      reader.socket.close();
    }
  }

  private record Message(long id, String event, JsonNode data) {}

  /** A program that follows the events, in HTTP/1.0, so that the body comes as it is. */
  private final class Reader {

    private final Socket socket = new Socket();
    private final BufferedReader lines;

    Reader(String path, @Nullable String last, int receiveBuffer) throws IOException {
      if (receiveBuffer > 0) {
        socket.setReceiveBufferSize(receiveBuffer);
      }
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), lab.port()));
      readers.add(this);
      socket
          .getOutputStream()
          .write(
              ("GET "
                      + path
                      + " HTTP/1.0\r\nHost: localhost\r\n"
                      + (last == null ? "" : "Last-Event-ID: " + last + "\r\n")
                      + "\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Reads up to the greeting, behind which it follows everything. */
    Reader greeted() throws IOException {
      for (String line = lines.readLine(); !line.startsWith("retry:"); line = lines.readLine()) {
        assertThat(line).doesNotStartWith("HTTP/1.1 4").doesNotStartWith("HTTP/1.1 5");
      }
      return this;
    }

    Message next() throws IOException {
      long id = -1;
      String event = "";
      for (String line = lines.readLine(); ; line = lines.readLine()) {
        if (line.startsWith("id: ")) {
          id = Long.parseLong(line.substring(4));
        } else if (line.startsWith("event: ")) {
          event = line.substring(7);
        } else if (line.startsWith("data: ")) {
          return new Message(id, event, JSON.readTree(line.substring(6)));
        }
      }
    }

    /** All messages up to the one with this id. */
    List<Message> upTo(long id) throws IOException {
      List<Message> messages = new ArrayList<>();
      do {
        messages.add(next());
      } while (messages.get(messages.size() - 1).id() < id);
      return messages;
    }
  }

  private Reader reader(@Nullable String last) throws IOException {
    return new Reader("/api/events", last, 0).greeted();
  }

  private Reader after(long last) throws IOException {
    return reader(Long.toString(last));
  }

  private long last() {
    return lab.bean(History.class).last();
  }

  private static void assertFollows(List<Message> messages, long from, long to) {
    assertThat(messages.stream().map(Message::id))
        .containsExactlyElementsOf(LongStream.rangeClosed(from, to).boxed().toList());
    for (Message message : messages) {
      assertThat(message.data().get("seq").asLong()).isEqualTo(message.id());
      assertThat(message.data().get("kind").asString()).isEqualToIgnoringCase(message.event());
    }
  }

  /** A lane that reads the five orders and stops. */
  private long something() {
    lab.fiveOrders();
    lab.post("/api/lanes/at-least-once/start").ok();
    lab.await("at-least-once", "drained");
    lab.post("/api/lanes/at-least-once/stop").ok();
    return last();
  }

  @Test
  void whoComesBackGoesOnWhereItWasWithoutAGapOrADouble() throws Exception {
    lab.fresh(1, 2);
    long start = last();
    Reader first = after(start);
    long end = something();
    List<Message> seen = new ArrayList<>();
    for (int n = 0; n < 5; n++) {
      seen.add(first.next());
    }
    first.socket.close(); // in the middle
    Reader second = after(seen.get(4).id());
    seen.addAll(second.upTo(end));
    long later = something(); // and while it reads
    seen.addAll(second.upTo(later));
    assertFollows(seen, start + 1, later);
    assertThat(seen.stream().map(Message::event))
        .contains("appended", "started", "step", "stopped")
        .doesNotContain("gap");

    List<Long> ofLane =
        seen.stream()
            .filter(
                m ->
                    m.data()
                        .get("lane")
                        .asStringOpt()
                        .equals(java.util.Optional.of("at-least-once")))
            .map(Message::id)
            .toList();
    assertThat(
            lab.get("/api/lanes/at-least-once/history?limit=1000")
                .at("/events")
                .valueStream()
                .map(event -> event.get("seq").asLong()))
        .isEqualTo(ofLane);
  }

  /** A history of its own, with numbers of its own. */
  @Test
  void theWindowLanesAreFollowedInTheSameWay() throws Exception {
    lab.post("/api/time/reset", "{}").ok();
    Reader reader = new Reader("/api/time/events", null, 0).greeted();
    lab.post("/api/lanes/per-record/pause").ok();
    Message paused = reader.next();
    assertThat(paused.event()).isEqualTo("paused");
    assertThat(paused.data().get("lane").asString()).isEqualTo("per-record");
    lab.post("/api/lanes/per-record/resume").ok();
    Reader again = new Reader("/api/time/events", Long.toString(paused.id()), 0).greeted();
    assertThat(again.next().event()).isEqualTo("resumed");
  }

  @Test
  void whoHadNothingYetGetsWhatIsNew() throws Exception {
    lab.fresh(1, 2);
    something();
    Reader reader = reader(null);
    long before = last();
    lab.fiveOrders();
    assertThat(reader.next().id()).isEqualTo(before + 1);
  }

  @Test
  void anIdFromTheFutureIsTakenForTheNewest() throws Exception {
    lab.fresh(1, 2);
    Reader reader = reader("999999999999999999");
    long before = last();
    lab.fiveOrders();
    assertThat(reader.next().id()).isEqualTo(before + 1);
  }

  @Test
  void whoWasAwayForTooLongIsToldWhatItMissed() throws Exception {
    lab.fresh(1, 2);
    long old = last();
    something();
    lab.fresh(1, 2); // forgets what happened before it
    long begin = last();
    lab.fiveOrders();
    Reader reader = after(old);
    Message gap = reader.next();
    assertThat(gap.event()).isEqualTo("gap");
    assertThat(gap.data().get("missed").asLong()).isEqualTo(begin - 1 - old);
    assertThat(gap.id()).as("a reader that resumes here misses nothing more").isEqualTo(begin - 1);
    assertFollows(reader.upTo(last()), begin, last());
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "-1", "1.5", "1234567890123456789012", "18; drop"})
  void anIdThatIsNoneIsRefused(String id) {
    assertThat(
            lab.raw(
                "GET /api/events HTTP/1.0\r\nHost: localhost\r\nLast-Event-ID: " + id + "\r\n\r\n"))
        .startsWith("HTTP/1.1 400")
        .contains("application/problem+json", "a whole number");
  }

  @Test
  void severalReadersEachGetEverything() throws Exception {
    lab.fresh(1, 2);
    long start = last();
    List<Reader> all = new ArrayList<>();
    for (int n = 0; n < 8; n++) {
      all.add(after(start));
    }
    long end = something();
    for (Reader reader : all) {
      assertFollows(reader.upTo(end), start + 1, end);
    }
  }

  /** Ten thousand orders make more than ten thousand events: more than any socket takes in. */
  @Test
  void whoDoesNotReadBlocksNobodyAndIsLetGo() throws Exception {
    lab.fresh(1, 1000);
    long start = last();
    Reader unused = new Reader("/api/events", Long.toString(start), 1024);
    Reader well = after(start);
    lab.post("/api/log/records", "{\"generate\":{\"count\":10000}}").ok();
    await().atMost(PATIENCE).until(() -> followers() == 2); // those of other tests have left
    lab.post("/api/lanes/at-least-once/start").ok();
    long seen = start;
    Lab.Answer lane = lab.lane("at-least-once");
    while (lane.number("/progress/0/lag") > 0) {
      for (Message message : well.upTo(last())) {
        assertThat(message.id()).isEqualTo(seen + 1);
        seen = message.id();
      }
      lane = lab.lane("at-least-once");
    }
    assertThat(lab.await("at-least-once", "drained").number("/sink/rows")).isEqualTo(10_000);
    assertThat(last() - start).isGreaterThan(10_000);

    // Its sockets are full; after ten seconds of that it is let go, and the other one is not.
    await().atMost(PATIENCE).until(() -> followers() == 1);
    lab.fiveOrders();
    assertThat(well.upTo(last())).isNotEmpty();
  }

  /** Somebody who reads late gets all that is still known, and is told of what is not. */
  @Test
  void whoReadsLateMissesNothingUntold() throws Exception {
    lab.fresh(1, 1000);
    long start = last();
    Reader late = new Reader("/api/events", Long.toString(start), 1024);
    lab.post("/api/log/records", "{\"generate\":{\"count\":10000}}").ok();
    lab.post("/api/lanes/at-least-once/start").ok();
    lab.await("at-least-once", "drained");
    lab.post("/api/lanes/at-least-once/stop").ok();
    long seen = start;
    List<Message> gaps = new ArrayList<>();
    for (Message message : late.upTo(last())) {
      if (message.event().equals("gap")) {
        assertThat(message.data().get("missed").asLong()).isEqualTo(message.id() - seen);
        gaps.add(message);
      } else {
        assertThat(message.id()).isEqualTo(seen + 1);
      }
      seen = message.id();
    }
    assertThat(gaps).as("five thousand are kept of more than ten thousand").isNotEmpty();
  }

  private long followers() {
    return (long)
        lab.get("/actuator/metrics/lab.event.readers").ok().at("/measurements/0/value").asDouble();
  }
}
