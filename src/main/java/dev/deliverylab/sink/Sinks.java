package dev.deliverylab.sink;

import java.time.Clock;
import java.util.SortedSet;

/**
 * The database that holds every lane's sink: one table a lane and experiment, so that a new log
 * never meets old marks.
 */
public interface Sinks extends AutoCloseable {

  /**
   * Opens the sinks at an address with a pool of its own, as a lane in another process does.
   *
   * @param prefix what the names of all the lab's tables begin with
   * @param clock gives a row the time at which it was applied
   */
  static Sinks at(SinkAddress address, String prefix, Clock clock) {
    return SqlSinks.withOwnPool(address, prefix, clock);
  }

  /**
   * Creates the table if it is not there, and opens it for reading.
   *
   * @throws SinkUnreachable when the database does not answer
   */
  SinkTable open(long experiment, String lane, Shape shape);

  /**
   * Creates the tables of a window lane if they are not there, and opens them for reading. Time
   * logs count apart from experiments; their lanes have other names, so no tables meet.
   *
   * @throws SinkUnreachable when the database does not answer
   */
  WindowTable openWindows(long log, String lane);

  /** Drops all tables of a time log. */
  void dropWindows(long log);

  /** The time logs that have tables here. */
  SortedSet<Long> windowLogs();

  /**
   * Drops all tables of an experiment and forgets its stored offsets. Tables that the lab did not
   * create are never touched, whatever their name.
   */
  void drop(long experiment);

  /** The experiments that have tables here. */
  SortedSet<Long> experiments();

  /** Where the database is: what a lane in another process needs. */
  SinkAddress address();

  /** True when the database answers, asked within two seconds or so. */
  boolean available();

  /** Closes the readers' connections. Lives are closed or cut by those who opened them. */
  @Override
  void close();
}
