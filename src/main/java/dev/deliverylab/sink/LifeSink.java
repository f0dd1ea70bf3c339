package dev.deliverylab.sink;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes for one life. */
final class LifeSink implements Sink {

  private static final Logger log = LoggerFactory.getLogger(LifeSink.class);
  private static final Set<Shape> APPENDING = Set.of(Shape.APPEND_ONLY, Shape.DEDUPLICATED_ON_READ);

  /**
   * Of two that race for one new key one wins at once, so eight rivals need at most eight tries.
   */
  private static final int TRIES = 10;

  private final LifeTransaction transaction;
  private final TableSql sql;
  private final StoredOffsets offsets;
  private final int life;
  private final Clock clock;
  private final PreparedStatement write;

  LifeSink(LifeTransaction transaction, TableSql sql, StoredOffsets offsets, int life, Clock clock)
      throws SQLException {
    this.transaction = transaction;
    this.sql = sql;
    this.offsets = offsets;
    this.life = life;
    this.clock = clock;
    this.write = transaction.connection().prepareStatement(sql.write());
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
    transaction.doing(
        "add to a balance",
        () -> {
          write.setString(1, order.customer() == null ? "all" : order.customer());
          write.setBigDecimal(2, order.amount());
          execute();
        });
  }

  @Override
  public void begin() {
    transaction.begin();
  }

  @Override
  public void storeOffset(List<LogRecord> batch) {
    transaction.storeOffset(offsets, batch);
  }

  @Override
  public void commit() {
    transaction.commit();
  }

  @Override
  public void close() {
    transaction.close();
  }

  private void writeRow(String key, LogRecord record) {
    Order order = record.order();
    transaction.doing(
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

  private void require(boolean fits, String write) {
    if (!fits) {
      throw new IllegalStateException(sql.shape() + " does not know " + write);
    }
  }

  static OffsetDateTime utc(Instant time) {
    return time.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }
}
