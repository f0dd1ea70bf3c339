package dev.deliverylab.time;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.broker.LabClients;
import dev.deliverylab.broker.Topics;
import dev.deliverylab.history.History;
import dev.deliverylab.lane.Lane;
import dev.deliverylab.lane.Lanes;
import dev.deliverylab.lane.Source;
import dev.deliverylab.sink.Sinks;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;

/**
 * The one current time log, its window lanes and its clock, and their successors. Nothing of it is
 * made before somebody asks for the first time.
 */
public final class TimeLab implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TimeLab.class);

  private final Broker broker;
  private final Topics topics;
  private final Sinks sinks;
  private final Lanes maker;
  private final History history;
  private final JdbcAggregateOperations database;
  private final Clock clock;
  private final AtomicLong version = new AtomicLong();
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);
  private @Nullable Producer<byte[], byte[]> producer;
  private volatile @Nullable WindowLanes current;
  private @Nullable Look look;

  TimeLab(
      Broker broker,
      Topics topics,
      Sinks sinks,
      Lanes lanes,
      History history,
      JdbcAggregateOperations database,
      Clock clock) {
    this.broker = broker;
    this.topics = topics;
    this.sinks = sinks;
    this.maker = lanes;
    this.history = history;
    this.database = database;
    this.clock = clock;
    history.onEvent(version::incrementAndGet);
  }

  /** Whether there is a window lane of this name. */
  public static boolean has(String lane) {
    return WindowLanes.NAMES.contains(lane);
  }

  /** Grows with everything that could change what is shown. */
  public long version() {
    return version.get();
  }

  /** Something changed that a page shows and the lab of time does not know of. */
  public void nudge() {
    version.incrementAndGet();
  }

  /** What happened to the window lanes. */
  public History history() {
    return history;
  }

  /** The current log and its lanes, made if there are none yet. */
  public WindowLanes current() {
    WindowLanes open = current;
    if (open != null) {
      return open;
    }
    lock.writeLock().lock();
    try {
      open = current;
      if (open == null) {
        open = openOrCreate();
        current = open;
      }
      return open;
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** The current log's lanes; none before anybody asked for them. */
  List<Lane> lanes() {
    WindowLanes open = current;
    return open == null ? List.of() : open.lanes();
  }

  /** Tries the lanes again that failed for want of their broker or sink. */
  void retry() {
    lock.readLock().lock();
    try {
      Lanes.retry(lanes());
    } finally {
      lock.readLock().unlock();
    }
  }

  private record Look(long version, TimeSnapshot snapshot) {}

  /** What is to be seen, looked at again only after a change; null before anybody asked for it. */
  synchronized @Nullable TimeSnapshot latest() {
    WindowLanes open = current;
    if (open == null) {
      return null;
    }
    long now = version();
    Look known = look;
    if (known == null || known.version() != now) {
      known = new Look(now, open.snapshot());
      look = known;
    }
    return known.snapshot();
  }

  /** Gives a command the current log, which stays the current one until the command is done. */
  public <T> T with(Function<WindowLanes, T> command) {
    current();
    lock.readLock().lock();
    try {
      return command.apply(current());
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Ends the current log and makes an empty one, with a virtual clock at full pace and its lanes
   * running.
   *
   * @param partitions 1 to {@value Source#MAX_PARTITIONS}
   * @param batchSize most records of one poll, 1 to {@value Source#MAX_BATCH_SIZE}
   * @throws IllegalArgumentException saying what is allowed; nothing has changed then
   */
  public WindowLanes reset(int partitions, int batchSize) {
    return reset(partitions, batchSize, true);
  }

  /** The same, with lanes that nobody has started yet. */
  public WindowLanes resetStopped(int partitions, int batchSize) {
    return reset(partitions, batchSize, false);
  }

  private WindowLanes reset(int partitions, int batchSize, boolean running) {
    Source.check(partitions, batchSize);
    lock.writeLock().lock();
    try {
      WindowLanes before = current;
      if (before != null) {
        before.close();
        maker.discard(before.lanes());
      }
      WindowLanes next = create(partitions, batchSize, running);
      current = next;
      version.incrementAndGet();
      return next;
    } finally {
      lock.writeLock().unlock();
    }
  }

  private WindowLanes openOrCreate() {
    return database.findAll(TimeLogRow.class).stream()
        .max(Comparator.comparing(TimeLab::idOf))
        .filter(row -> topics.topics().contains(broker.names().timeLog(idOf(row)).topic("events")))
        .map(this::open)
        .orElseGet(() -> create(Source.DEFAULT_PARTITIONS, Source.DEFAULT_BATCH_SIZE, true));
  }

  private WindowLanes create(int partitions, int batchSize, boolean running) {
    TimeLogRow row = database.insert(new TimeLogRow(null, partitions, batchSize, false));
    long id = idOf(row);
    removeOthers(id);
    TimeLog log = log(row);
    // A data folder that was wiped counts from 1 again, and finds here what an earlier one left.
    sinks.dropWindows(id);
    topics.create(log.topic(), partitions);
    history.begin("time log " + id + ": " + partitions + " partition(s), batches of " + batchSize);
    WindowLanes created = open(row);
    if (running) {
      created.startAll();
    }
    return created;
  }

  private WindowLanes open(TimeLogRow row) {
    return new WindowLanes(
        log(row),
        broker,
        sinks,
        maker,
        clock,
        row.wallClock(),
        wall -> database.update(row.onWallClock(wall)),
        version::incrementAndGet);
  }

  private TimeLog log(TimeLogRow row) {
    long id = idOf(row);
    return new TimeLog(
        id, broker.names().timeLog(id), row.partitions(), row.batchSize(), producer());
  }

  private void removeOthers(long keep) {
    try {
      topics.delete(
          topics.topics().stream().filter(name -> broker.names().isOfATimeLog(name)).toList());
      topics.deleteGroups(
          topics.groups().stream().filter(name -> broker.names().isOfATimeLog(name)).toList());
      sinks.windowLogs().forEach(sinks::dropWindows);
      database.findAll(TimeLogRow.class).stream()
          .filter(row -> idOf(row) < keep)
          .forEach(database::delete);
    } catch (RuntimeException e) {
      LOG.warn(
          "What earlier time logs left is still there and is removed at the next reset: {}",
          e.getMessage());
    }
  }

  private Producer<byte[], byte[]> producer() {
    Producer<byte[], byte[]> known = producer;
    if (known == null) {
      known = LabClients.appender(broker, "time-appender");
      producer = known;
    }
    return known;
  }

  /** Stops the lanes politely, so that they are found STOPPED. */
  @Override
  public void close() {
    WindowLanes open = current;
    if (open != null) {
      open.close();
      Lanes.stopQuietly(open.lanes());
    }
    Producer<byte[], byte[]> appender = producer;
    if (appender != null) {
      appender.close(Duration.ofSeconds(5));
    }
    history.close();
  }

  private static long idOf(TimeLogRow row) {
    return Objects.requireNonNull(row.id());
  }

  /** The window lanes, in the order in which they are shown. */
  public static List<String> names() {
    return WindowLanes.NAMES;
  }
}
