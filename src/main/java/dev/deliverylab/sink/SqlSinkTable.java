package dev.deliverylab.sink;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.jdbc.core.RowMapper;

/** A sink's table, read through the pool. */
final class SqlSinkTable implements SinkTable {

  /** How many order ids one statement asks for. */
  private static final int CHUNK = 256;

  private static final RowMapper<SinkRow> ROW = SqlSinkTable::row;

  private final Pool pool;
  private final TableSql sql;
  private final StoredOffsets offsets;
  private final Clock clock;

  SqlSinkTable(Pool pool, TableSql sql, StoredOffsets offsets, Clock clock) {
    this.pool = pool;
    this.sql = sql;
    this.offsets = offsets;
    this.clock = clock;
  }

  @Override
  public Shape shape() {
    return sql.shape();
  }

  @Override
  public Connected connect(int life) {
    LifeConnection connection = LifeConnection.open(pool, life);
    LifeTransaction transaction = connection.transaction();
    try {
      return new Connection(connection, new LifeSink(transaction, sql, offsets, life, clock));
    } catch (SQLException e) {
      transaction.discard();
      throw new SinkUnreachable("The sink's database does not let a lane write: " + e, e);
    }
  }

  private record Connection(LifeConnection connection, Sink sink) implements Connected {

    @Override
    public void cut() {
      connection.cut();
    }
  }

  @Override
  public List<SinkRow> changedAfter(long change, int limit) {
    if (shape() == Shape.BALANCE) {
      return List.of();
    }
    return query(sql.changedAfter(), List.of(change, limit));
  }

  @Override
  public List<SinkRow> rowsOf(Collection<BigInteger> orderIds) {
    if (shape() == Shape.BALANCE || orderIds.isEmpty()) {
      return List.of();
    }
    List<BigDecimal> distinct = new HashSet<>(orderIds).stream().map(BigDecimal::new).toList();
    List<SinkRow> rows = new ArrayList<>();
    for (int from = 0; from < distinct.size(); from += CHUNK) {
      List<BigDecimal> chunk = distinct.subList(from, Math.min(distinct.size(), from + CHUNK));
      rows.addAll(query(sql.rowsOf(chunk.size()), chunk));
    }
    rows.sort(Comparator.comparingLong(SinkRow::row));
    return rows;
  }

  @Override
  public List<SinkRow> page(long afterRow, int limit, boolean deduplicated) {
    if (shape() == Shape.BALANCE) {
      return List.of();
    }
    if (deduplicated && shape() == Shape.DEDUPLICATED_ON_READ) {
      return pageOfView(afterRow, limit);
    }
    return query(sql.page(), List.of(afterRow, limit));
  }

  @Override
  public List<SinkRow> newest(int limit) {
    if (shape() == Shape.BALANCE) {
      return List.of();
    }
    List<SinkRow> rows = new ArrayList<>(query(sql.newest(), List.of(limit)));
    Collections.reverse(rows);
    return List.copyOf(rows);
  }

  /**
   * Goes through the table in stretches, as neither database stops a view early enough by itself.
   */
  private List<SinkRow> pageOfView(long afterRow, int limit) {
    List<SinkRow> rows = new ArrayList<>();
    long from = afterRow;
    while (rows.size() < limit) {
      long to = endOfStretch(from, limit);
      if (to == 0) {
        break;
      }
      rows.addAll(query(sql.viewBetween(), List.of(from, to)));
      from = to;
    }
    return List.copyOf(rows.subList(0, Math.min(limit, rows.size())));
  }

  private long endOfStretch(long from, int limit) {
    return pool.use(
        jdbc -> jdbc.sql(sql.endOfStretch()).params(from, limit).query(Long.class).single());
  }

  @Override
  public Map<String, BigDecimal> balances() {
    if (shape() != Shape.BALANCE) {
      return Map.of();
    }
    Map<String, BigDecimal> balances = new TreeMap<>();
    return pool.use(
        jdbc -> {
          jdbc.sql(sql.balances())
              .query(
                  row -> {
                    balances.put(row.getString(1), row.getBigDecimal(2));
                  });
          return balances;
        });
  }

  @Override
  public Map<Integer, Long> storedOffsets() {
    return pool.use(offsets::read);
  }

  @Override
  public void rewind(Map<Integer, Long> to) {
    pool.inTransaction(
        jdbc -> {
          to.forEach((partition, next) -> offsets.write(jdbc, partition, next));
          return to;
        });
  }

  private List<SinkRow> query(String statement, List<?> parameters) {
    return pool.use(jdbc -> jdbc.sql(statement).params(parameters).query(ROW).list());
  }

  private static SinkRow row(ResultSet row, int number) throws SQLException {
    return new SinkRow(
        row.getLong(1),
        row.getLong(2),
        row.getString(3),
        row.getBigDecimal(4).toBigIntegerExact(),
        row.getBigDecimal(5),
        instant(row, 6),
        row.getString(7),
        row.getInt(8),
        row.getLong(9),
        instant(row, 10),
        row.getInt(11),
        row.getInt(12));
  }

  private static Instant instant(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
