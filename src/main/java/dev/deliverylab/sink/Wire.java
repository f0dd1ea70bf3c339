package dev.deliverylab.sink;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * The wire between one life of a lane and its database: a relay on the loopback that forwards bytes
 * both ways. A driver says goodbye when its connection is closed, and a killed process does not. So
 * a death severs the wire instead: both sockets close, and no later byte of that life can reach the
 * database.
 */
final class Wire implements AutoCloseable {

  private static final int CONNECT_MILLIS = 3_000;
  private static final int BUFFER = 16 * 1024;

  /** A driver opens one connection, and a second one only to cancel a statement. */
  private static final int MAX_CONNECTIONS = 4;

  private final ServerSocket listener;
  private final InetSocketAddress target;
  private final List<Socket> sockets = new ArrayList<>();
  private boolean severed;

  private Wire(ServerSocket listener, InetSocketAddress target) {
    this.listener = listener;
    this.target = target;
  }

  static Wire to(String host, int port) throws IOException {
    ServerSocket listener =
        new ServerSocket(0, MAX_CONNECTIONS, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    Wire wire = new Wire(listener, new InetSocketAddress(host, port));
    daemon("wire-" + listener.getLocalPort(), wire::accept);
    return wire;
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Severs it. Nothing more gets through in either direction once this returns. */
  @Override
  public void close() {
    List<Socket> open;
    synchronized (sockets) {
      severed = true;
      open = List.copyOf(sockets);
      sockets.clear();
    }
    closeQuietly(listener);
    open.forEach(Wire::closeQuietly);
  }

  private void accept() {
    while (true) {
      Socket client;
      try {
        client = listener.accept();
      } catch (IOException closed) {
        return;
      }
      Socket database = new Socket();
      if (!keep(client, database)) {
        closeBoth(client, database);
        continue;
      }
      try {
        client.setTcpNoDelay(true);
        database.setTcpNoDelay(true);
        database.connect(target, CONNECT_MILLIS);
        String name = "wire-" + port();
        daemon(name + "-there", () -> pump(client, database));
        daemon(name + "-back", () -> pump(database, client));
      } catch (IOException unreachable) {
        // The driver sees its connection end, which is all there is to say.
        closeBoth(client, database);
      }
    }
  }

  private boolean keep(Socket client, Socket database) {
    synchronized (sockets) {
      if (severed || sockets.size() >= 2 * MAX_CONNECTIONS) {
        return false;
      }
      sockets.add(client);
      sockets.add(database);
      return true;
    }
  }

  private void pump(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
      }
    } catch (IOException ended) {
      // Severed, or one side is gone: either way this connection is over.
    } finally {
      closeBoth(from, to);
    }
  }

  private void closeBoth(Socket one, Socket other) {
    synchronized (sockets) {
      sockets.remove(one);
      sockets.remove(other);
    }
    closeQuietly(one);
    closeQuietly(other);
  }

  private static void closeQuietly(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception ignored) {
      // Closing a socket that is already broken has nothing to report.
    }
  }

  private static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }
}
