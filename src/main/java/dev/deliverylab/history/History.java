package dev.deliverylab.history;

import dev.deliverylab.log.InLog;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * What happened, in order. The newest {@value #KEPT} events of the lab and of each lane stay in
 * memory; the journal on disk keeps a longer tail, which survives a kill. Numbers grow for ever, so
 * a reader that was away knows whether it missed any.
 */
public final class History implements AutoCloseable {

  static final int KEPT = 5_000;
  private static final int ATTEMPTS_KEPT = 20_000;

  private final Clock clock;
  private final Journal journal;
  private final Deque<Event> all = new ArrayDeque<>();
  private final Map<String, Deque<Event>> byLane = new HashMap<>();
  private final Map<String, Map<Long, Integer>> attempts = new HashMap<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private long last;

  public History(Journal journal, Clock clock) {
    this.journal = journal;
    this.clock = clock;
    for (Event event : journal.tail()) {
      if (event.kind() == Event.Kind.EXPERIMENT) {
        forget();
      }
      keep(event);
      last = event.seq();
    }
  }

  /** A new experiment began: forgets what happened in earlier ones. Numbers go on. */
  public Event begin(String text) {
    Event event;
    synchronized (this) {
      forget();
      event = next(Event.Kind.EXPERIMENT, null, null, null, text);
      journal.begin(event);
    }
    listeners.forEach(Runnable::run);
    return event;
  }

  /** Something that happened to a lane outside its loop, or (without a lane) to the lab. */
  public Event record(Event.Kind kind, @Nullable String lane, @Nullable Integer life, String text) {
    return record(kind, lane, life, null, text);
  }

  /** Something that happened at a place in a lane's loop. */
  public Event record(
      Event.Kind kind,
      @Nullable String lane,
      @Nullable Integer life,
      @Nullable Place place,
      String text) {
    Event event;
    synchronized (this) {
      event = next(kind, lane, life, place, text);
      journal.write(event);
    }
    listeners.forEach(Runnable::run);
    return event;
  }

  private Event next(
      Event.Kind kind,
      @Nullable String lane,
      @Nullable Integer life,
      @Nullable Place place,
      String text) {
    InLog record = place == null ? null : place.logRecord();
    Event event =
        new Event(
            last + 1,
            clock.instant(),
            lane,
            life,
            kind,
            place == null ? null : place.step(),
            place == null ? null : place.batch(),
            place == null ? null : place.record(),
            record == null ? null : record.orderId(),
            record == null ? null : record.partition(),
            record == null ? null : record.offset(),
            record == null || lane == null ? null : attempt(lane, kind, record),
            text);
    last = event.seq();
    keep(event);
    return event;
  }

  /** Events with a number above {@code seq}, oldest first. */
  public synchronized List<Event> after(long seq, int limit) {
    return select(all, seq, limit);
  }

  /** The same for one lane. */
  public synchronized List<Event> of(String lane, long seq, int limit) {
    return select(byLane.getOrDefault(lane, new ArrayDeque<>()), seq, limit);
  }

  /** The newest events of a lane, oldest of them first. */
  public synchronized List<Event> newest(String lane, int limit) {
    Deque<Event> events = byLane.getOrDefault(lane, new ArrayDeque<>());
    List<Event> newest = new ArrayList<>(Math.min(limit, events.size()));
    var backwards = events.descendingIterator();
    while (backwards.hasNext() && newest.size() < limit) {
      newest.add(backwards.next());
    }
    Collections.reverse(newest);
    return newest;
  }

  /** The number of the newest event; 0 when nothing ever happened. */
  public synchronized long last() {
    return last;
  }

  /** Called after each event, on the thread in which it happened: it must not wait. */
  public void onEvent(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  public synchronized void close() {
    journal.close();
  }

  private void forget() {
    all.clear();
    byLane.clear();
    attempts.clear();
  }

  private void keep(Event event) {
    push(all, event);
    String lane = event.lane();
    if (lane == null) {
      return;
    }
    push(byLane.computeIfAbsent(lane, ignored -> new ArrayDeque<>()), event);
    Integer attempt = event.attempt();
    Integer partition = event.partition();
    Long offset = event.offset();
    if (attempt != null && partition != null && offset != null) {
      attempts(lane).put(place(partition, offset), attempt);
    }
  }

  private static void push(Deque<Event> events, Event event) {
    events.addLast(event);
    if (events.size() > KEPT) {
      events.removeFirst();
    }
  }

  private static List<Event> select(Deque<Event> events, long seq, int limit) {
    List<Event> newer = new ArrayList<>();
    var backwards = events.descendingIterator();
    while (backwards.hasNext()) {
      Event event = backwards.next();
      if (event.seq() <= seq) {
        break;
      }
      newer.add(event);
    }
    Collections.reverse(newer);
    return List.copyOf(newer.subList(0, Math.min(limit, newer.size())));
  }

  private int attempt(String lane, Event.Kind kind, InLog record) {
    int before = attempts(lane).getOrDefault(place(record.partition(), record.offset()), 0);
    return kind == Event.Kind.STEP ? before + 1 : Math.max(before, 1);
  }

  private Map<Long, Integer> attempts(String lane) {
    return attempts.computeIfAbsent(
        lane,
        ignored ->
            new LinkedHashMap<>() {
              private static final long serialVersionUID = 1L;

              @Override
              protected boolean removeEldestEntry(Map.Entry<Long, Integer> eldest) {
                return size() > ATTEMPTS_KEPT;
              }
            });
  }

  /** Partition and offset in one number: an experiment has at most 16 partitions. */
  private static long place(int partition, long offset) {
    return offset * 64 + partition;
  }
}
