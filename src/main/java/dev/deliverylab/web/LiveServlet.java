package dev.deliverylab.web;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The stream behind each page: {@code /live?on=top,row/at-least-once}. It uses the servlet API's
 * non-blocking writes, so an open page costs a socket and a few slots, and no thread.
 */
final class LiveServlet extends HttpServlet {

  private static final int MOST_FRAGMENTS = 20;

  private final transient LiveStream stream;
  private final transient Predicate<String> known;

  LiveServlet(LiveStream stream, Predicate<String> known) {
    this.stream = stream;
    this.known = known;
  }

  /** Says what there would be, and ends: a stream without a body has no reader to wait for. */
  @Override
  protected void doHead(HttpServletRequest request, HttpServletResponse response) {
    response.setContentType("text/event-stream");
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String on = request.getParameter("on");
    Set<String> fragments =
        on == null ? Set.of() : new LinkedHashSet<>(Arrays.asList(on.split(",", -1)));
    if (fragments.isEmpty()
        || fragments.size() > MOST_FRAGMENTS
        || !fragments.stream().allMatch(known)) {
      refuse(response, 400, "Say which parts of a page to follow: on=top,row/at-least-once");
      return;
    }
    if (!stream.hasRoom()) {
      response.setHeader("Retry-After", "10");
      refuse(response, 503, "Too many pages are open on this lab. Close some and try again.");
      return;
    }
    response.setContentType("text/event-stream");
    response.setCharacterEncoding("UTF-8");
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Accel-Buffering", "no");
    AsyncContext async = request.startAsync();
    async.setTimeout(0);
    ServletOutputStream out = response.getOutputStream();
    LiveViewer viewer = new LiveViewer(fragments, new ServletWire(out, async));
    async.addListener(new Farewell(() -> stream.leave(viewer)));
    out.setWriteListener(
        new WriteListener() {
          @Override
          public void onWritePossible() {
            // The first call says that the wire is there; joining twice changes nothing.
            if (viewer.write(System.nanoTime())) {
              stream.join(viewer);
            } else {
              stream.leave(viewer);
            }
          }

          @Override
          public void onError(Throwable broken) {
            stream.leave(viewer);
            viewer.close();
          }
        });
  }

  private static void refuse(HttpServletResponse response, int status, String sentence)
      throws IOException {
    response.setStatus(status);
    response.setContentType("text/plain");
    response.setCharacterEncoding("UTF-8");
    response.getWriter().println(sentence);
  }
}
