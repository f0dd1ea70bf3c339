package dev.deliverylab.sink;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.h2.engine.Session;
import org.h2.engine.SessionRemote;
import org.h2.jdbc.JdbcConnection;
import org.h2.value.Transfer;

/**
 * The sockets below a connection of H2's driver, which has no way of its own to break off: its
 * {@code abort} does nothing. A relay in between would do, and costs up to half of a lane's speed.
 * So the driver is looked into; the sink's tests fail if a newer one is built differently.
 */
final class H2Sockets {

  private static final String TRANSFERS = "transferList";

  private H2Sockets() {}

  static List<Socket> below(Connection connection) throws SQLException {
    Session session = connection.unwrap(JdbcConnection.class).getSession();
    List<Socket> sockets = new ArrayList<>();
    try {
      Field transfers = SessionRemote.class.getDeclaredField(TRANSFERS);
      transfers.setAccessible(true);
      for (Object transfer : (List<?>) transfers.get(session)) {
        sockets.add(((Transfer) transfer).getSocket());
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("This version of H2 keeps its sockets elsewhere", e);
    }
    if (sockets.isEmpty()) {
      throw new IllegalStateException("This version of H2 keeps its sockets elsewhere");
    }
    return List.copyOf(sockets);
  }

  static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException ignored) {
      // Closing a socket that is broken already has nothing to report.
    }
  }
}
