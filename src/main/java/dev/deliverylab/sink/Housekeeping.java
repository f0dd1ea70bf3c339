package dev.deliverylab.sink;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps H2's file small. H2 does this itself on the thread that also writes delayed commits, and
 * without a write delay it has no such thread: each effect then leaves some 2 KB behind for good.
 *
 * <p>The store offers to shorten its file at once, too, but not beside writers: with lanes at work
 * an assertion inside it failed and closed the database. So room that was given back is used again,
 * and the file gets shorter when the lab stops.
 */
final class Housekeeping implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);
  private static final long EVERY_MILLIS = 500;
  private static final long SMALL_ENOUGH_BYTES = 16L << 20;

  /** Below this share of live data, in percent, a part of the file is written anew. */
  private static final int FILL_RATE = 50;

  /** What is written anew at a time: lanes wait meanwhile. */
  private static final int STRETCH_BYTES = 4 << 20;

  private static final long CLOSE_SECONDS = 30;

  private final MVStore store;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread made = new Thread(work, "h2-housekeeping");
            made.setDaemon(true);
            return made;
          });

  private Housekeeping(MVStore store) {
    this.store = store;
  }

  /** Looks after the database behind a connection that is not a remote one. */
  static Housekeeping of(Connection embedded) throws SQLException {
    SessionLocal session = (SessionLocal) embedded.unwrap(JdbcConnection.class).getSession();
    Housekeeping started = new Housekeeping(session.getDatabase().getStore().getMvStore());
    Future<?> unused =
        started.thread.scheduleWithFixedDelay(
            started::tidy, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    return started;
  }

  private void tidy() {
    try {
      if (store.getFileStore().size() > SMALL_ENOUGH_BYTES
          && store.getFileStore().getChunksFillRate() < FILL_RATE) {
        store.compact(FILL_RATE, STRETCH_BYTES);
      }
    } catch (MVStoreException e) {
      // A full disk, say. Lanes meet it too and say so; here the next turn tries again.
      log.warn("The database file could not be tidied: {}", e.getMessage());
    }
  }

  /** Waits for a turn that is under way: to interrupt it would close the file. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        log.warn("The database file is still being tidied");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
