package dev.deliverylab.broker;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection through the relay: two sockets and two threads, one for each direction.
 * Both directions are read frame by frame; a frame's header is looked at, its body streams through
 * a small buffer. Only responses that name nodes are held whole, as they are rewritten.
 *
 * <p>A request is known here from its first byte to the last byte of its response, by api, version
 * and correlation id. What delays or withholds a response has its place in {@link
 * #forwardResponse}.
 */
final class RelayedConnection {

  private static final int BUFFER = 16 * 1024;
  private static final int CONNECT_TIMEOUT_MS = 5_000;
  // The broker's own limit for a request; a rewritten response is far smaller, save for a share
  // group's fetch.
  private static final int LARGEST_FRAME = 100 * 1024 * 1024;
  // Clients keep at most 100 requests in flight. More can only be produce requests that ask for no
  // response.
  private static final int MOST_IN_FLIGHT = 1_000;

  private record Request(short api, short version, int correlation) {}

  private final Socket client;
  private final Socket node = new Socket();
  private final Address address;
  private final BiPredicate<RelayedConnection, @Nullable String> admitted;
  private final UnaryOperator<Address> relayed;
  private final Consumer<RelayedConnection> whenClosed;
  private final Deque<Request> inFlight = new ArrayDeque<>();
  private volatile @Nullable Life life;

  /**
   * @param address of the node to connect to
   * @param admitted asked before each request, with the request's client id; no means the
   *     connection is over
   * @param relayed where the relay listens for a node
   */
  RelayedConnection(
      Socket client,
      Address address,
      BiPredicate<RelayedConnection, @Nullable String> admitted,
      UnaryOperator<Address> relayed,
      Consumer<RelayedConnection> whenClosed) {
    this.client = client;
    this.address = address;
    this.admitted = admitted;
    this.relayed = relayed;
    this.whenClosed = whenClosed;
  }

  void start() {
    thread("requests", this::forwardRequests).start();
  }

  /** The lane's life that speaks on this connection, as soon as its first request told. */
  @Nullable Life life() {
    return life;
  }

  void speaks(@Nullable Life life) {
    this.life = life;
  }

  /**
   * Ends the connection as the death of a process does. Nothing that waits in a buffer is sent any
   * more, in either direction: lingering for zero seconds makes the system throw it away. When this
   * returns, a write by the other threads can only fail.
   */
  void cut() {
    abort(node);
    abort(client);
  }

  private static void abort(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException alreadyClosed) {
      return;
    } finally {
      close(socket);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException nothingLeftToClose) {
      // The socket is gone either way.
    }
  }

  private Thread thread(String direction, Direction work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException connectionOver) {
                end();
              } catch (RuntimeException notKafka) {
                end();
                throw notKafka;
              }
            },
            "relay-" + address.port() + "-" + direction + "-" + client.getPort());
    thread.setDaemon(true);
    return thread;
  }

  private void end() {
    close(client);
    close(node);
    whenClosed.accept(this);
  }

  private interface Direction {
    void run() throws IOException;
  }

  private void forwardRequests() throws IOException {
    client.setTcpNoDelay(true);
    node.setTcpNoDelay(true);
    node.connect(new InetSocketAddress(address.host(), address.port()), CONNECT_TIMEOUT_MS);
    thread("responses", this::forwardResponses).start();
    // No try-with-resources: closing would flush, and what is unsent when a life ends must stay
    // unsent.
    DataInputStream in = input(client);
    DataOutputStream out = output(node);
    byte[] buffer = new byte[BUFFER];
    for (int size = nextFrame(in); size >= 0; size = nextFrame(in)) {
      forwardRequest(size, in, out, buffer);
    }
    // The client hung up. What it sent last still counts, so only this half ends; the node then
    // closes the other.
    node.shutdownOutput();
  }

  private void forwardRequest(int size, DataInputStream in, DataOutputStream out, byte[] buffer)
      throws IOException {
    // These four fields stand first in every version of a request's header, the one of ApiVersions
    // too.
    short api = in.readShort();
    short version = in.readShort();
    int correlation = in.readInt();
    short idLength = in.readShort();
    byte[] id = in.readNBytes(Math.max(idLength, 0));
    int body = size - 10 - id.length;
    if (body < 0 || id.length < idLength) {
      throw new EOFException("A request ends inside its header");
    }
    if (!admitted.test(this, idLength < 0 ? null : new String(id, StandardCharsets.UTF_8))) {
      cut();
      throw new IOException("This life is over");
    }
    sent(new Request(api, version, correlation));
    out.writeInt(size);
    out.writeShort(api);
    out.writeShort(version);
    out.writeInt(correlation);
    out.writeShort(idLength);
    out.write(id);
    copy(in, out, body, buffer);
    out.flush();
  }

  private void forwardResponses() throws IOException {
    DataInputStream in = input(node);
    DataOutputStream out = output(client);
    byte[] buffer = new byte[BUFFER];
    for (int size = nextFrame(in); size >= 0; size = nextFrame(in)) {
      if (size < Integer.BYTES) {
        throw new EOFException("A response ends inside its header");
      }
      forwardResponse(size, in, out, buffer);
    }
    end();
  }

  private void forwardResponse(int size, DataInputStream in, DataOutputStream out, byte[] buffer)
      throws IOException {
    int correlation = in.readInt();
    Request request = answered(correlation);
    if (request != null && NodeAddresses.namesNodes(request.api(), request.version())) {
      ByteBuffer whole = ByteBuffer.allocate(size).putInt(correlation);
      in.readFully(whole.array(), Integer.BYTES, size - Integer.BYTES);
      ByteBuffer rewritten =
          NodeAddresses.rewrite(request.api(), request.version(), whole.rewind(), relayed);
      out.writeInt(rewritten.remaining());
      out.write(
          rewritten.array(), rewritten.arrayOffset() + rewritten.position(), rewritten.remaining());
    } else {
      out.writeInt(size);
      out.writeInt(correlation);
      copy(in, out, size - Integer.BYTES, buffer);
    }
    out.flush();
  }

  private void sent(Request request) {
    synchronized (inFlight) {
      if (inFlight.size() == MOST_IN_FLIGHT) {
        inFlight.removeFirst();
      }
      inFlight.addLast(request);
    }
  }

  /**
   * Responses come in the order of their requests, so a request that was overtaken is one that gets
   * none.
   */
  private @Nullable Request answered(int correlation) {
    synchronized (inFlight) {
      for (Request next = inFlight.pollFirst(); next != null; next = inFlight.pollFirst()) {
        if (next.correlation() == correlation) {
          return next;
        }
      }
      return null;
    }
  }

  private static DataInputStream input(Socket socket) throws IOException {
    return new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
  }

  private static DataOutputStream output(Socket socket) throws IOException {
    return new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER));
  }

  /**
   * @return the size of the next frame in bytes, or -1 where the stream ends between two frames
   */
  private static int nextFrame(DataInputStream in) throws IOException {
    int first = in.read();
    if (first < 0) {
      return -1;
    }
    int size =
        first << 24
            | in.readUnsignedByte() << 16
            | in.readUnsignedByte() << 8
            | in.readUnsignedByte();
    if (size < 0 || size > LARGEST_FRAME) {
      throw new IOException("No Kafka frame has " + size + " bytes");
    }
    return size;
  }

  private static void copy(InputStream in, OutputStream out, int bytes, byte[] buffer)
      throws IOException {
    int left = bytes;
    while (left > 0) {
      int read = in.read(buffer, 0, Math.min(left, buffer.length));
      if (read < 0) {
        throw new EOFException("The stream ends inside a frame");
      }
      out.write(buffer, 0, read);
      left -= read;
    }
  }
}
