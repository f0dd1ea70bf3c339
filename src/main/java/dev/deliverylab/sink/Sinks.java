package dev.deliverylab.sink;

/**
 * The database that holds every lane's sink: one table a lane and experiment, so that a new log
 * never meets old marks.
 */
public interface Sinks {

  /** Creates the table if it is not there, and opens it for reading. */
  SinkTable open(long experiment, String lane, Shape shape);

  /** Drops all tables of an experiment. Tables outside the lab's prefix are never touched. */
  void drop(long experiment);
}
