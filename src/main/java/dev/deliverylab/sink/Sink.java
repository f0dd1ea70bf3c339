package dev.deliverylab.sink;

import dev.deliverylab.log.LogRecord;
import java.util.List;

/**
 * A lane's own connection to its sink, for one life. A write is kept when the call returns, unless
 * a transaction was begun; then it is kept by {@link #commit}. A connection that breaks leaves
 * nothing of an open transaction.
 */
public interface Sink extends AutoCloseable {

  void append(LogRecord record);

  /** One row a key: a second write with the same key replaces the content and keeps the row. */
  void upsert(String key, LogRecord record);

  /**
   * Writes the row unless its event id is there; a known one is counted as recognised, in the same
   * statement.
   */
  void insertUnlessKnown(LogRecord record);

  /** Adds the amount to the balance of the order's account. */
  void add(LogRecord record);

  void begin();

  /** Writes the position behind this batch, in the open transaction. */
  void storeOffset(List<LogRecord> batch);

  void commit();

  /** Ends the connection politely: what a graceful stop does. A death cuts it instead. */
  @Override
  void close();
}
