package dev.deliverylab.log;

import dev.deliverylab.log.Classifier.First;
import dev.deliverylab.log.Classifier.Row;
import dev.deliverylab.log.Classifier.Sums;
import dev.deliverylab.log.Truth.Entry;
import dev.deliverylab.log.Truth.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The truth in the lab's own database. Each experiment has an entry table of its own, so a lookup
 * never meets another experiment's rows and dropping one costs the same however long it was; totals
 * and positions are shared tables.
 */
final class TruthTables {

  /** What is stored about one experiment besides its entries. */
  record Stored(Sums sums, Map<Integer, Long> positions) {}

  private static final String COLUMNS =
      "met, part, off, order_id, amount, event_time, customer, kind, ordinal";
  private static final RowMapper<Entry> ENTRY = (row, number) -> entry(row);

  private final JdbcTemplate jdbc;
  private final TransactionTemplate transaction;

  TruthTables(DataSource database) {
    this.jdbc = new JdbcTemplate(database);
    this.transaction = new TransactionTemplate(new JdbcTransactionManager(database));
    jdbc.execute(
        """
        CREATE TABLE IF NOT EXISTS truth_totals (
          experiment BIGINT PRIMARY KEY,
          orders BIGINT NOT NULL,
          total NUMERIC(40,2) NOT NULL,
          records BIGINT NOT NULL,
          resent BIGINT NOT NULL,
          conflicts BIGINT NOT NULL,
          unreadable BIGINT NOT NULL,
          highest_id NUMERIC(64,0))
        """);
    jdbc.execute(
        """
        CREATE TABLE IF NOT EXISTS truth_position (
          experiment BIGINT NOT NULL,
          part INT NOT NULL,
          next_offset BIGINT NOT NULL,
          PRIMARY KEY (experiment, part))
        """);
    // Conflicts are few among many entries; this finds them without a look at the rest.
    jdbc.execute(
        """
        CREATE TABLE IF NOT EXISTS truth_conflict (
          experiment BIGINT NOT NULL,
          met BIGINT NOT NULL,
          PRIMARY KEY (experiment, met))
        """);
  }

  private static String entries(long experiment) {
    return "truth_entry_" + experiment;
  }

  void create(long experiment) {
    String table = entries(experiment);
    jdbc.execute(
        """
        CREATE TABLE IF NOT EXISTS %s (
          met BIGINT PRIMARY KEY,
          part INT NOT NULL,
          off BIGINT NOT NULL,
          order_id NUMERIC(64,0) NOT NULL,
          amount NUMERIC(10,2) NOT NULL,
          event_time TIMESTAMP(6) WITH TIME ZONE NOT NULL,
          customer VARCHAR(%d),
          kind VARCHAR(8) NOT NULL,
          ordinal BIGINT NOT NULL)
        """
            .formatted(table, Order.MAX_CUSTOMER));
    jdbc.execute(
        "CREATE UNIQUE INDEX IF NOT EXISTS %s_place ON %s (part, off)".formatted(table, table));
    jdbc.execute(
        "CREATE INDEX IF NOT EXISTS %s_order ON %s (order_id, kind)".formatted(table, table));
    jdbc.execute("CREATE INDEX IF NOT EXISTS %s_ordinal ON %s (ordinal)".formatted(table, table));
    jdbc.update(
        """
        INSERT INTO truth_totals
        SELECT ?, 0, 0, 0, 0, 0, 0, NULL
        WHERE NOT EXISTS (SELECT 1 FROM truth_totals WHERE experiment = ?)
        """,
        experiment,
        experiment);
  }

  Stored load(long experiment) {
    Map<Integer, Long> positions = new TreeMap<>();
    jdbc.query(
        "SELECT part, next_offset FROM truth_position WHERE experiment = ?",
        row -> {
          positions.put(row.getInt(1), row.getLong(2));
        },
        experiment);
    List<Sums> sums =
        jdbc.query(
            "SELECT * FROM truth_totals WHERE experiment = ?", (row, n) -> sums(row), experiment);
    return new Stored(sums.isEmpty() ? Sums.NONE : sums.get(0), positions);
  }

  private static Sums sums(ResultSet row) throws SQLException {
    BigDecimal highest = row.getBigDecimal("highest_id");
    return new Sums(
        row.getLong("orders"),
        row.getBigDecimal("total"),
        row.getLong("records"),
        row.getLong("resent"),
        row.getLong("conflicts"),
        row.getLong("unreadable"),
        highest == null ? null : highest.toBigIntegerExact());
  }

  /** Stores a batch, the totals after it and the positions behind it, all or nothing. */
  Stored store(
      long experiment,
      Stored before,
      List<LogRecord> records,
      long unreadable,
      Map<Integer, Long> positions) {
    Classifier classifier = new Classifier(before.sums());
    transaction.executeWithoutResult(
        status -> {
          classifier.add(records, unreadable, ids -> firsts(experiment, ids));
          insert(experiment, classifier.rows());
          update(experiment, classifier.sums(), positions);
        });
    return new Stored(classifier.sums(), positions);
  }

  private void insert(long experiment, List<Row> rows) {
    if (rows.isEmpty()) {
      return; // a batch may hold nothing but a moved position
    }
    jdbc.batchUpdate(
        "INSERT INTO %s (%s) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
            .formatted(entries(experiment), COLUMNS),
        rows,
        rows.size(),
        TruthTables::fill);
    List<Object[]> conflicts =
        rows.stream()
            .filter(row -> row.kind() == Kind.CONFLICT)
            .map(row -> new Object[] {experiment, row.met()})
            .toList();
    if (!conflicts.isEmpty()) {
      jdbc.batchUpdate("INSERT INTO truth_conflict (experiment, met) VALUES (?, ?)", conflicts);
    }
  }

  private static void fill(PreparedStatement insert, Row row) throws SQLException {
    Order order = row.record().order();
    insert.setLong(1, row.met());
    insert.setInt(2, row.record().partition());
    insert.setLong(3, row.record().offset());
    insert.setBigDecimal(4, new BigDecimal(order.orderId()));
    insert.setBigDecimal(5, order.amount());
    insert.setObject(6, order.eventTime().atOffset(ZoneOffset.UTC));
    insert.setString(7, order.customer());
    insert.setString(8, row.kind().name());
    insert.setLong(9, row.ordinal());
  }

  private void update(long experiment, Sums sums, Map<Integer, Long> positions) {
    jdbc.update(
        """
        UPDATE truth_totals SET orders = ?, total = ?, records = ?, resent = ?, conflicts = ?,
          unreadable = ?, highest_id = ?
        WHERE experiment = ?
        """,
        sums.orders(),
        sums.total(),
        sums.records(),
        sums.resent(),
        sums.conflicts(),
        sums.unreadable(),
        sums.highest() == null ? null : new BigDecimal(sums.highest()),
        experiment);
    jdbc.batchUpdate(
        "MERGE INTO truth_position (experiment, part, next_offset) KEY (experiment, part)"
            + " VALUES (?, ?, ?)",
        positions.entrySet().stream()
            .map(position -> new Object[] {experiment, position.getKey(), position.getValue()})
            .toList());
  }

  private Map<BigInteger, First> firsts(long experiment, Collection<BigInteger> ids) {
    return byId(
        experiment,
        ids,
        COLUMNS,
        row -> new First(row.getLong("ordinal"), entry(row).record().order()));
  }

  Map<BigInteger, Integer> blocksOf(long experiment, Collection<BigInteger> ids) {
    return byId(experiment, ids, "ordinal", row -> block(row.getLong("ordinal")));
  }

  private interface Read<T> {
    T from(ResultSet row) throws SQLException;
  }

  /**
   * One prepared statement, asked once an id: H2 would use only the first column of the index for a
   * list of ids, and then read every copy of an order that was sent a million times.
   */
  private <T> Map<BigInteger, T> byId(
      long experiment, Collection<BigInteger> ids, String columns, Read<T> read) {
    Map<BigInteger, T> found = new HashMap<>();
    if (ids.isEmpty()) {
      return found;
    }
    String sql =
        "SELECT %s FROM %s WHERE order_id = ? AND kind = '%s'"
            .formatted(columns, entries(experiment), Kind.FIRST);
    jdbc.execute(
        (ConnectionCallback<Integer>)
            connection -> {
              try (PreparedStatement select = connection.prepareStatement(sql)) {
                for (BigInteger id : ids) {
                  select.setBigDecimal(1, new BigDecimal(id));
                  try (ResultSet row = select.executeQuery()) {
                    if (row.next()) {
                      found.put(id, read.from(row));
                    }
                  }
                }
              }
              return found.size();
            });
    return found;
  }

  List<Entry> block(long experiment, int block) {
    long first = (long) block * Truth.BLOCK;
    return select(
        experiment,
        "WHERE ordinal >= ? AND ordinal < ? ORDER BY ordinal, met",
        first,
        first + Truth.BLOCK);
  }

  SortedSet<Integer> blocksIn(long experiment, int partition, long from, long to) {
    return new TreeSet<>(
        jdbc.queryForList(
            "SELECT DISTINCT CAST(ordinal / %d AS INT) FROM %s WHERE part = ? AND off >= ? AND off < ?"
                .formatted(Truth.BLOCK, entries(experiment)),
            Integer.class,
            partition,
            from,
            to));
  }

  List<Entry> entries(long experiment, int partition, long from, int limit) {
    return select(
        experiment,
        "WHERE part = ? AND off >= ? ORDER BY part, off FETCH FIRST ? ROWS ONLY",
        partition,
        from,
        limit);
  }

  List<Entry> entriesOf(long experiment, BigInteger orderId) {
    return select(experiment, "WHERE order_id = ? ORDER BY met", new BigDecimal(orderId));
  }

  List<Entry> conflicts(long experiment, int limit) {
    return select(
        experiment,
        "WHERE met IN (SELECT c.met FROM truth_conflict c WHERE c.experiment = ?"
            + " ORDER BY c.met FETCH FIRST ? ROWS ONLY) ORDER BY met",
        experiment,
        limit);
  }

  private List<Entry> select(long experiment, String where, Object... values) {
    return jdbc.query(
        "SELECT %s FROM %s %s".formatted(COLUMNS, entries(experiment), where), ENTRY, values);
  }

  private static Entry entry(ResultSet row) throws SQLException {
    long ordinal = row.getLong("ordinal");
    Order order =
        new Order(
            row.getBigDecimal("order_id").toBigIntegerExact(),
            row.getBigDecimal("amount"),
            row.getObject("event_time", OffsetDateTime.class).toInstant(),
            row.getString("customer"));
    return new Entry(
        new LogRecord(row.getInt("part"), row.getLong("off"), order),
        Kind.valueOf(row.getString("kind")),
        ordinal,
        block(ordinal));
  }

  private static int block(long ordinal) {
    return Math.toIntExact(ordinal / Truth.BLOCK);
  }

  List<Long> experiments() {
    return jdbc.queryForList("SELECT experiment FROM truth_totals ORDER BY experiment", Long.class);
  }

  /**
   * The entries go first: if it dies in between, the experiment is still listed and can be dropped
   * again.
   */
  void drop(long experiment) {
    jdbc.execute("DROP TABLE IF EXISTS " + entries(experiment));
    transaction.executeWithoutResult(
        status -> {
          for (String table : List.of("truth_conflict", "truth_position", "truth_totals")) {
            jdbc.update("DELETE FROM " + table + " WHERE experiment = ?", experiment);
          }
        });
  }
}
