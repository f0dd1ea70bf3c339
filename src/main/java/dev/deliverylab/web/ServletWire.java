package dev.deliverylab.web;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** The way to a browser over the servlet API's non-blocking writes. */
record ServletWire(ServletOutputStream out, AsyncContext async, AtomicBoolean closed)
    implements LiveViewer.Wire {

  ServletWire(ServletOutputStream out, AsyncContext async) {
    this(out, async, new AtomicBoolean());
  }

  @Override
  public boolean ready() {
    return out.isReady();
  }

  @Override
  public void write(byte[] message) throws IOException {
    out.write(message);
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      try {
        async.complete();
      } catch (IllegalStateException e) {
        // The container was faster.
      }
    }
  }
}
