package dev.deliverylab.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
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
    return "A body here has at most "
        + (limit >> 20)
        + " MiB. Larger data goes through /api/log/import.";
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    long limit = request.getRequestURI().equals("/api/log/import") ? IMPORT_BYTES : BODY_BYTES;
    if (request.getContentLengthLong() > limit) {
      Problems.write(response, 413, "Body too long", sentence(limit));
      return;
    }
    chain.doFilter(new Limited(request, limit), response);
  }

  private static final class Limited extends HttpServletRequestWrapper {

    private final long limit;

    Limited(HttpServletRequest request, long limit) {
      super(request);
      this.limit = limit;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      return new Counting(super.getInputStream(), limit);
    }
  }

  private static final class Counting extends ServletInputStream {

    private final ServletInputStream body;
    private final long limit;
    private long read;

    Counting(ServletInputStream body, long limit) {
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
        throw new TooLong(limit);
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
