package dev.deliverylab.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets records arrive at the pace that is set. What waits here is not in the log yet, so it is not
 * in the truth either, and is gone when the lab ends.
 */
final class Feeder implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Feeder.class);
  private static final Duration LONGEST_NAP = Duration.ofMillis(500);

  private record Waiting(Arrival arrival, long number) {}

  private final PriorityQueue<Waiting> queue =
      new PriorityQueue<>(
          Comparator.comparing((Waiting each) -> each.arrival().arrivalTime())
              .thenComparing(Waiting::number));
  private final Consumer<List<Arrival>> append;
  private final Thread thread;
  private ArrivalPace pace = ArrivalPace.AT_ONCE;
  private long numbers;
  private boolean closed;

  /** From when the virtual clock runs, in its time and in ours; null while nothing waits. */
  private @Nullable Instant from;

  private long fromNanos;

  /**
   * @param append puts records into the log
   */
  Feeder(Consumer<List<Arrival>> append) {
    this.append = append;
    this.thread = new Thread(this::feed, "arrivals-feeder");
    thread.setDaemon(true);
    thread.start();
  }

  synchronized ArrivalPace pace() {
    return pace;
  }

  synchronized int queued() {
    return queue.size();
  }

  /** At once, everything that waits arrives before this returns. */
  void pace(ArrivalPace next) {
    List<Arrival> due = List.of();
    synchronized (this) {
      pace = next;
      from = null;
      if (next == ArrivalPace.AT_ONCE) {
        due = take(queue.size());
      }
      notifyAll();
    }
    if (!due.isEmpty()) {
      append.accept(due);
    }
  }

  synchronized void add(List<Arrival> arrivals) {
    arrivals.forEach(each -> queue.add(new Waiting(each, numbers++)));
    notifyAll();
  }

  /** The next records, at most so many, arrive before this returns. */
  int step(int records) {
    List<Arrival> due;
    synchronized (this) {
      due = take(records);
    }
    if (!due.isEmpty()) {
      append.accept(due);
    }
    return due.size();
  }

  /** Whatever arrives up to this time arrives before this returns. */
  void upTo(Instant time) {
    List<Arrival> due;
    synchronized (this) {
      due = takeUpTo(time);
    }
    if (!due.isEmpty()) {
      append.accept(due);
    }
  }

  private List<Arrival> take(int records) {
    List<Arrival> due = new ArrayList<>();
    while (due.size() < records && !queue.isEmpty()) {
      due.add(queue.remove().arrival());
    }
    return due;
  }

  private List<Arrival> takeUpTo(Instant time) {
    List<Arrival> due = new ArrayList<>();
    for (Waiting first = queue.peek();
        first != null && !first.arrival().arrivalTime().isAfter(time);
        first = queue.peek()) {
      due.add(queue.remove().arrival());
    }
    return due;
  }

  private void feed() {
    try {
      while (true) {
        List<Arrival> due = nextDue();
        if (due == null) {
          return;
        }
        try {
          append.accept(due);
        } catch (RuntimeException e) {
          LOG.warn("{} records that were due did not reach the log: {}", due.size(), e.toString());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until something arrives by itself; null once closed. */
  private synchronized @Nullable List<Arrival> nextDue() throws InterruptedException {
    while (!closed) {
      Waiting first = queue.peek();
      if (first == null || pace.speed() == 0) {
        from = null;
        wait();
        continue;
      }
      if (from == null) {
        from = first.arrival().arrivalTime();
        fromNanos = System.nanoTime();
      }
      List<Arrival> due = takeUpTo(from.plusNanos((System.nanoTime() - fromNanos) * pace.speed()));
      if (!due.isEmpty()) {
        return due;
      }
      wait(LONGEST_NAP.toMillis() / 10);
    }
    return null;
  }

  @Override
  public synchronized void close() {
    closed = true;
    queue.clear();
    notifyAll();
  }
}
