package dev.deliverylab.sink;

import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The two databases that a sink can live in, and where their SQL parts ways. */
enum Dialect {
  H2 {
    @Override
    Wire wire(Connection connection) throws SQLException {
      List<Socket> sockets = H2Sockets.below(connection);
      return () -> sockets.forEach(H2Sockets::close);
    }

    @Override
    String session() {
      return "SELECT CAST(SESSION_ID() AS VARCHAR)";
    }

    @Override
    String sessionsNamed() {
      return "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS"
          + " WHERE CAST(SESSION_ID AS VARCHAR) = ?";
    }

    @Override
    String next(String sequence) {
      return "NEXT VALUE FOR " + sequence;
    }

    @Override
    String insertOr(String table, String key, String columns, int count, String onKnown) {
      // H2 has no ON CONFLICT DO UPDATE. Numbered parameters spare it a second binding.
      StringBuilder values = new StringBuilder("?1");
      for (int i = 2; i <= count; i++) {
        values.append(", ?").append(i);
      }
      return ("MERGE INTO " + table + " t USING (SELECT CAST(?1 AS VARCHAR) AS k) s")
          + (" ON t." + key + " = s.k WHEN MATCHED THEN UPDATE SET " + onKnown)
          + (" WHEN NOT MATCHED THEN INSERT (" + columns + ") VALUES (" + values + ")");
    }

    @Override
    String given(int parameter, String column) {
      return "?" + parameter;
    }

    @Override
    boolean lostRace(SQLException e) {
      // A unique key taken between MERGE's look and its insert; the same seen as a concurrent
      // update; a deadlock that H2 resolved against us.
      return e.getErrorCode() == 23505 || e.getErrorCode() == 90131 || e.getErrorCode() == 40001;
    }

    @Override
    boolean connectionLost(SQLException e) {
      // Connection broken, object closed, database closed, database shut down with the process.
      int code = e.getErrorCode();
      return code == 90067 || code == 90007 || code == 90098 || code == 90121;
    }
  },

  POSTGRESQL {
    @Override
    Wire wire(Connection connection) {
      // This driver's abort closes the socket and sends nothing.
      return () -> {
        try {
          connection.abort(Runnable::run);
        } catch (SQLException e) {
          throw new IllegalStateException("The connection could not be cut: " + e.getMessage(), e);
        }
      };
    }

    @Override
    String session() {
      return "SELECT pid || ' ' || backend_start FROM pg_stat_activity"
          + " WHERE pid = pg_backend_pid()";
    }

    @Override
    String sessionsNamed() {
      return "SELECT COUNT(*) FROM pg_stat_activity WHERE pid || ' ' || backend_start = ?";
    }

    @Override
    String next(String sequence) {
      return "nextval('" + sequence + "')";
    }

    @Override
    String insertOr(String table, String key, String columns, int count, String onKnown) {
      return ("INSERT INTO " + table + " AS t (" + columns + ") VALUES (?")
          + ", ?".repeat(count - 1)
          + (") ON CONFLICT (" + key + ") DO UPDATE SET " + onKnown);
    }

    @Override
    String given(int parameter, String column) {
      return "EXCLUDED." + column;
    }

    @Override
    boolean lostRace(SQLException e) {
      // ON CONFLICT waits for the other writer instead of failing.
      return false;
    }

    @Override
    boolean connectionLost(SQLException e) {
      String state = e.getSQLState();
      return state != null && (state.startsWith("08") || state.startsWith("57P0"));
    }
  };

  /** What is below an open connection of this database's driver. */
  abstract Wire wire(Connection connection) throws SQLException;

  /** Names the session of the connection that asks, for ever: the name is not given again. */
  abstract String session();

  /** Counts the living sessions of a name. */
  abstract String sessionsNamed();

  abstract String next(String sequence);

  /** One statement that inserts a row, or does {@code onKnown} to the row with the same key. */
  abstract String insertOr(String table, String key, String columns, int count, String onKnown);

  /** The value given for a column, as {@code onKnown} may name it. */
  abstract String given(int parameter, String column);

  /** True when another connection was faster, so that the same statement may succeed now. */
  abstract boolean lostRace(SQLException e);

  abstract boolean connectionLost(SQLException e);
}
