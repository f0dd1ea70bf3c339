package dev.deliverylab.time;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.broker.Topics;
import dev.deliverylab.guarantee.Rule;
import dev.deliverylab.lane.Birth;
import dev.deliverylab.lane.Life;
import dev.deliverylab.lane.Rewind;
import dev.deliverylab.sink.WindowBook;
import dev.deliverylab.sink.WindowSink;
import dev.deliverylab.sink.WindowTable;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The lane whose windows Kafka Streams counts, exactly-once. Its sink is two topics of each run;
 * counts, the engine's stores and the group's position are committed in one Kafka transaction a
 * batch.
 *
 * <p>Which run it is, and what that follows, is kept in the database, with a note once the run's
 * topics are there. A run begins on paper, by a replay; before its first life what earlier runs
 * left at the broker is removed. If the lab is killed between the two, the next life finds no note
 * and does it.
 */
final class StreamsLane implements Windowed {

  private static final LateRule RULE = LateRule.STREAMS_WINDOW;
  private static final String READY = "ready";
  private final TimeLog log;
  private final WindowTable runs;
  private final Broker broker;
  private final Topics topics;
  private final Runnable onChange;
  private volatile Policy policy;
  private @Nullable Policy wanted;
  private volatile @Nullable EngineOutput output;
  private volatile @Nullable StreamsLife life;

  /**
   * @param runs its windows stay empty: what counts is in the topics
   * @param onChange called when something was read from those
   */
  StreamsLane(TimeLog log, WindowTable runs, Broker broker, Runnable onChange) {
    this.log = log;
    this.runs = runs;
    this.broker = broker;
    this.topics = new Topics(broker);
    this.onChange = onChange;
    WindowBook.Run run = runs.run();
    this.policy = RULE.policy(run.policy());
    if (run.state().equals(READY)) {
      output = read(run.number());
    }
  }

  @Override
  public Rule rule() {
    return RULE.loop(policy.late());
  }

  @Override
  public LateRule lateRule() {
    return RULE;
  }

  @Override
  public Policy policy() {
    return policy;
  }

  @Override
  public synchronized void follow(@Nullable Policy next) {
    if (next != null) {
      RULE.check(next);
    }
    wanted = next;
  }

  @Override
  public WindowBook book() {
    EngineOutput current = output;
    return current == null
        ? new EngineBook(runs.run().number(), policy, log.partitions())
        : current.book();
  }

  @Override
  public @Nullable Long engineDropped() {
    StreamsLife current = life;
    return current == null || current.isOver() ? null : current.dropped();
  }

  @Override
  public void check(Rewind rewind) {
    if (rewind.to() != Rewind.Target.EARLIEST || rewind.partition() != null) {
      throw new IllegalArgumentException(
          RULE.label()
              + " can be replayed to \"earliest\" only, all partitions at once: Kafka Streams has no"
              + " way to take single records back out of its windows");
    }
  }

  /** Kept by the group, in the transaction of the output. */
  @Override
  public Map<Integer, Long> storedOffsets() {
    return Map.of();
  }

  @Override
  public synchronized void rewind(Map<Integer, Long> to) {
    close();
    Policy next = wanted == null ? policy : wanted;
    runs.beginRun(Map.of(), next.text(), sink -> lines -> {});
    policy = next;
  }

  @Override
  public synchronized Life life(Birth birth) {
    WindowBook.Run run = runs.run();
    if (!run.state().equals(READY)) {
      makeReady(run.number());
      note(birth.description().life());
    }
    if (output == null) {
      output = read(run.number());
    }
    StreamsLife next =
        new StreamsLife(birth.description(), birth.footsteps(), effect -> topology(run, effect));
    life = next;
    return next;
  }

  private org.apache.kafka.streams.Topology topology(
      WindowBook.Run run, Predicate<TimeRecord> effect) {
    return new WindowTopology(policy, effect)
        .reading(log.topic(), results(run.number()), late(run.number()));
  }

  /** Groups, changelogs and output of earlier runs go; the topics of this one come. */
  private void makeReady(int run) {
    String mine = log.scope().topic(RULE.label());
    topics.deleteGroups(topics.groups().stream().filter(name -> name.startsWith(mine)).toList());
    topics.delete(topics.topics().stream().filter(name -> name.startsWith(mine)).toList());
    topics.create(results(run), log.partitions());
    topics.create(late(run), 1);
  }

  private void note(int life) {
    try (WindowSink sink = runs.connect(life).sink()) {
      sink.begin();
      sink.saveState(READY);
      sink.commit();
    }
  }

  private EngineOutput read(int run) {
    return new EngineOutput(
        broker,
        results(run),
        late(run),
        log.partitions(),
        new EngineBook(run, policy, log.partitions()),
        onChange);
  }

  private String results(int run) {
    return log.scope().topic(RULE.label() + ".results-" + run);
  }

  private String late(int run) {
    return log.scope().topic(RULE.label() + ".late-" + run);
  }

  @Override
  public void close() {
    EngineOutput current = output;
    if (current != null) {
      current.close();
    }
    output = null;
  }
}
