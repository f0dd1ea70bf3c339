package dev.deliverylab.experiment;

import dev.deliverylab.check.Count;
import dev.deliverylab.history.Event;
import dev.deliverylab.history.History;
import dev.deliverylab.lane.Lane;
import dev.deliverylab.log.StoredTruth;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an eye on the current experiment whether anybody looks or not: counts the lanes again when
 * something happened, and raises the alert when an order lands twice for the first time. Between
 * two counts it rests for three times as long as the last one took, or for a second if that is
 * less, so that watching does not crowd out working.
 */
public final class Watch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
  private static final long TICK_MILLIS = 50;
  private static final long BUSY_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final long LOOKED_AT_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final long QUIET_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_REST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Experiments experiments;
  private final History history;
  private final AtomicLong happenings = new AtomicLong();
  private final AtomicLong version = new AtomicLong();
  private final Set<String> alerted = new HashSet<>();

  /** Lanes whose rows from before this start of the lab are not all counted: no news in those. */
  private final Set<String> inherited = new HashSet<>();

  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "watch");
            thread.setDaemon(true);
            return thread;
          });

  private volatile List<LaneSnapshot> latest = List.of();
  private volatile long lookedAt;
  private long counted = -1;
  private long lastHappening;
  private long countedAt;
  private long restUntil;
  private long alertedIn;

  Watch(Experiments experiments, History history, StoredTruth truth) {
    this.experiments = experiments;
    this.history = history;
    history.onEvent(happenings::incrementAndGet);
    truth.onAdvance(happenings::incrementAndGet);
    var unused =
        clock.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Grows whenever something changed that a page could show. Cheap. */
  public long version() {
    lookedAt = System.nanoTime();
    return version.get();
  }

  /** Something changed that the watch cannot see by itself. */
  public void nudge() {
    happenings.incrementAndGet();
  }

  /** The lanes as last counted; empty before the first count. */
  public List<LaneSnapshot> latest() {
    return latest;
  }

  /** Whether the alert of this lane has fired in the current experiment. */
  public synchronized boolean hasAlerted(String lane) {
    return alerted.contains(lane);
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }

  private void tick() {
    try {
      look(System.nanoTime());
    } catch (RuntimeException e) {
      LOG.warn("The watch could not look: {}", e.getMessage());
    }
  }

  private void look(long now) {
    long happened = happenings.get();
    if (happened != counted) {
      lastHappening = now;
    }
    // A client's own commit makes no event, so a lane that was busy is watched a little longer.
    boolean busy = now - lastHappening < BUSY_NANOS;
    boolean lookedUpon = now - lookedAt < LOOKED_AT_NANOS;
    boolean due =
        busy
            ? now >= restUntil && (lookedUpon || now - countedAt > QUIET_PERIOD_NANOS)
            : now - countedAt > 2 * QUIET_PERIOD_NANOS;
    if (due) {
      count(now, happened);
    }
  }

  private void count(long now, long happened) {
    Experiment experiment = experiments.current();
    List<LaneSnapshot> snapshots = experiment.snapshots();
    if (happened != counted || !snapshots.equals(latest)) {
      latest = snapshots;
      counted = happened;
      version.incrementAndGet();
    }
    alert(experiment);
    countedAt = now;
    long took = System.nanoTime() - now;
    restUntil = now + took + Math.min(3 * took, LONGEST_REST_NANOS);
  }

  private synchronized void alert(Experiment experiment) {
    if (alertedIn != experiment.id()) {
      alerted.clear();
      inherited.clear();
      if (alertedIn == 0) {
        experiment.lanes().forEach(lane -> inherited.add(lane.name()));
      }
      alertedIn = experiment.id();
    }
    for (Lane lane : experiment.lanes()) {
      Count count = experiment.count(lane.name()).latest();
      boolean catchingUp = inherited.contains(lane.name());
      if (catchingUp && !count.more()) {
        inherited.remove(lane.name());
      }
      if (count.firstDoubled().isPresent() && alerted.add(lane.name()) && !catchingUp) {
        String sentence =
            "order " + count.firstDoubled().get() + " is in the sink twice: the first of this lane";
        LOG.warn("{}: {}", lane.name(), sentence);
        history.record(Event.Kind.ALERT, lane.name(), lane.life(), sentence);
      }
    }
  }
}
