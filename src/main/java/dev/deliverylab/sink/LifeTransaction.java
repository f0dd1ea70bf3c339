package dev.deliverylab.sink;

import dev.deliverylab.log.InLog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of one life, with its transactions and its two ends. One thread writes at a time;
 * any thread may end it.
 */
final class LifeTransaction {

  private static final Logger log = LoggerFactory.getLogger(LifeTransaction.class);

  private final Connection connection;
  private final Wire wire;
  private final Dialect dialect;
  private final int life;
  private boolean begun;
  private volatile boolean over;

  LifeTransaction(Connection connection, Wire wire, Dialect dialect, int life) {
    this.connection = connection;
    this.wire = wire;
    this.dialect = dialect;
    this.life = life;
  }

  Connection connection() {
    return connection;
  }

  void begin() {
    doing(
        "begin a transaction",
        () -> {
          if (begun) {
            throw new IllegalStateException("A transaction is open already.");
          }
          connection.setAutoCommit(false);
          begun = true;
        });
  }

  void storeOffset(StoredOffsets offsets, Collection<? extends InLog> batch) {
    Map<Integer, Long> next = InLog.behind(batch);
    doing(
        "store the position",
        () -> {
          requireTransaction();
          for (Map.Entry<Integer, Long> position : next.entrySet()) {
            if (move(offsets, offsets.move(), position) == 0) {
              move(offsets, offsets.first(), position);
            }
          }
        });
  }

  private int move(StoredOffsets offsets, String statement, Map.Entry<Integer, Long> position)
      throws SQLException {
    try (PreparedStatement move = connection.prepareStatement(statement)) {
      move.setLong(1, position.getValue());
      move.setLong(2, offsets.experiment());
      move.setString(3, offsets.lane());
      move.setInt(4, position.getKey());
      return move.executeUpdate();
    }
  }

  void commit() {
    doing(
        "commit",
        () -> {
          requireTransaction();
          connection.commit();
          begun = false;
          connection.setAutoCommit(true);
        });
  }

  void close() {
    if (over) {
      return;
    }
    over = true;
    try {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
      connection.close();
    } catch (SQLException e) {
      log.warn("The sink's connection did not end politely: {}", e.getMessage());
    }
  }

  /** Cuts the wire. From now on every method throws, and {@link #close} does nothing. */
  void die() {
    over = true;
    wire.cut();
  }

  /** Gives back what the driver still holds on this side of a cut wire. */
  void discard() {
    try {
      connection.close();
    } catch (SQLException expected) {
      log.debug("A cut connection cannot say goodbye: {}", expected.getMessage());
    }
  }

  /**
   * @throws SinkUnreachable when the connection is over or the database went away
   * @throws IllegalStateException when the database refuses
   */
  void doing(String what, Act act) {
    if (over) {
      throw new SinkUnreachable("The sink's connection of life " + life + " is over.", null);
    }
    try {
      act.run();
    } catch (SQLException e) {
      if (over || dialect.connectionLost(e)) {
        throw new SinkUnreachable("The sink's database went away: could not " + what + ".", e);
      }
      throw new IllegalStateException("The sink refused to " + what + ": " + e.getMessage(), e);
    }
  }

  private void requireTransaction() {
    if (!begun) {
      throw new IllegalStateException("No transaction is open.");
    }
  }

  @FunctionalInterface
  interface Act {
    void run() throws SQLException;
  }
}
