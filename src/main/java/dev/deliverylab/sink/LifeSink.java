package dev.deliverylab.sink;

import dev.deliverylab.log.InLog;
import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes for one life. One thread writes at a time; any thread may end it. */
final class LifeSink implements Sink {

  private static final Logger log = LoggerFactory.getLogger(LifeSink.class);
  private static final Set<Shape> APPENDING = Set.of(Shape.APPEND_ONLY, Shape.DEDUPLICATED_ON_READ);

  /**
   * Of two that race for one new key one wins at once, so eight rivals need at most eight tries.
   */
  private static final int TRIES = 10;

  private final Connection connection;
  private final Wire wire;
  private final TableSql sql;
  private final StoredOffsets offsets;
  private final int life;
  private final Clock clock;
  private final PreparedStatement write;
  private boolean begun;
  private volatile boolean over;

  LifeSink(
      Connection connection, Wire wire, TableSql sql, StoredOffsets offsets, int life, Clock clock)
      throws SQLException {
    this.connection = connection;
    this.wire = wire;
    this.sql = sql;
    this.offsets = offsets;
    this.life = life;
    this.clock = clock;
    this.write = connection.prepareStatement(sql.write());
  }

  @Override
  public void append(LogRecord record) {
    require(APPENDING.contains(sql.shape()), "append");
    writeRow(record.order().eventId(), record);
  }

  @Override
  public void upsert(String key, LogRecord record) {
    require(sql.shape() == Shape.KEYED, "upsert");
    writeRow(key, record);
  }

  @Override
  public void insertUnlessKnown(LogRecord record) {
    require(sql.shape() == Shape.FIRST_WINS, "insertUnlessKnown");
    writeRow(record.order().eventId(), record);
  }

  @Override
  public void add(LogRecord record) {
    require(sql.shape() == Shape.BALANCE, "add");
    Order order = record.order();
    doing(
        "add to a balance",
        () -> {
          write.setString(1, order.customer() == null ? "all" : order.customer());
          write.setBigDecimal(2, order.amount());
          execute();
        });
  }

  @Override
  public void begin() {
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

  @Override
  public void storeOffset(List<LogRecord> batch) {
    Map<Integer, Long> next = InLog.behind(batch);
    doing(
        "store the position",
        () -> {
          requireTransaction();
          for (Map.Entry<Integer, Long> position : next.entrySet()) {
            if (moveOffset(offsets.move(), position) == 0) {
              moveOffset(offsets.first(), position);
            }
          }
        });
  }

  private int moveOffset(String statement, Map.Entry<Integer, Long> position) throws SQLException {
    try (PreparedStatement move = connection.prepareStatement(statement)) {
      move.setLong(1, position.getValue());
      move.setLong(2, offsets.experiment());
      move.setString(3, offsets.lane());
      move.setInt(4, position.getKey());
      return move.executeUpdate();
    }
  }

  @Override
  public void commit() {
    doing(
        "commit",
        () -> {
          requireTransaction();
          connection.commit();
          begun = false;
          connection.setAutoCommit(true);
        });
  }

  @Override
  public void close() {
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

  private void writeRow(String key, LogRecord record) {
    Order order = record.order();
    doing(
        "write a row",
        () -> {
          write.setString(1, key);
          write.setBigDecimal(2, new BigDecimal(order.orderId()));
          write.setBigDecimal(3, order.amount());
          write.setObject(4, utc(order.eventTime()));
          write.setString(5, order.customer());
          write.setInt(6, record.partition());
          write.setLong(7, record.offset());
          write.setObject(8, utc(clock.instant()));
          write.setInt(9, life);
          execute();
        });
  }

  /** Another connection may take a new key between H2's look and its insert. Then it is known. */
  private void execute() throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        write.executeUpdate();
        return;
      } catch (SQLException e) {
        if (attempt == TRIES || !sql.dialect().lostRace(e)) {
          throw e;
        }
        log.info("{}: another connection was faster, try {} follows", sql.table(), attempt + 1);
      }
    }
  }

  private void doing(String what, Act act) {
    if (over) {
      throw new SinkUnreachable("The sink's connection of life " + life + " is over.", null);
    }
    try {
      act.run();
    } catch (SQLException e) {
      if (over || sql.dialect().connectionLost(e)) {
        throw new SinkUnreachable("The sink's database went away: could not " + what + ".", e);
      }
      throw new IllegalStateException("The sink refused to " + what + ": " + e.getMessage(), e);
    }
  }

  private void require(boolean fits, String write) {
    if (!fits) {
      throw new IllegalStateException(sql.shape() + " does not know " + write);
    }
  }

  private void requireTransaction() {
    if (!begun) {
      throw new IllegalStateException("No transaction is open.");
    }
  }

  private static OffsetDateTime utc(Instant time) {
    return time.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  @FunctionalInterface
  private interface Act {
    void run() throws SQLException;
  }
}
