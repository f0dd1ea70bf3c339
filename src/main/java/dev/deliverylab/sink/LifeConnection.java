package dev.deliverylab.sink;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;

/** The connection of one life: its session in the database, and the way to cut it. */
final class LifeConnection {

  private static final Duration NOTICED_WITHIN = Duration.ofSeconds(10);
  private static final Duration ASK_EVERY = Duration.ofMillis(2);
  private static final String LOGIN_SECONDS = "5";

  private final Pool pool;
  private final String session;
  private final LifeTransaction transaction;

  private LifeConnection(Pool pool, String session, LifeTransaction transaction) {
    this.pool = pool;
    this.session = session;
    this.transaction = transaction;
  }

  static LifeConnection open(Pool pool, int life) {
    SinkAddress address = pool.address();
    try {
      Connection connection = DriverManager.getConnection(address.url(), login(address));
      try {
        Wire wire = address.dialect().wire(connection);
        String session = sessionOf(connection, address.dialect());
        return new LifeConnection(
            pool, session, new LifeTransaction(connection, wire, address.dialect(), life));
      } catch (SQLException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw new SinkUnreachable(
          "The sink's database does not let a lane in: " + address + ", " + e.getMessage(), e);
    }
  }

  LifeTransaction transaction() {
    return transaction;
  }

  /** Returns once the database has noticed. */
  void cut() {
    // The dying lane's own thread may call this, interrupted already; a pool gives no connection
    // to an interrupted thread.
    boolean interrupted = Thread.interrupted();
    try {
      transaction.die();
      long deadline = System.nanoTime() + NOTICED_WITHIN.toNanos();
      while (alive()) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException(
              "The database still holds the session of a lane that was cut off "
                  + NOTICED_WITHIN.toSeconds()
                  + " s ago.");
        }
        LockSupport.parkNanos(ASK_EVERY.toNanos());
        interrupted |= Thread.interrupted();
      }
      transaction.discard();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean alive() {
    String named = pool.address().dialect().sessionsNamed();
    return pool.use(jdbc -> jdbc.sql(named).param(session).query(Long.class).single()) > 0;
  }

  private static Properties login(SinkAddress address) {
    Properties login = new Properties();
    login.setProperty("user", address.user());
    login.setProperty("password", address.password());
    if (address.dialect() == Dialect.POSTGRESQL) {
      // A server that accepts and then says nothing must not hold a lane up for ever.
      login.setProperty("loginTimeout", LOGIN_SECONDS);
    }
    return login;
  }

  private static String sessionOf(Connection connection, Dialect dialect) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(dialect.session())) {
      answer.next();
      return answer.getString(1);
    }
  }
}
