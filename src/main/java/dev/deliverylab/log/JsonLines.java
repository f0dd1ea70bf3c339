package dev.deliverylab.log;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Orders from JSON lines, one object a line; blank lines are skipped. */
final class JsonLines implements Iterator<Order> {

  private static final int LONGEST_LINE = 10_000;

  private final OrderCodec codec = new OrderCodec();
  private final BufferedReader text;
  private long line;
  private @Nullable Order next;

  JsonLines(Reader text) {
    this.text = new BufferedReader(text);
  }

  @Override
  public boolean hasNext() {
    if (next == null) {
      next = read();
    }
    return next != null;
  }

  @Override
  public Order next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException();
    }
    Order order = next;
    next = null;
    return order;
  }

  private @Nullable Order read() {
    try {
      for (String read = line(); read != null; read = line()) {
        if (!read.isBlank()) {
          return codec.read(read);
        }
      }
      return null;
    } catch (OrderRefused e) {
      throw new ImportRefused(line, e.field(), String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new ImportRefused(line, "body", "body cannot be read: " + e.getMessage());
    }
  }

  /** Not readLine(), which would take a line of any length into memory. */
  private @Nullable String line() throws IOException {
    line++;
    StringBuilder read = new StringBuilder();
    int c = text.read();
    if (c < 0) {
      return null;
    }
    for (; c >= 0 && c != '\n'; c = text.read()) {
      if (read.length() == LONGEST_LINE) {
        throw new OrderRefused(
            "record", "record has at most " + LONGEST_LINE + " characters on its line");
      }
      read.append((char) c);
    }
    return read.toString();
  }
}
