package dev.deliverylab.experiment;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.broker.Topics;
import dev.deliverylab.guarantee.Guarantee;
import dev.deliverylab.guarantee.Guarantees;
import dev.deliverylab.history.History;
import dev.deliverylab.lane.HostedGuarantee;
import dev.deliverylab.lane.Lane;
import dev.deliverylab.lane.Lanes;
import dev.deliverylab.lane.Source;
import dev.deliverylab.log.Load;
import dev.deliverylab.log.OrderLog;
import dev.deliverylab.log.OrderLogs;
import dev.deliverylab.log.StoredTruth;
import dev.deliverylab.sink.SinkTable;
import dev.deliverylab.sink.Sinks;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one current experiment and its successors. A command to a lane and the making of a new
 * experiment never overlap: the one waits for the other.
 */
public final class Experiments implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Experiments.class);

  private final ExperimentRows rows;
  private final Broker broker;
  private final Topics topics;
  private final OrderLogs logs;
  private final StoredTruth truth;
  private final Sinks sinks;
  private final Lanes lanes;
  private final History history;
  private final Load load;
  private final Clock clock;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);
  private final ExecutorService cleaner =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "cleaner");
            thread.setDaemon(true);
            return thread;
          });

  private volatile Experiment current;

  /** Opens the latest experiment as it was left, or a first one. */
  Experiments(
      ExperimentRows rows,
      Broker broker,
      Topics topics,
      OrderLogs logs,
      StoredTruth truth,
      Sinks sinks,
      Lanes lanes,
      History history,
      Load load,
      Clock clock) {
    this.rows = rows;
    this.broker = broker;
    this.topics = topics;
    this.logs = logs;
    this.truth = truth;
    this.sinks = sinks;
    this.lanes = lanes;
    this.history = history;
    this.load = load;
    this.clock = clock;
    this.current =
        rows.findFirstByOrderByIdDesc()
            .filter(row -> topics.topics().contains(broker.names().log(idOf(row))))
            .map(row -> open(row, logs.open(idOf(row))))
            .orElseGet(() -> fresh(Source.DEFAULT_PARTITIONS, Source.DEFAULT_BATCH_SIZE));
    cleanUp();
  }

  public Experiment current() {
    return current;
  }

  /**
   * Gives a command the current experiment, which stays the current one until the command is done.
   */
  public <T> T with(Function<Experiment, T> command) {
    lock.readLock().lock();
    try {
      return command.apply(current);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** The same for a command without an answer. */
  public void run(Consumer<Experiment> command) {
    with(
        experiment -> {
          command.accept(experiment);
          return experiment;
        });
  }

  /**
   * Ends the current experiment and its load and makes an empty one, its lanes stopped. What the
   * old one left at the broker and in the databases is removed in the background.
   *
   * @param partitions 1 to {@value Source#MAX_PARTITIONS}
   * @param batchSize most records of one poll, 1 to {@value Source#MAX_BATCH_SIZE}
   * @throws IllegalArgumentException saying what is allowed; nothing has changed then
   */
  public Experiment create(int partitions, int batchSize) {
    Source.check(partitions, batchSize);
    lock.writeLock().lock();
    try {
      load.stop();
      lanes.discard(current.lanes());
      current = fresh(partitions, batchSize);
      cleanUp();
      return current;
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Stops the lanes politely, so that they are found STOPPED. */
  @Override
  public void close() {
    cleaner.shutdown();
    Lanes.stopQuietly(current.lanes());
  }

  private Experiment fresh(int partitions, int batchSize) {
    ExperimentRow row = rows.save(new ExperimentRow(null, partitions, batchSize, clock.instant()));
    long id = idOf(row);
    // A data folder that was wiped counts from 1 again, and finds here what an earlier one left.
    remove(id);
    OrderLog log = logs.create(id, partitions);
    history.begin(
        "experiment " + id + ": " + partitions + " partition(s), batches of " + batchSize);
    return open(row, log);
  }

  private Experiment open(ExperimentRow row, OrderLog log) {
    long id = idOf(row);
    truth.open(id);
    Source source =
        new Source(
            String.valueOf(id),
            id,
            broker.names().experiment(id),
            log.topic(),
            row.partitions(),
            row.batchSize());
    List<Lane> opened = new ArrayList<>();
    for (Guarantee guarantee : Guarantees.all()) {
      SinkTable table = sinks.open(id, guarantee.rule().name(), guarantee.rule().shape());
      opened.add(lanes.open(source, new HostedGuarantee(guarantee, table)));
    }
    return new Experiment(
        id,
        row.partitions(),
        row.batchSize(),
        log,
        truth,
        new ProgressReader(broker, log.topic(), row.partitions()),
        opened);
  }

  /**
   * Removes in the background what other experiments left. It counts as a command: a next
   * experiment that came in between would look like a leftover.
   */
  private void cleanUp() {
    cleaner.execute(() -> run(experiment -> removeOthers(experiment.id())));
  }

  private void removeOthers(long keep) {
    try {
      String mine = broker.names().experiment(keep).prefix();
      topics.delete(topics.topics().stream().filter(name -> isLeft(name, mine)).toList());
      topics.deleteGroups(topics.groups().stream().filter(name -> isLeft(name, mine)).toList());
      sinks.experiments().headSet(keep).forEach(sinks::drop);
      truth.experiments().stream().filter(id -> id < keep).forEach(truth::drop);
    } catch (RuntimeException e) {
      LOG.warn(
          "What earlier experiments left is still there and is removed at the next start: {}",
          e.getMessage());
    }
  }

  /** The time room's topics are its own to remove. */
  private boolean isLeft(String name, String mine) {
    return broker.names().isOfAnExperiment(name) && !name.startsWith(mine);
  }

  private void remove(long id) {
    String its = broker.names().experiment(id).prefix();
    topics.delete(topics.topics().stream().filter(name -> name.startsWith(its)).toList());
    topics.deleteGroups(topics.groups().stream().filter(name -> name.startsWith(its)).toList());
    sinks.drop(id);
    truth.drop(id);
  }

  private static long idOf(ExperimentRow row) {
    return Objects.requireNonNull(row.id());
  }
}
