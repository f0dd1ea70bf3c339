package dev.deliverylab.log;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** A body that is written to a file while it is read, up to a limit. */
final class Spool extends FilterInputStream {

  private final OutputStream copy;
  private final long limit;
  private long read;

  Spool(InputStream body, OutputStream copy, long limit) {
    super(body);
    this.copy = copy;
    this.limit = limit;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    int count = super.read(into, from, length);
    if (count > 0) {
      read += count;
      if (read > limit) {
        throw new IOException("an import has at most " + limit + " bytes");
      }
      try {
        copy.write(into, from, count);
      } catch (IOException e) {
        // Not the sender's fault, so it must not look like a body that cannot be read.
        throw new ImportNotKept(e);
      }
    }
    return count;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
