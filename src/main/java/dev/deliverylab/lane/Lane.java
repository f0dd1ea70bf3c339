package dev.deliverylab.lane;

import dev.deliverylab.broker.BrokerUnavailable;
import dev.deliverylab.fault.CrashPoint;
import dev.deliverylab.fault.Trap;
import dev.deliverylab.guarantee.Rule;
import dev.deliverylab.history.Event.Kind;
import dev.deliverylab.history.Place;
import dev.deliverylab.log.InLog;
import dev.deliverylab.sink.SinkUnreachable;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.jspecify.annotations.Nullable;

/**
 * One hosted consumer under one rule. Commands are followed one at a time; a death needs no turn,
 * it strikes whatever command is under way.
 */
public final class Lane {

  private static final Duration THREADS_GONE = Duration.ofSeconds(10);

  private final Source source;
  private final Hosted hosted;
  private final String name;
  private final Surroundings lab;
  private final Group group;
  private final Trap trap = new Trap();
  private final ReentrantLock commands = new ReentrantLock(true);

  private volatile LaneRow row;
  private volatile @Nullable Life life;
  private volatile boolean joining;

  Lane(Source source, Hosted hosted, Surroundings lab) {
    this.source = source;
    this.hosted = hosted;
    this.name = hosted.rule().name();
    this.lab = lab;
    this.group = new Group(lab.broker().admin(), source.topic(), source.partitions());
    this.row = lab.rows().find(source.owner(), name());
    if (row.state() == LaneState.RUNNING || row.state() == LaneState.PAUSED) {
      change(row.died(null, null, null, lab.clock().instant()));
      lab.history().record(Kind.CRASHED, name(), row.life(), "died with the whole lab");
    }
  }

  // --- what it is ---

  public String name() {
    return name;
  }

  public Rule rule() {
    return hosted.rule();
  }

  /** What it hosts. */
  public Hosted hosted() {
    return hosted;
  }

  public String groupId() {
    return source.scope().group(name(), row.generation());
  }

  // --- how it is ---

  public LaneState state() {
    return row.state();
  }

  public @Nullable String reason() {
    return joining ? "joining its group" : row.reason();
  }

  public int life() {
    return row.life();
  }

  public long crashes() {
    return row.crashes();
  }

  public long restarts() {
    return row.restarts();
  }

  /** Whether its progress was ever moved back on purpose. */
  public boolean rewound() {
    return row.rewound();
  }

  /** The step it is at; null if it does not run, or waits in poll. */
  public @Nullable Now now() {
    Life current = life;
    return current == null ? null : current.now();
  }

  /** Non-empty polls of the current life. */
  public int batches() {
    Life current = life;
    return current == null ? 0 : current.batches();
  }

  /** Where it died last. */
  public Optional<LastDeath> lastDeath() {
    LaneRow known = row;
    Instant at = known.diedAt();
    return at == null
        ? Optional.empty()
        : Optional.of(new LastDeath(known.diedAfter(), known.diedRecord(), known.diedBatch(), at));
  }

  /** A death in the past: {@code after} null if it struck at once or took the whole lab. */
  public record LastDeath(
      @Nullable String after, @Nullable Integer record, @Nullable Integer batch, Instant at) {}

  public Optional<CrashPoint> armed() {
    return trap.armed();
  }

  public Optional<String> armedWaitsFor() {
    return trap.waitsFor(isLive(), batches());
  }

  /** Records that a poll has returned and that are not finished; none unless it lives. */
  public List<? extends InLog> inHand() {
    Life current = life;
    return current == null ? List.of() : current.inHand();
  }

  /**
   * The next offset behind what the living consumer has polled, by partition; empty if none lives.
   */
  public Map<Integer, Long> position() {
    Life current = life;
    return current == null ? Map.of() : current.position();
  }

  /**
   * The position from which a restart continues, by partition, read afresh from where this lane
   * keeps it.
   */
  public Map<Integer, Long> committed() {
    return rule().keeper() == Rule.Keeper.SINK
        ? hosted.storedOffsets()
        : group.committed(groupId());
  }

  /** The next offset the log gives out, by partition, read afresh. */
  public Map<Integer, Long> end() {
    return group.offsets(OffsetSpec.latest());
  }

  // --- commands ---

  /** Starts a lane that does not run; resumes a paused one; changes nothing for a running one. */
  public void start() {
    command(
        () -> {
          if (row.state() == LaneState.PAUSED) {
            doResume();
          } else if (row.state() != LaneState.RUNNING) {
            begin(row.state() != LaneState.STOPPED);
          }
        });
  }

  /** Ends the life politely; changes nothing for a lane that does not live. */
  public void stop() {
    command(this::doStop);
  }

  /** From any state: stops if it lives, then starts. */
  public void restart() {
    command(
        () -> {
          doStop();
          begin(true);
        });
  }

  /**
   * @throws LaneRefused unless it runs
   */
  public void pause() {
    command(
        () -> {
          if (row.state() == LaneState.PAUSED) {
            return;
          }
          Life current = alive("paused");
          if (!current.pause()) {
            if (current.isOver()) {
              throw new LaneRefused(name() + " is " + settled() + ": it died before it could rest");
            }
            current.resume();
            throw new LaneUnavailable(
                name() + " did not come to rest in time and goes on; its batch takes too long",
                new IllegalStateException());
          }
          change(current, row.in(LaneState.PAUSED, null));
          lab.history()
              .record(Kind.PAUSED, name(), row.life(), "paused: in its group, reading nothing");
        });
  }

  /**
   * @throws LaneRefused unless it is paused or runs
   */
  public void resume() {
    command(
        () -> {
          if (row.state() != LaneState.RUNNING) {
            if (row.state() != LaneState.PAUSED) {
              throw new LaneRefused(
                  name() + " is " + row.state() + ", not PAUSED: start or restart it instead");
            }
            doResume();
          }
        });
  }

  /**
   * Kills it at once, in whatever it does.
   *
   * @throws LaneRefused if it does not live
   */
  public void crashNow() {
    command(
        () -> {
          Life current = alive("crashed");
          if (died(current, null)) {
            awaitGone(current);
          }
        });
  }

  /**
   * Puts a crash behind a step; it replaces the one that waits.
   *
   * @throws IllegalArgumentException saying what this lane's loop allows
   */
  public void arm(String after, @Nullable Integer record, @Nullable Integer batch) {
    CrashPoint point = CrashPoint.in(rule(), source.batchSize(), after, record, batch);
    command(
        () -> {
          trap.arm(point, isLive() ? batches() : 0);
          lab.history().record(Kind.ARMED, name(), row.life(), "a crash waits " + point.sentence());
        });
  }

  public void disarm() {
    command(
        () -> {
          if (trap.armed().isPresent()) {
            trap.disarm();
            lab.history().record(Kind.DISARMED, name(), row.life(), "no crash waits any more");
          }
        });
  }

  /**
   * What a replay would move; changes nothing.
   *
   * @throws IllegalArgumentException if the target does not exist
   */
  public Rewind.Plan preview(Rewind rewind) {
    hosted.check(rewind);
    int generation = row.generation() + (rewind.newGroup() ? 1 : 0);
    return rewind.plan(
        source.scope().group(name(), generation),
        committed(),
        group.offsets(OffsetSpec.earliest()),
        group.offsets(OffsetSpec.latest()),
        rewind.timestamp() == null
            ? Map.of()
            : group.offsets(OffsetSpec.forTimestamp(rewind.timestamp().toEpochMilli())));
  }

  /**
   * Moves the progress on purpose: stops the lane, empties the group, moves, reads back, and leaves
   * the lane as it was (a crashed one stopped).
   *
   * @throws IllegalArgumentException if the target does not exist; nothing has changed then
   * @throws LaneRefused if the group is not the lab's alone; nothing has moved then
   */
  public Rewind.Plan replay(Rewind rewind) {
    commands.lock();
    try {
      preview(rewind);
      if (!rewind.newGroup()) {
        group.refuseForeign(groupId(), instanceId());
      }
      LaneState before = row.state();
      long crashesBefore = row.crashes();
      doStop();
      try {
        if (!rewind.newGroup()) {
          group.empty(groupId(), instanceId());
        }
        // The stop may have moved the progress, so the plan is made anew, from where it stands now.
        Rewind.Plan plan = preview(rewind);
        move(plan, rewind.newGroup());
        lab.history().record(Kind.REPLAYED, name(), row.life(), sentence(plan, rewind.newGroup()));
        if (row.state() == LaneState.CRASHED) {
          change(row.in(LaneState.STOPPED, null));
        }
        return plan;
      } finally {
        // One that died of a crash that waited in its last batch is not brought back unasked.
        if (row.state() == LaneState.STOPPED
            && (before == LaneState.RUNNING || before == LaneState.PAUSED)
            && row.crashes() == crashesBefore) {
          begin(false);
          if (before == LaneState.PAUSED) {
            pause();
          }
        }
      }
    } finally {
      commands.unlock();
    }
  }

  /** What one can wait for. */
  public enum Condition {
    /** Running, nothing to read, nothing in hand. */
    DRAINED,
    CRASHED,
    STOPPED,
    RUNNING
  }

  /** Whether it is so now; for DRAINED the broker or the sink is asked. */
  public boolean is(Condition condition) {
    return switch (condition) {
      case CRASHED -> row.state() == LaneState.CRASHED;
      case STOPPED -> row.state() == LaneState.STOPPED;
      case RUNNING -> row.state() == LaneState.RUNNING && !joining;
      case DRAINED -> isDrained();
    };
  }

  /**
   * Ends the life without a word, as a reset does: what it would still do is of no interest to
   * anyone.
   */
  void discard() {
    commands.lock();
    try {
      Life current = life;
      if (current != null && isLive()) {
        lab.broker().cut(source.scope(), name(), current.number());
        current.die();
        awaitGone(current);
      }
      life = null;
      change(row.in(LaneState.STOPPED, null));
    } finally {
      commands.unlock();
    }
  }

  /**
   * Whether it was told to run and failed for want of its broker or sink, so that trying again may
   * help.
   */
  boolean wantsRetry() {
    return row.state() == LaneState.FAILED && retry;
  }

  // --- how it does it ---

  private volatile boolean retry;

  private interface Command {
    void run() throws InterruptedException;
  }

  private void command(Command command) {
    commands.lock();
    try {
      command.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LaneUnavailable("interrupted", e);
    } finally {
      commands.unlock();
    }
  }

  private void begin(boolean isRestart) {
    change(row.nextLife(isRestart));
    trap.newLife();
    joining = true;
    retry = false;
    try {
      Life next;
      try {
        next = hosted.life(new Birth(describe(), trap, lab.pace(), new Watching(), this::execute));
      } catch (SinkUnreachable e) {
        retry = true;
        change(
            row.in(LaneState.FAILED, "The sink does not answer; the lane tries again by itself."));
        throw new LaneUnavailable("The sink does not answer: " + e.getMessage(), e);
      } catch (BrokerUnavailable e) {
        retry = true;
        change(
            row.in(
                LaneState.FAILED, "The broker does not answer; the lane tries again by itself."));
        throw new LaneUnavailable("The broker does not answer: " + e.getMessage(), e);
      }
      life = next;
      lab.history()
          .record(Kind.STARTED, name(), next.number(), "life " + next.number() + " begins");
      if (!next.start() && !next.isOver()) {
        failed(
            next,
            "It did not get its partitions within "
                + Life.JOIN_TIMEOUT.toSeconds()
                + " s: the broker does not answer.",
            true);
        throw new LaneUnavailable(
            name() + " did not get its partitions: the broker does not answer",
            new IllegalStateException());
      }
      committed();
    } catch (LaneUnavailable e) {
      throw e;
    } catch (RuntimeException e) {
      Life broken = life;
      if (broken != null && broken.number() == row.life()) {
        failed(broken, "It could not start: " + e.getMessage(), true);
      } else {
        change(row.in(LaneState.FAILED, "It could not start: " + e.getMessage()));
      }
      throw new LaneUnavailable(name() + " could not start: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LaneUnavailable("interrupted while starting", e);
    } finally {
      joining = false;
    }
  }

  private LaneDescription describe() {
    return new LaneDescription(
        source.number(),
        name(),
        row.life(),
        lab.broker().laneBootstrapServers(),
        source.topic(),
        source.partitions(),
        source.batchSize(),
        groupId(),
        source.scope().client(name(), row.life()),
        instanceId());
  }

  private String instanceId() {
    return name();
  }

  private void doStop() {
    Life current = life;
    if (current == null || !isLive()) {
      return;
    }
    try {
      if (!current.stop()) {
        failed(current, "It did not come to an end in time and was cut off.", false);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LaneUnavailable("interrupted while stopping", e);
    }
    if (change(current, row.in(LaneState.STOPPED, null))) {
      lab.history().record(Kind.STOPPED, name(), current.number(), "stopped politely");
    }
  }

  private void doResume() throws InterruptedException {
    Life current = alive("resumed");
    current.resume();
    change(current, row.in(LaneState.RUNNING, null));
    lab.history().record(Kind.RESUMED, name(), row.life(), "reads again");
  }

  private Life alive(String participle) {
    Life current = life;
    if (current == null || !isLive()) {
      throw new LaneRefused(
          name()
              + " is "
              + row.state()
              + " and can only be "
              + participle
              + " while it runs: start it first");
    }
    return current;
  }

  /** The state once a death that is under way has been written down. */
  private LaneState settled() {
    synchronized (this) {
      return row.state();
    }
  }

  private boolean isLive() {
    return row.state() == LaneState.RUNNING || row.state() == LaneState.PAUSED;
  }

  /**
   * The lab's way to execute a lane: wait for what its client would have committed by now, then
   * cut, then let it unwind.
   */
  private void execute(Life victim, CrashPoint point) {
    AutoCommitShown.await(victim, rule(), point, this::committed, this::end);
    died(victim, point);
  }

  /** Cut off first, then dead. Returns false if this life was over already. */
  private boolean died(Life victim, @Nullable CrashPoint point) {
    synchronized (this) {
      if (victim.isOver() || life != victim) {
        return false;
      }
      lab.broker().cut(source.scope(), name(), victim.number());
      Now at = victim.now();
      victim.die();
      Instant when = lab.clock().instant();
      LaneRow dead =
          point == null
              ? row.died(null, null, null, when)
              : row.died(point.after().label(), point.record(), point.batch(), when);
      lab.history()
          .record(
              Kind.CRASHED,
              name(),
              victim.number(),
              at == null ? null : place(at),
              point == null ? "died at once" : "died " + point.sentence());
      change(dead);
      return true;
    }
  }

  /** Returns false if this life was over already. */
  private boolean failed(Life victim, String reason, boolean mayRetry) {
    synchronized (this) {
      if (victim.isOver() || life != victim) {
        return false;
      }
      lab.broker().cut(source.scope(), name(), victim.number());
      victim.die();
      retry = mayRetry;
      change(row.in(LaneState.FAILED, reason));
    }
    lab.history().record(Kind.FAILED, name(), victim.number(), reason);
    return true;
  }

  private static void awaitGone(Life victim) {
    try {
      victim.awaitGone(THREADS_GONE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void move(Rewind.Plan plan, boolean newGroup) {
    Map<Integer, Long> before = committed();
    Map<Integer, Long> to = new HashMap<>();
    plan.partitions().forEach(each -> to.put(each.partition(), each.to()));
    boolean back =
        to.entrySet().stream()
            .anyMatch(each -> each.getValue() < before.getOrDefault(each.getKey(), 0L));
    hosted.rewind(to);
    if (rule().keeper() != Rule.Keeper.SINK) {
      group.move(plan.group(), to);
    }
    change(row.replayed(row.generation() + (newGroup ? 1 : 0), back));
    Map<Integer, Long> readBack = committed();
    to.forEach(
        (partition, offset) -> {
          if (!offset.equals(readBack.get(partition))) {
            throw new LaneUnavailable(
                "partition "
                    + partition
                    + " stands at "
                    + readBack.get(partition)
                    + " after the replay, not at "
                    + offset,
                new IllegalStateException());
          }
        });
  }

  private static String sentence(Rewind.Plan plan, boolean newGroup) {
    StringBuilder text =
        new StringBuilder(newGroup ? "replay by the new group " + plan.group() : "replay");
    plan.partitions()
        .forEach(
            each ->
                text.append(", partition ")
                    .append(each.partition())
                    .append(" from ")
                    .append(each.from() == null ? "nothing" : each.from())
                    .append(" to ")
                    .append(each.to()));
    return text.toString();
  }

  private boolean isDrained() {
    if (row.state() != LaneState.RUNNING || joining) {
      return false;
    }
    Map<Integer, Long> end = end();
    Map<Integer, Long> committed = committed();
    return end.entrySet().stream()
            .allMatch(
                each ->
                    each.getValue() == 0 || each.getValue().equals(committed.get(each.getKey())))
        && inHand().isEmpty()
        && row.state() == LaneState.RUNNING;
  }

  private void change(LaneRow to) {
    synchronized (this) {
      row = to;
      lab.rows().save(to);
    }
  }

  /** Changes the state unless the life has ended meanwhile. */
  private boolean change(Life of, LaneRow to) {
    synchronized (this) {
      if (row.state() == LaneState.CRASHED
          || row.state() == LaneState.FAILED
          || row.state() == LaneState.FENCED
          || life != of) {
        return false;
      }
      change(to);
      return true;
    }
  }

  private static Place place(Now now) {
    return new Place(now.step().label(), now.batch(), now.record(), now.logRecord());
  }

  private final class Watching implements Life.Watcher {

    @Override
    public void stepDone(Life of, Now at) {
      InLog record = at.logRecord();
      lab.history()
          .record(
              Kind.STEP,
              name(),
              of.number(),
              place(at),
              record == null
                  ? at.step().label()
                  : at.step().label() + " " + at.record() + ": " + record.title());
    }

    @Override
    public void failed(Life of, Throwable cause) {
      if (ConsumerLife.isFencing(cause)) {
        synchronized (Lane.this) {
          if (Lane.this.failed(
              of, "Another instance with the same name has taken its place.", false)) {
            change(row.in(LaneState.FENCED, row.reason()));
          }
        }
      } else {
        Lane.this.failed(of, cause.getMessage() + why(cause), cause instanceof StepFailed);
      }
    }

    /** The lab's own words for it, where there are any; else those of whoever failed first. */
    private static String why(Throwable cause) {
      Throwable last = cause;
      while (last.getCause() != null) {
        last = last.getCause();
        if (last instanceof SinkUnreachable) {
          return ": " + last.getMessage() + " The lane tries again by itself.";
        }
      }
      return last == cause ? "" : ": " + last.getMessage();
    }
  }
}
