package dev.deliverylab.log;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.log.Classifier.Sums;
import dev.deliverylab.log.TruthTables.Stored;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The truth in the lab's database, kept up to date by a reader thread of its own. It answers for
 * the experiment opened last, also after {@link #close}; before the first it answers nothing.
 */
public final class StoredTruth implements Truth, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StoredTruth.class);

  private final TruthTables tables;
  private final Broker broker;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile @Nullable TruthReader reader;

  /**
   * Creates its tables if they are not there.
   *
   * @param database must have a committed transaction on disk when the commit returns
   */
  public StoredTruth(DataSource database, Broker broker) {
    this.tables = new TruthTables(database);
    this.broker = broker;
  }

  /**
   * Follows this experiment's log from where its truth was left, and leaves the one followed
   * before.
   */
  public synchronized void open(long experiment) {
    close();
    TruthReader next = new TruthReader(experiment, tables, broker, this::advanced);
    reader = next;
    next.start();
  }

  /** Stops following. What is stored can still be read. */
  @Override
  public synchronized void close() {
    TruthReader last = reader;
    if (last != null) {
      last.close();
    }
  }

  /**
   * To be run, on the reader's thread, each time it has stored something: quick, and no more than a
   * nudge.
   */
  public void onAdvance(Runnable listener) {
    listeners.add(listener);
  }

  private void advanced() {
    for (Runnable listener : listeners) {
      try {
        listener.run();
      } catch (RuntimeException e) {
        LOG.warn("A listener of the truth failed", e);
      }
    }
  }

  /**
   * Why the truth is not following just now; empty when it is. The numbers are old then, and
   * verdicts unknown.
   */
  public Optional<String> problem() {
    return Optional.ofNullable(reader().problem());
  }

  /** Records in the log that hold no order. They are in none of the totals. */
  public long unreadable() {
    return reader().stored().sums().unreadable();
  }

  /** The experiments whose truth is stored, oldest first. */
  public List<Long> experiments() {
    return tables.experiments();
  }

  /**
   * Forgets the truth of an earlier experiment.
   *
   * @throws IllegalArgumentException for the one that is open
   */
  public synchronized void drop(long experiment) {
    TruthReader last = reader;
    if (last != null && last.experiment() == experiment) {
      throw new IllegalArgumentException("experiment " + experiment + " is the current one");
    }
    tables.drop(experiment);
  }

  private TruthReader reader() {
    TruthReader last = reader;
    if (last == null) {
      throw new IllegalStateException("no experiment is open yet");
    }
    return last;
  }

  private long experiment() {
    return reader().experiment();
  }

  @Override
  public Totals totals() {
    Stored stored = reader().stored();
    Sums sums = stored.sums();
    return new Totals(
        sums.orders(),
        sums.total(),
        sums.records(),
        sums.resent(),
        sums.conflicts(),
        Map.copyOf(stored.positions()));
  }

  @Override
  public boolean await(Map<Integer, Long> positions, Duration timeout) {
    return reader().await(positions, timeout);
  }

  @Override
  public List<Entry> block(int block) {
    return tables.block(experiment(), block);
  }

  @Override
  public Map<BigInteger, Integer> blocksOf(Collection<BigInteger> orderIds) {
    return tables.blocksOf(experiment(), orderIds);
  }

  @Override
  public SortedSet<Integer> blocksIn(int partition, long from, long to) {
    return tables.blocksIn(experiment(), partition, from, to);
  }

  @Override
  public List<Entry> entries(int partition, long from, int limit) {
    return tables.entries(experiment(), partition, from, limit);
  }

  @Override
  public List<Entry> entriesOf(BigInteger orderId) {
    return tables.entriesOf(experiment(), orderId);
  }

  @Override
  public List<Entry> conflicts(int limit) {
    return tables.conflicts(experiment(), limit);
  }

  @Override
  public @Nullable BigInteger highestOrderId() {
    return reader().stored().sums().highest();
  }
}
