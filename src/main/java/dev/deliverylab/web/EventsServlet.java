package dev.deliverylab.web;

import dev.deliverylab.history.Event;
import dev.deliverylab.history.History;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.json.JsonMapper;

/**
 * The history as server-sent events, for programs: one JSON event each, its number as the id, so
 * that a reader resumes by Last-Event-ID without a gap or a repeat. A reader that was away for too
 * long is told what it missed. Nobody waits for a reader: each has a cursor into the history, and
 * one that takes nothing for ten seconds is dropped.
 */
final class EventsServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;
  private static final int MAX_READERS = 200;
  private static final int SLICE = 200;
  private static final long PUMP_MILLIS = 50;
  private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long DEAF_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final transient History history;
  private final transient JsonMapper json;
  private final transient Set<Reader> readers = ConcurrentHashMap.newKeySet();
  private final transient ScheduledExecutorService pump =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "events");
            thread.setDaemon(true);
            return thread;
          });

  EventsServlet(History history, JsonMapper json) {
    this.history = history;
    this.json = json;
  }

  /** How many programs follow. */
  int readers() {
    return readers.size();
  }

  @Override
  public void init() {
    var unused = pump.scheduleWithFixedDelay(this::pump, 0, PUMP_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void destroy() {
    pump.shutdownNow();
    readers.forEach(Reader::close);
  }

  /** Says what there would be, and ends: a stream without a body has no reader to wait for. */
  @Override
  protected void doHead(HttpServletRequest request, HttpServletResponse response) {
    response.setContentType("text/event-stream");
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String last = request.getHeader("Last-Event-ID");
    if (last != null && !last.matches("[0-9]{1,18}")) {
      Problems.write(
          response,
          400,
          "Not allowed",
          "Last-Event-ID is the id of the last event you had, a whole number");
      return;
    }
    if (readers.size() >= MAX_READERS) {
      response.setHeader("Retry-After", "10");
      Problems.write(
          response,
          503,
          "Too many readers",
          "At most " + MAX_READERS + " programs follow the events at once. Try again later.");
      return;
    }
    response.setContentType("text/event-stream");
    response.setCharacterEncoding("UTF-8");
    response.setHeader("Cache-Control", "no-store");
    AsyncContext async = request.startAsync();
    async.setTimeout(0);
    ServletOutputStream out = response.getOutputStream();
    Reader reader =
        new Reader(
            new ServletWire(out, async), last == null ? history.last() : Long.parseLong(last));
    async.addListener(new Farewell(reader::close));
    readers.add(reader);
    out.setWriteListener(
        new WriteListener() {
          @Override
          public void onWritePossible() {
            reader.write(System.nanoTime());
          }

          @Override
          public void onError(Throwable broken) {
            reader.close();
          }
        });
  }

  private void pump() {
    long now = System.nanoTime();
    for (Reader reader : readers) {
      reader.write(now);
    }
  }

  private byte[] message(Event event) {
    return ("id: "
            + event.seq()
            + "\nevent: "
            + event.kind().name().toLowerCase(java.util.Locale.ROOT)
            + "\ndata: "
            + json.writeValueAsString(event)
            + "\n\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private final class Reader {

    private final LiveViewer.Wire wire;
    private long seen;
    private long spokeAt = System.nanoTime();
    private long blockedSince;
    private boolean greeted;
    private boolean unflushed;
    private boolean gone;

    Reader(LiveViewer.Wire wire, long seen) {
      this.wire = wire;
      this.seen = Math.min(seen, history.last());
    }

    synchronized void write(long now) {
      if (gone) {
        return;
      }
      try {
        while (wire.ready()) {
          blockedSince = 0;
          byte[] next = next(now);
          if (next.length == 0) {
            if (unflushed) {
              unflushed = false;
              wire.flush();
              continue;
            }
            return;
          }
          wire.write(next);
          unflushed = true;
          spokeAt = now;
        }
        blockedSince = blockedSince == 0 ? now : blockedSince;
        if (now - blockedSince > DEAF_NANOS) {
          close();
        }
      } catch (IOException | IllegalStateException e) {
        close();
      }
    }

    /** Some whole messages, or nothing. */
    private byte[] next(long now) {
      if (!greeted) {
        greeted = true;
        return "retry: 2000\n\n".getBytes(StandardCharsets.UTF_8);
      }
      var out = new java.io.ByteArrayOutputStream();
      for (Event event : history.after(seen, SLICE)) {
        if (event.seq() > seen + 1) {
          out.writeBytes(gap(event.seq() - 1));
        }
        out.writeBytes(message(event));
        seen = event.seq();
      }
      if (out.size() == 0 && now - spokeAt > HEARTBEAT_NANOS) {
        out.writeBytes(": still here\n\n".getBytes(StandardCharsets.UTF_8));
      }
      return out.toByteArray();
    }

    /** The history has forgotten what lies between; numbers themselves have no gaps. */
    private byte[] gap(long upTo) {
      return ("id: " + upTo + "\nevent: gap\ndata: {\"missed\":" + (upTo - seen) + "}\n\n")
          .getBytes(StandardCharsets.UTF_8);
    }

    void close() {
      synchronized (this) {
        gone = true;
      }
      readers.remove(this);
      wire.close();
    }
  }
}
