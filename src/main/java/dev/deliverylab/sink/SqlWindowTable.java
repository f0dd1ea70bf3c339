package dev.deliverylab.sink;

import dev.deliverylab.log.Order;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A window lane's tables, read through the pool. */
final class SqlWindowTable implements WindowTable {

  private static final int PAGE = 1_000;
  private static final RowMapper<LedgerRow> LINE = (row, number) -> line(row);

  private final Pool pool;
  private final WindowSql sql;
  private final StoredOffsets offsets;

  SqlWindowTable(Pool pool, WindowSql sql, StoredOffsets offsets) {
    this.pool = pool;
    this.sql = sql;
    this.offsets = offsets;
    pool.inTransaction(
        jdbc -> {
          if (jdbc.sql(sql.readRun()).query(this::run).list().isEmpty()) {
            jdbc.sql(sql.firstRun()).update();
          }
          return sql;
        });
  }

  private Run run(ResultSet row, int number) throws SQLException {
    return new Run(row.getInt(1), row.getString(2), row.getString(3));
  }

  @Override
  public Connected connect(int life) {
    LifeConnection connection = LifeConnection.open(pool, life);
    return new Life(connection, new LifeWindows(connection.transaction(), sql, offsets));
  }

  private record Life(LifeConnection connection, WindowSink sink) implements Connected {

    @Override
    public void cut() {
      connection.cut();
    }
  }

  @Override
  public List<WindowRow> windows(Instant after, int limit) {
    return pool.use(
        jdbc ->
            jdbc.sql(sql.windows())
                .params(LifeSink.utc(after), limit)
                .query((row, number) -> window(row))
                .list());
  }

  @Override
  public List<LedgerRow> late(long afterSeq, int limit) {
    return lines(sql.late(), afterSeq, limit);
  }

  @Override
  public List<LedgerRow> ledger(long afterSeq, int limit) {
    return lines(sql.lines(), afterSeq, limit);
  }

  private List<LedgerRow> lines(String statement, long afterSeq, int limit) {
    return pool.use(jdbc -> lines(jdbc, statement, afterSeq, limit));
  }

  private static List<LedgerRow> lines(
      JdbcClient jdbc, String statement, long afterSeq, int limit) {
    return jdbc.sql(statement).params(afterSeq, limit).query(LINE).list();
  }

  @Override
  public List<Revision> revisions(Instant afterWindow, int limit) {
    return pool.use(
        jdbc ->
            jdbc.sql(sql.published())
                .params(LifeSink.utc(afterWindow), limit)
                .query(
                    (row, number) ->
                        new Revision(
                            time(row, 1),
                            row.getInt(2),
                            row.getLong(3),
                            row.getBigDecimal(4),
                            time(row, 5)))
                .list());
  }

  @Override
  public Totals totals() {
    return pool.use(
        jdbc ->
            jdbc.sql(sql.totals())
                .query(
                    (row, number) ->
                        new Totals(
                            row.getLong(1),
                            row.getLong(2),
                            money(row.getBigDecimal(3)),
                            money(row.getBigDecimal(4)),
                            wholeOrNull(row.getBigDecimal(5))))
                .single());
  }

  @Override
  public Ledger sums(long afterSeq) {
    Map<Fate, Sum> byFate = new EnumMap<>(Fate.class);
    long[] upTo = {afterSeq};
    pool.use(
        jdbc -> {
          jdbc.sql(sql.sums())
              .param(afterSeq)
              .query(
                  row -> {
                    byFate.put(
                        Fate.valueOf(row.getString(1)),
                        new Sum(row.getLong(2), money(row.getBigDecimal(3))));
                    upTo[0] = Math.max(upTo[0], row.getLong(4));
                  });
          return byFate;
        });
    return new Ledger(upTo[0], Map.copyOf(byFate));
  }

  @Override
  public Run run() {
    return pool.use(jdbc -> jdbc.sql(sql.readRun()).query(this::run).single());
  }

  @Override
  public Map<Integer, Long> storedOffsets() {
    return pool.use(offsets::read);
  }

  @Override
  public void beginRun(
      Map<Integer, Long> to,
      String policy,
      Function<WindowSink, Consumer<List<LedgerRow>>> refold) {
    pool.inTransaction(
        (jdbc, connection) -> {
          Run before = jdbc.sql(sql.readRun()).query(this::run).single();
          to.forEach(
              (partition, next) -> {
                jdbc.sql(sql.forget()).params(partition, next).update();
                offsets.write(jdbc, partition, next);
              });
          sql.putAside().forEach(statement -> jdbc.sql(statement).update());
          jdbc.sql(sql.moveRun()).params(before.number() + 1, policy).update();
          refold(jdbc, connection, refold);
          jdbc.sql(sql.clearKept()).update();
          return before;
        });
  }

  private void refold(
      JdbcClient jdbc,
      Connection connection,
      Function<WindowSink, Consumer<List<LedgerRow>>> refold) {
    Consumer<List<LedgerRow>> counting =
        refold.apply(
            new LifeWindows(
                new LifeTransaction(connection, () -> {}, pool.address().dialect(), 0),
                sql,
                offsets));
    long after = 0;
    List<LedgerRow> page = lines(jdbc, sql.keptLines(), after, PAGE);
    while (!page.isEmpty()) {
      counting.accept(page);
      after = page.get(page.size() - 1).seq();
      page = lines(jdbc, sql.keptLines(), after, PAGE);
    }
  }

  private static WindowRow window(ResultSet row) throws SQLException {
    return new WindowRow(
        time(row, 1),
        time(row, 2),
        row.getLong(3),
        money(row.getBigDecimal(4)),
        Duration.ofMillis(row.getLong(5)),
        row.getInt(6),
        row.getBoolean(7),
        timeOrNull(row, 8));
  }

  private static LedgerRow line(ResultSet row) throws SQLException {
    BigDecimal orderId = row.getBigDecimal(5);
    Order order =
        orderId == null
            ? null
            : new Order(
                orderId.toBigIntegerExact(), row.getBigDecimal(6), time(row, 7), row.getString(8));
    return new LedgerRow(
        row.getLong(1),
        row.getInt(2),
        row.getLong(3),
        time(row, 4),
        order,
        timeOrNull(row, 9),
        timeOrNull(row, 10),
        timeOrNull(row, 11),
        Fate.valueOf(row.getString(12)));
  }

  /** A sum of nothing comes without decimals. */
  private static BigDecimal money(BigDecimal sum) {
    return sum.setScale(2);
  }

  private static @Nullable Long wholeOrNull(@Nullable BigDecimal number) {
    return number == null ? null : number.longValue();
  }

  private static Instant time(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static @Nullable Instant timeOrNull(ResultSet row, int column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
