package dev.deliverylab.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses bodies that are too long: 1 MiB, and 256 MiB for imports, which are streamed. Also where
 * the length is not announced.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class BodyLimit extends OncePerRequestFilter {

  static final String IMPORT = "/api/log/import";
  static final long BODY_BYTES = 1L << 20;
  static final long IMPORT_BYTES = 256L << 20;

  /** A body turned out to be too long while it was read. */
  static final class TooLong extends IOException {
    private static final long serialVersionUID = 1L;

    TooLong(long limit) {
      super(sentence(limit));
    }
  }

  static String sentence(long limit) {
    return limit == IMPORT_BYTES
        ? "An import has at most 256 MiB. Send the file in parts."
        : "A body here has at most 1 MiB. Larger data goes through " + IMPORT + ".";
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    long limit = request.getRequestURI().equals(IMPORT) ? IMPORT_BYTES : BODY_BYTES;
    if (request.getContentLengthLong() > limit) {
      Problems.write(response, 413, "Body too long", sentence(limit));
      return;
    }
    Limited limited = new Limited(request, limit);
    if (limit == BODY_BYTES && request.getHeader("Transfer-Encoding") != null) {
      try {
        // A length that is not announced is found out before anything happens: a command that needs
        // no body would never look at it.
        limited.takeWhole();
      } catch (TooLong e) {
        Problems.write(response, 413, "Body too long", sentence(limit));
        return;
      }
    }
    chain.doFilter(limited, response);
  }

  /** For a reader that takes any end of a body for a fault of its own. */
  static void throwIfTooLong(HttpServletRequest request) throws TooLong {
    if (request.getAttribute(TooLong.class.getName()) instanceof TooLong tooLong) {
      throw tooLong;
    }
  }

  private static final class Limited extends HttpServletRequestWrapper {

    private final long limit;
    private byte @Nullable [] whole;

    Limited(HttpServletRequest request, long limit) {
      super(request);
      this.limit = limit;
    }

    void takeWhole() throws IOException {
      whole = new Counting(this, super.getInputStream(), limit).readAllBytes();
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      return whole == null
          ? new Counting(this, super.getInputStream(), limit)
          : new Taken(new ByteArrayInputStream(whole));
    }
  }

  /** A body that is in memory already. */
  private static final class Taken extends ServletInputStream {

    private final ByteArrayInputStream body;

    Taken(ByteArrayInputStream body) {
      this.body = body;
    }

    @Override
    public int read() {
      return body.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      return body.read(into, offset, length);
    }

    @Override
    public boolean isFinished() {
      return body.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new UnsupportedOperationException("nothing here reads without waiting");
    }
  }

  private static final class Counting extends ServletInputStream {

    private final ServletRequest request;
    private final ServletInputStream body;
    private final long limit;
    private long read;

    Counting(ServletRequest request, ServletInputStream body, long limit) {
      this.request = request;
      this.body = body;
      this.limit = limit;
    }

    @Override
    public int read() throws IOException {
      int octet = body.read();
      count(octet < 0 ? 0 : 1);
      return octet;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int got = body.read(into, offset, length);
      count(Math.max(got, 0));
      return got;
    }

    private void count(int octets) throws TooLong {
      read += octets;
      if (read > limit) {
        TooLong tooLong = new TooLong(limit);
        request.setAttribute(TooLong.class.getName(), tooLong);
        throw tooLong;
      }
    }

    @Override
    public boolean isFinished() {
      return body.isFinished();
    }

    @Override
    public boolean isReady() {
      return body.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
      body.setReadListener(listener);
    }
  }
}
