package dev.deliverylab.sink;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The pooled connections of those who read a sink, or change it on purpose. Lanes do not use it.
 */
final class Pool {

  private static final int SIZE = 8;
  private static final int CONNECT_MILLIS = 3_000;
  private static final int VALID_SECONDS = 2;
  private static final long UNREACHABLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SinkAddress address;
  private final DataSource connections;
  private final JdbcClient client;
  private final TransactionTemplate transaction;
  private volatile long unreachableAt;
  private volatile @Nullable SinkUnreachable unreachable;

  Pool(SinkAddress address, DataSource connections) {
    this.address = address;
    this.connections = connections;
    this.client = JdbcClient.create(connections);
    this.transaction = new TransactionTemplate(new JdbcTransactionManager(connections));
  }

  /** Opens no connection yet: a database that is down now may be up when it is needed. */
  static HikariDataSource dataSource(SinkAddress address, String name) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setJdbcUrl(address.url());
    config.setUsername(address.user());
    config.setPassword(address.password());
    config.setMaximumPoolSize(SIZE);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(CONNECT_MILLIS);
    config.setInitializationFailTimeout(-1);
    return new HikariDataSource(config);
  }

  SinkAddress address() {
    return address;
  }

  boolean available() {
    try (Connection connection = connections.getConnection()) {
      return connection.isValid(VALID_SECONDS);
    } catch (SQLException down) {
      return false;
    }
  }

  /**
   * Asks once more only after a second when the database did not answer: a page has many questions,
   * and each would wait for its own answer.
   *
   * @throws SinkUnreachable when the database does not answer
   */
  <T> T use(Function<JdbcClient, T> work) {
    SinkUnreachable before = unreachable;
    if (before != null && System.nanoTime() - unreachableAt < UNREACHABLE_NANOS) {
      throw new SinkUnreachable(String.valueOf(before.getMessage()), before);
    }
    try {
      T answer = work.apply(client);
      unreachable = null;
      return answer;
    } catch (DataAccessException | TransactionException e) {
      RuntimeException plain = plain(e);
      if (plain instanceof SinkUnreachable now) {
        unreachableAt = System.nanoTime();
        unreachable = now;
      }
      throw plain;
    }
  }

  <T> T inTransaction(Function<JdbcClient, T> work) {
    return use(jdbc -> transaction.execute(status -> work.apply(jdbc)));
  }

  /** The same, with the connection that the transaction runs on. */
  <T> T inTransaction(BiFunction<JdbcClient, Connection, T> work) {
    return inTransaction(
        jdbc -> {
          Connection connection = DataSourceUtils.getConnection(connections);
          try {
            return work.apply(jdbc, connection);
          } finally {
            DataSourceUtils.releaseConnection(connection, connections);
          }
        });
  }

  private RuntimeException plain(RuntimeException e) {
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql
          && (sql instanceof java.sql.SQLTransientConnectionException
              || address.dialect().connectionLost(sql))) {
        return new SinkUnreachable("The sink's database does not answer: " + address + ".", e);
      }
    }
    return e;
  }
}
