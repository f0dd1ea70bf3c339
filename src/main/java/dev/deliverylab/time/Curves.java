package dev.deliverylab.time;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The curves of all lanes, each made anew only when the log or the policy has changed. Whoever
 * looks all the time is shown one that is a little old while a long log grows, so that making
 * curves takes a fifth of a thread at most.
 */
final class Curves implements AutoCloseable {

  private static final int REST = 5;

  private record Made(Curve curve, long log, Policy policy, Duration took, long atNanos) {

    private boolean isOf(long logNow, Policy policyNow) {
      return log == logNow && policy.equals(policyNow);
    }

    private Duration rest() {
      Duration since = Duration.ofNanos(System.nanoTime() - atNanos);
      return took.multipliedBy(REST).minus(since);
    }
  }

  private final Arrivals arrivals;
  private final int partitions;
  private final Runnable onChange;
  private final Map<String, Made> made = new HashMap<>();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "curves");
            thread.setDaemon(true);
            return thread;
          });
  private boolean promised;

  /**
   * @param onChange called when one that was shown old can be made anew
   */
  Curves(Arrivals arrivals, int partitions, Runnable onChange) {
    this.arrivals = arrivals;
    this.partitions = partitions;
    this.onChange = onChange;
  }

  /** Of the log as it is now. */
  synchronized Curve now(Windowed lane) {
    String name = lane.lateRule().label();
    long log = arrivals.totals().version();
    Policy policy = lane.policy();
    Made known = made.get(name);
    if (known == null || !known.isOf(log, policy)) {
      long from = System.nanoTime();
      List<TimeRecord> records = arrivals.all();
      Curve curve = TimeCurve.of(name, lane.lateRule(), policy, partitions, records);
      long at = System.nanoTime();
      known = new Made(curve, log, policy, Duration.ofNanos(at - from), at);
      made.put(name, known);
    }
    return known.curve();
  }

  /** The same, or an older one of the same policy where making it anew has just taken long. */
  synchronized Curve recent(Windowed lane) {
    Made known = made.get(lane.lateRule().label());
    if (known == null || !known.policy().equals(lane.policy())) {
      return now(lane);
    }
    Duration rest = known.rest();
    if (known.isOf(arrivals.totals().version(), lane.policy()) || rest.isNegative()) {
      return now(lane);
    }
    if (!promised && !clock.isShutdown()) {
      promised = true;
      var unused = clock.schedule(this::due, rest.toMillis() + 1, TimeUnit.MILLISECONDS);
    }
    return known.curve();
  }

  private void due() {
    synchronized (this) {
      promised = false;
    }
    onChange.run();
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
