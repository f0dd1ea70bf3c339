package dev.deliverylab.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Stands between lanes and the cluster, so that a lane's life can be cut off while its thread still
 * runs. It listens on the loopback address, with one free port for each node, and rewrites the node
 * addresses in responses, so a client that starts here stays here. It speaks the plain protocol
 * only, without TLS.
 */
final class KafkaRelay implements AutoCloseable {

  private static final int BACKLOG = 128;

  private final DeadLives dead = new DeadLives();
  private final Set<RelayedConnection> connections = ConcurrentHashMap.newKeySet();
  private final ConcurrentMap<Address, ServerSocket> doors = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * @return where clients connect to reach these addresses through the relay, in the same order
   */
  List<Address> doorsTo(List<Address> cluster) {
    return cluster.stream().map(this::doorTo).toList();
  }

  /**
   * Cuts the connections of this life and all earlier ones of its lane, and refuses them for ever.
   */
  void cut(Life life) {
    // First the mark, then the sweep. A connection says who it is before it looks for the mark, so
    // one of the two sees the
    // other: no connection of a dead life slips between them.
    dead.bury(life);
    for (RelayedConnection connection : connections) {
      if (dead.includes(connection.life())) {
        connection.cut();
      }
    }
  }

  /** How many client connections are open. */
  int connections() {
    return connections.size();
  }

  @Override
  public void close() {
    closed = true;
    doors.values().forEach(KafkaRelay::close);
    connections.forEach(RelayedConnection::cut);
  }

  private Address doorTo(Address node) {
    ServerSocket door = doors.computeIfAbsent(node, this::open);
    if (closed) {
      close(door);
    }
    return Address.local(door.getLocalPort());
  }

  private ServerSocket open(Address node) {
    try {
      ServerSocket door = new ServerSocket(0, BACKLOG, Address.loopback());
      Thread thread = new Thread(() -> accept(door, node), "relay-" + node.port() + "-accept");
      thread.setDaemon(true);
      thread.start();
      return door;
    } catch (IOException e) {
      throw new UncheckedIOException("No free port on " + Address.LOOPBACK, e);
    }
  }

  private void accept(ServerSocket door, Address node) {
    while (!door.isClosed()) {
      Socket client;
      try {
        client = door.accept();
      } catch (IOException doorClosed) {
        continue;
      }
      var connection =
          new RelayedConnection(client, node, this::admitted, this::doorTo, connections::remove);
      connections.add(connection);
      connection.start();
      if (closed) {
        connection.cut();
      }
    }
  }

  private boolean admitted(RelayedConnection connection, @Nullable String clientId) {
    Life life = Life.of(clientId);
    connection.speaks(life);
    return !dead.includes(life);
  }

  private static void close(ServerSocket door) {
    try {
      door.close();
    } catch (IOException nothingLeftToClose) {
      // It no longer accepts either way.
    }
  }
}
