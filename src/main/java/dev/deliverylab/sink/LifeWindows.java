package dev.deliverylab.sink;

import static dev.deliverylab.sink.LifeSink.utc;

import dev.deliverylab.log.InLog;
import dev.deliverylab.log.Order;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Windows written through one connection: of a life, or of a new run. One thread writes at a time;
 * any thread may end it.
 */
final class LifeWindows implements WindowSink {

  private final LifeTransaction transaction;
  private final Connection connection;
  private final WindowSql sql;
  private final StoredOffsets offsets;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  LifeWindows(LifeTransaction transaction, WindowSql sql, StoredOffsets offsets) {
    this.transaction = transaction;
    this.connection = transaction.connection();
    this.sql = sql;
    this.offsets = offsets;
  }

  @Override
  public void begin() {
    transaction.begin();
  }

  @Override
  public void enter(LedgerRow row) {
    Order order = row.order();
    transaction.doing(
        "enter " + row.partition() + "@" + row.offset() + " into the ledger",
        () -> {
          PreparedStatement enter = statement(sql.enter());
          enter.setInt(1, row.partition());
          enter.setLong(2, row.offset());
          enter.setObject(3, utc(row.arrivalTime()));
          if (order == null) {
            enter.setNull(4, Types.NUMERIC);
            enter.setNull(5, Types.NUMERIC);
            enter.setNull(6, Types.TIMESTAMP_WITH_TIMEZONE);
            enter.setNull(7, Types.VARCHAR);
          } else {
            enter.setBigDecimal(4, new BigDecimal(order.orderId()));
            enter.setBigDecimal(5, order.amount());
            enter.setObject(6, utc(order.eventTime()));
            enter.setString(7, order.customer());
          }
          time(enter, 8, row.windowStart());
          time(enter, 9, row.windowEnd());
          time(enter, 10, row.watermark());
          enter.setString(11, row.fate().name());
          enter.setBoolean(12, row.fate().late());
          enter.executeUpdate();
        });
  }

  @Override
  public void count(
      Instant start, Instant end, BigDecimal amount, Duration lateness, boolean published) {
    transaction.doing(
        "count in a window",
        () -> {
          if (!counted(start, amount, lateness)) {
            open(start, end, amount, lateness, published ? 1 : 0, null);
          }
        });
  }

  @Override
  public void restate(
      Instant start,
      Instant end,
      BigDecimal amount,
      Duration lateness,
      Instant clock,
      boolean isFinal) {
    transaction.doing(
        "restate a window",
        () -> {
          if (counted(start, amount, lateness)) {
            PreparedStatement next = statement(sql.nextRevision());
            next.setObject(1, utc(start));
            next.executeUpdate();
          } else {
            open(start, end, amount, lateness, 1, isFinal ? clock : null);
          }
          PreparedStatement publish = statement(sql.publish());
          publish.setObject(1, utc(clock));
          publish.setObject(2, utc(start));
          publish.executeUpdate();
        });
  }

  private boolean counted(Instant start, BigDecimal amount, Duration lateness) throws SQLException {
    PreparedStatement count = statement(sql.count());
    count.setBigDecimal(1, amount);
    count.setLong(2, lateness.toMillis());
    count.setLong(3, lateness.toMillis());
    count.setObject(4, utc(start));
    return count.executeUpdate() == 1;
  }

  private void open(
      Instant start,
      Instant end,
      BigDecimal amount,
      Duration lateness,
      int revision,
      @Nullable Instant closedAt)
      throws SQLException {
    PreparedStatement open = statement(sql.open());
    open.setObject(1, utc(start));
    open.setObject(2, utc(end));
    open.setBigDecimal(3, amount);
    open.setLong(4, lateness.toMillis());
    open.setInt(5, revision);
    open.setBoolean(6, closedAt != null);
    time(open, 7, closedAt);
    open.executeUpdate();
  }

  @Override
  public void closeUpTo(Instant watermark, Instant clock) {
    transaction.doing(
        "close windows",
        () -> {
          for (String each : List.of(sql.publishOpen(), sql.close())) {
            PreparedStatement close = statement(each);
            close.setObject(1, utc(clock));
            close.setObject(2, utc(watermark));
            close.executeUpdate();
          }
        });
  }

  @Override
  public String state() {
    String[] state = {""};
    transaction.doing(
        "read its state",
        () -> {
          try (Statement read = connection.createStatement();
              ResultSet row = read.executeQuery(sql.readRun())) {
            row.next();
            state[0] = row.getString(3);
          }
        });
    return state[0];
  }

  @Override
  public void saveState(String state) {
    transaction.doing(
        "save its state",
        () -> {
          PreparedStatement save = statement(sql.saveState());
          save.setString(1, state);
          save.executeUpdate();
        });
  }

  @Override
  public void storeOffset(List<? extends InLog> batch) {
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

  private PreparedStatement statement(String text) throws SQLException {
    PreparedStatement known = prepared.get(text);
    if (known == null) {
      known = connection.prepareStatement(text);
      prepared.put(text, known);
    }
    return known;
  }

  private static void time(PreparedStatement statement, int parameter, @Nullable Instant time)
      throws SQLException {
    if (time == null) {
      statement.setNull(parameter, Types.TIMESTAMP_WITH_TIMEZONE);
    } else {
      statement.setObject(parameter, utc(time));
    }
  }
}
