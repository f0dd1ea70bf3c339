package dev.deliverylab.web;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * One open page: one slot a fragment with the newest message, and a wire that takes bytes when it
 * can.
 */
final class LiveViewer {

  private static final long NOT_BLOCKED = -1;

  /** The way to the browser. None of these waits. */
  interface Wire {

    /** Whether it takes bytes now. After a no it calls back once it does. */
    boolean ready();

    void write(byte[] message) throws IOException;

    void flush() throws IOException;

    void close();
  }

  private final Set<String> fragments;
  private final Wire wire;
  private final Map<String, byte[]> slots = new LinkedHashMap<>();
  private long blockedAt = NOT_BLOCKED;
  private boolean unflushed;
  private boolean gone;

  LiveViewer(Set<String> fragments, Wire wire) {
    this.fragments = Set.copyOf(fragments);
    this.wire = wire;
  }

  Set<String> fragments() {
    return fragments;
  }

  /** Lays a message into its slot; one that still lies there is skipped. */
  synchronized void offer(String slot, byte[] message) {
    slots.put(slot, message);
  }

  /**
   * Writes as much as the wire takes now.
   *
   * @return false once the viewer is gone
   */
  synchronized boolean write(long now) {
    try {
      while (!gone && wire.ready()) {
        blockedAt = NOT_BLOCKED;
        Iterator<byte[]> waiting = slots.values().iterator();
        if (waiting.hasNext()) {
          byte[] message = waiting.next();
          waiting.remove();
          wire.write(message);
          unflushed = true;
        } else if (unflushed) {
          unflushed = false;
          wire.flush();
        } else {
          return true;
        }
      }
      if (blockedAt == NOT_BLOCKED) {
        blockedAt = now;
      }
    } catch (IOException | IllegalStateException e) {
      // The browser went away: a reload, a closed tab. Nothing to tell anybody.
      gone = true;
    }
    return !gone;
  }

  /** Nanoseconds since the wire last took a byte; 0 while it takes them. */
  synchronized long blockedFor(long now) {
    return blockedAt == NOT_BLOCKED ? 0 : now - blockedAt;
  }

  /** Forgets what was to be sent and lets go of the wire. */
  void close() {
    synchronized (this) {
      gone = true;
      slots.clear();
    }
    wire.close();
  }
}
