package dev.deliverylab.sink;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Sinks in a SQL database. A table of its own lists what the lab created, and only that is ever
 * dropped: a name alone proves nothing, as {@code lab_1_x} may belong to a lab whose prefix is
 * {@code lab_1_}.
 */
final class SqlSinks implements Sinks {

  private static final Pattern PREFIX = Pattern.compile("[a-z][a-z0-9_]{0,23}");
  private static final Pattern LANE = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");

  /** PostgreSQL cuts longer names off in silence; the longest suffix is that of an index. */
  private static final int MAX_TABLE_NAME = 63 - "__changed".length();

  private final Pool pool;
  private final String prefix;
  private final Clock clock;
  private final Runnable onClose;
  private boolean prepared;

  /**
   * @throws IllegalArgumentException when the prefix is not one
   */
  SqlSinks(Pool pool, String prefix, Clock clock, Runnable onClose) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "The sink's prefix is a small letter and at most 23 more small letters, digits or _");
    }
    this.pool = pool;
    this.prefix = prefix;
    this.clock = clock;
    this.onClose = onClose;
  }

  static SqlSinks withOwnPool(SinkAddress address, String prefix, Clock clock) {
    HikariDataSource connections = Pool.dataSource(address, "sink");
    return new SqlSinks(new Pool(address, connections), prefix, clock, connections::close);
  }

  @Override
  public synchronized SinkTable open(long experiment, String lane, Shape shape) {
    TableSql sql = new TableSql(pool.address().dialect(), table(experiment, lane), shape);
    create(experiment, lane, shape, sql.table(), sql.create());
    return new SqlSinkTable(pool, sql, new StoredOffsets(prefix, experiment, lane), clock);
  }

  @Override
  public synchronized WindowTable openWindows(long log, String lane) {
    WindowSql sql = new WindowSql(table(log, lane));
    create(log, lane, Shape.WINDOWS, sql.table(), sql.create());
    return new SqlWindowTable(pool, sql, new StoredOffsets(prefix, log, lane));
  }

  private void create(
      long experiment, String lane, Shape shape, String table, List<String> statements) {
    pool.use(
        jdbc -> {
          prepare(jdbc);
          Optional<Known> known = known(jdbc, experiment, lane);
          if (known.isPresent() && known.get().shape() != shape) {
            throw new IllegalStateException(
                table + " is there as " + known.get().shape() + ", not as " + shape);
          }
          if (known.isEmpty()) {
            refuseForeign(jdbc, table);
            jdbc.sql("INSERT INTO " + tables() + " VALUES (?, ?, ?, FALSE)")
                .params(experiment, lane, shape.name())
                .update();
          }
          if (known.isEmpty() || !known.get().complete()) {
            // Each statement may be met half done by a process that died here before.
            statements.forEach(statement -> jdbc.sql(statement).update());
            jdbc.sql(
                    "UPDATE " + tables() + " SET complete = TRUE WHERE experiment = ? AND lane = ?")
                .params(experiment, lane)
                .update();
          }
          return shape;
        });
  }

  @Override
  public void drop(long experiment) {
    drop(experiment, false);
  }

  @Override
  public void dropWindows(long log) {
    drop(log, true);
  }

  private synchronized void drop(long experiment, boolean windows) {
    pool.use(
        jdbc -> {
          prepare(jdbc);
          for (Known known : knownOf(jdbc, experiment)) {
            if (windows != (known.shape() == Shape.WINDOWS)) {
              continue;
            }
            dropOf(table(experiment, known.lane()), known.shape())
                .forEach(statement -> jdbc.sql(statement).update());
            new StoredOffsets(prefix, experiment, known.lane()).forget(jdbc);
            // Last, so that a process that dies on the way finds the rest again.
            jdbc.sql("DELETE FROM " + tables() + " WHERE experiment = ? AND lane = ?")
                .params(experiment, known.lane())
                .update();
          }
          return experiment;
        });
  }

  private List<String> dropOf(String table, Shape shape) {
    return shape == Shape.WINDOWS
        ? new WindowSql(table).drop()
        : new TableSql(pool.address().dialect(), table, shape).drop();
  }

  @Override
  public SortedSet<Long> experiments() {
    return known("<>");
  }

  @Override
  public SortedSet<Long> windowLogs() {
    return known("=");
  }

  private synchronized SortedSet<Long> known(String comparedToWindows) {
    return pool.use(
        jdbc -> {
          prepare(jdbc);
          return new TreeSet<>(
              jdbc.sql(
                      "SELECT DISTINCT experiment FROM "
                          + tables()
                          + " WHERE shape "
                          + comparedToWindows
                          + " 'WINDOWS'")
                  .query(Long.class)
                  .list());
        });
  }

  @Override
  public SinkAddress address() {
    return pool.address();
  }

  @Override
  public boolean available() {
    return pool.available();
  }

  @Override
  public void close() {
    onClose.run();
  }

  private String tables() {
    return prefix + "tables";
  }

  private String table(long experiment, String lane) {
    if (experiment < 0 || !LANE.matcher(lane).matches()) {
      throw new IllegalArgumentException("Not an experiment's lane: " + experiment + ", " + lane);
    }
    String name = prefix + experiment + "_" + lane.replace('-', '_');
    if (name.length() > MAX_TABLE_NAME) {
      throw new IllegalArgumentException("Too long for a table's name: " + name);
    }
    return name;
  }

  /** Once a process, when first needed: the database may be down when the lab starts. */
  private void prepare(JdbcClient jdbc) {
    if (!prepared) {
      jdbc.sql(
              "CREATE TABLE IF NOT EXISTS "
                  + tables()
                  + " (experiment BIGINT, lane VARCHAR(64), shape VARCHAR(32) NOT NULL"
                  + ", complete BOOLEAN NOT NULL, PRIMARY KEY (experiment, lane))")
          .update();
      StoredOffsets.create(jdbc, prefix);
      prepared = true;
    }
  }

  private Optional<Known> known(JdbcClient jdbc, long experiment, String lane) {
    return knownOf(jdbc, experiment).stream().filter(all -> all.lane().equals(lane)).findFirst();
  }

  private List<Known> knownOf(JdbcClient jdbc, long experiment) {
    return jdbc.sql("SELECT lane, shape, complete FROM " + tables() + " WHERE experiment = ?")
        .param(experiment)
        .query(
            (row, number) ->
                new Known(row.getString(1), Shape.valueOf(row.getString(2)), row.getBoolean(3)))
        .list();
  }

  private static void refuseForeign(JdbcClient jdbc, String table) {
    long there =
        jdbc.sql(
                "SELECT COUNT(*) FROM information_schema.tables"
                    + " WHERE table_schema = CURRENT_SCHEMA AND table_name IN (?, ?)")
            .params(table, table.toUpperCase(Locale.ROOT))
            .query(Long.class)
            .single();
    if (there > 0) {
      throw new IllegalStateException(
          "There is a table " + table + " that the lab did not create. Choose another prefix.");
    }
  }

  private record Known(String lane, Shape shape, boolean complete) {}
}
