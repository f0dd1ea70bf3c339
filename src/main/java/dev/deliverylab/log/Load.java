package dev.deliverylab.log;

import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Appends made-up orders at a steady rate in the background; one load at a time. */
public final class Load implements AutoCloseable {

  private static final long TICK_MILLIS = 10;
  private static final int KEYS = 50;

  private final OrderIds ids;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "load");
            thread.setDaemon(true);
            return thread;
          });
  private volatile @Nullable Progress progress;
  private volatile long begunAt;
  private @Nullable Running running; // guarded by this

  public Load(OrderIds ids) {
    this.ids = ids;
  }

  /**
   * What to append.
   *
   * @param ratePerSecond 1 to {@value #MAX_RATE}
   * @param seconds 1 to {@value #MAX_SECONDS}, as long as the log keeps up
   * @param seed the same seed gives the same orders
   */
  public record Plan(int ratePerSecond, int seconds, long seed) {

    public static final int MAX_RATE = 100_000;
    public static final int MAX_SECONDS = 3_600;

    /**
     * @throws IllegalArgumentException naming the field and what it allows
     */
    public Plan {
      if (ratePerSecond < 1 || ratePerSecond > MAX_RATE) {
        throw new IllegalArgumentException("ratePerSecond lies between 1 and " + MAX_RATE);
      }
      if (seconds < 1 || seconds > MAX_SECONDS) {
        throw new IllegalArgumentException("seconds lies between 1 and " + MAX_SECONDS);
      }
    }

    /** Orders altogether. */
    public long target() {
      return (long) ratePerSecond * seconds;
    }
  }

  /** Where a load stands. */
  public enum State {
    RUNNING,
    /** Everything is appended. */
    DONE,
    /** Somebody stopped it; what it had appended stays. */
    STOPPED,
    /**
     * The log did not take an order. The reason is in the progress; another load can be started.
     */
    FAILED
  }

  /**
   * How far a load has come.
   *
   * @param appended orders acknowledged
   * @param target orders to append altogether
   * @param reason why it failed, else null
   */
  public record Progress(State state, long appended, long target, @Nullable String reason) {}

  /** Orders acknowledged in a second, on average since the load that runs or ran last began. */
  public long perSecond() {
    Progress known = progress;
    long nanos = System.nanoTime() - begunAt;
    return known == null || nanos <= 0
        ? 0
        : Math.round(known.appended() * 1e9 / Math.max(nanos, TimeUnit.SECONDS.toNanos(1)));
  }

  /** The load that runs or ran last, if there was one. */
  public Optional<Progress> progress() {
    return Optional.ofNullable(progress);
  }

  /**
   * Starts a load.
   *
   * @throws IllegalStateException while another one runs
   */
  public synchronized Progress start(OrderLog log, Plan plan) {
    if (running != null) {
      throw new IllegalStateException("a load is running; stop it first");
    }
    Running next = new Running(log, plan, ids.take(log, plan.target()));
    Progress begun = new Progress(State.RUNNING, 0, plan.target(), null);
    begunAt = System.nanoTime();
    progress = begun;
    running = next;
    next.ticks =
        clock.scheduleWithFixedDelay(() -> tick(next), 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    return begun;
  }

  /** Stops the load, if one runs, and returns when its last append is answered. */
  public synchronized Optional<Progress> stop() {
    if (running != null) {
      end(running, State.STOPPED, null);
    }
    return progress();
  }

  private synchronized void tick(Running load) {
    if (running != load) {
      return; // stopped between two ticks
    }
    try {
      load.append();
      if (load.appended == load.plan.target()) {
        end(load, State.DONE, null);
      } else {
        progress = new Progress(State.RUNNING, load.appended, load.plan.target(), null);
      }
    } catch (AppendFailed e) {
      load.appended += e.acknowledged();
      end(load, State.FAILED, e.getMessage());
    } catch (RuntimeException e) {
      end(load, State.FAILED, e.getMessage());
    }
  }

  private void end(Running load, State state, @Nullable String reason) {
    load.ids.close();
    if (load.ticks != null) {
      load.ticks.cancel(false);
    }
    running = null;
    progress = new Progress(state, load.appended, load.plan.target(), reason);
  }

  @Override
  public void close() {
    stop();
    clock.shutdown();
  }

  /** A load under way. Used under the lock of the load. */
  private static final class Running {

    private final OrderLog log;
    private final Plan plan;
    private final OrderIds.Run ids;
    private final OrderStream orders;
    private final Pace pace;
    private @Nullable ScheduledFuture<?> ticks;
    private long appended;

    Running(OrderLog log, Plan plan, OrderIds.Run ids) {
      this.log = log;
      this.plan = plan;
      this.ids = ids;
      this.orders = new OrderStream(plan.seed(), KEYS, ids.first());
      this.pace = new Pace(plan.ratePerSecond(), plan.target(), System.nanoTime());
    }

    void append() {
      long due = pace.due(System.nanoTime());
      if (due > 0) {
        appended += log.appendBatched(Stream.generate(orders::next).limit(due));
      }
    }
  }
}
