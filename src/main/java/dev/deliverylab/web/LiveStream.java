package dev.deliverylab.web;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live pages. Ten times a second one thread asks whether anything changed, renders each watched
 * fragment that may have, once, and lays what differs into one slot a fragment and viewer. A slot
 * holds the newest only, so a slow viewer skips what it missed; nobody waits for a viewer. Without
 * a viewer nothing is rendered.
 */
final class LiveStream implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LiveStream.class);

  /** What is shown. */
  interface Source {

    /** Grows with every change. */
    long version();

    /** The fragment's HTML at about this version. */
    String render(String fragment, long version);
  }

  /**
   * @param tick between two looks: the most often a page changes
   * @param heartbeat between two signs of life
   * @param deaf how long a viewer may take nothing before it is dropped
   * @param viewers how many there may be
   */
  record Limits(Duration tick, Duration heartbeat, Duration deaf, int viewers) {
    static final Limits USUAL =
        new Limits(Duration.ofMillis(100), Duration.ofSeconds(5), Duration.ofSeconds(10), 500);
  }

  private static final byte[] BEAT = "event: beat\ndata: \n\n".getBytes(StandardCharsets.UTF_8);

  private final Source source;
  private final Limits limits;
  private final Set<LiveViewer> viewers = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService renderer;

  // Only the renderer's thread touches these.
  private final Map<String, String> latest = new HashMap<>();
  private final Map<String, byte[]> messages = new HashMap<>();
  private final Set<LiveViewer> greeted = new HashSet<>();
  private long lastVersion;
  private long lastBeat = System.nanoTime();
  private int misses;

  LiveStream(Source source, Limits limits) {
    this.source = source;
    this.limits = limits;
    this.renderer =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "live-pages");
              thread.setDaemon(true);
              return thread;
            });
  }

  void start() {
    var unused =
        renderer.scheduleWithFixedDelay(
            this::tick, 0, limits.tick().toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Whether one more viewer may come. */
  boolean hasRoom() {
    return viewers.size() < limits.viewers();
  }

  /** Takes a viewer in. Its first message, within a tick, is a full picture. */
  void join(LiveViewer viewer) {
    viewers.add(viewer);
  }

  void leave(LiveViewer viewer) {
    if (viewers.remove(viewer)) {
      viewer.close();
    }
  }

  int viewers() {
    return viewers.size();
  }

  /** One look. Package-private so that a test can be the clock. */
  void tick() {
    try {
      if (viewers.isEmpty()) {
        latest.clear();
        messages.clear();
        greeted.clear();
        return;
      }
      look();
      misses = 0;
    } catch (RuntimeException e) {
      // A page that cannot be drawn must not end the stream: the next look may succeed.
      // One miss is usual: an experiment may be replaced while it is drawn.
      if (++misses == 2) {
        LOG.warn("A live page cannot be drawn; trying again", e);
      }
    }
    long now = System.nanoTime();
    boolean beat = now - lastBeat >= limits.heartbeat().toNanos();
    if (beat) {
      lastBeat = now;
    }
    for (LiveViewer viewer : viewers) {
      if (beat) {
        viewer.offer("", BEAT);
      }
      if (!viewer.write(now) || viewer.blockedFor(now) > limits.deaf().toNanos()) {
        leave(viewer);
      }
    }
  }

  private void look() {
    List<LiveViewer> present = new ArrayList<>(viewers);
    Set<String> watched = new HashSet<>();
    present.forEach(viewer -> watched.addAll(viewer.fragments()));
    latest.keySet().retainAll(watched);
    messages.keySet().retainAll(watched);
    greeted.retainAll(present);

    long version = source.version();
    Set<String> changed = new HashSet<>();
    for (String fragment : watched) {
      String before = latest.get(fragment);
      if (before != null && version == lastVersion) {
        continue;
      }
      String html = source.render(fragment, version);
      if (before == null || !before.equals(html)) {
        latest.put(fragment, html);
        messages.put(fragment, message(html));
        changed.add(fragment);
      }
    }
    lastVersion = version;

    for (LiveViewer viewer : present) {
      boolean isNew = greeted.add(viewer);
      for (String fragment : viewer.fragments()) {
        byte[] message = messages.get(fragment);
        if (message != null && (isNew || changed.contains(fragment))) {
          viewer.offer(fragment, message);
        }
      }
    }
  }

  private static byte[] message(String html) {
    StringBuilder message = new StringBuilder("event: html\n");
    html.lines()
        .filter(line -> !line.isBlank())
        .forEach(line -> message.append("data: ").append(line.strip()).append('\n'));
    return message.append('\n').toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    renderer.shutdownNow();
    viewers.forEach(this::leave);
  }
}
