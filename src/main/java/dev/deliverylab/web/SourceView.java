package dev.deliverylab.web;

import dev.deliverylab.experiment.LaneSnapshot;
import dev.deliverylab.guarantee.Step;
import dev.deliverylab.lane.Standing;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A guarantee's own source, from its javadoc on, as it travels in the jar.
 *
 * @param file its name
 * @param lines empty if the source is not there
 */
record SourceView(String file, List<Line> lines) {

  /**
   * @param now what the lane does at this line, or null
   * @param cut where it died, if the line is the last one it did; else null
   */
  record Line(List<Token> tokens, @Nullable String now, @Nullable String cut) {}

  /**
   * @param css k keyword, c comment, w step, or empty
   */
  record Token(String css, String text) {}

  private static final Pattern STEP =
      Pattern.compile(
          "steps\\.(poll|effect|commit|begin|storeOffset|commitTx|handOver|sendOffsets|send)\\(");
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<c>//.*|/\\*\\*?.*|^\\s*\\*.*)|(?<s>\"[^\"]*\")|(?<w>(?<=steps\\.)\\w+)"
              + "|(?<k>\\b(?:public|private|final|class|implements|for|var|new|void|return|if|else"
              + "|static|record|enum|import|package|int|long|boolean)\\b|@Override)");

  /** The lines of a class never change while the lab runs. */
  private static final Map<String, List<String>> READ = new ConcurrentHashMap<>();

  static SourceView of(String simpleName, LaneSnapshot lane) {
    List<Line> lines = new ArrayList<>();
    Standing.Now now = lane.now();
    Standing.LastCrash crash = lane.lastCrash();
    for (String text : READ.computeIfAbsent(simpleName, SourceView::read)) {
      Matcher step = STEP.matcher(text);
      String label = step.find() ? label(step.group(1)) : null;
      lines.add(
          new Line(
              tokens(text),
              label != null && now != null && now.step().equals(label) ? said(now) : null,
              label != null && crash != null && label.equals(crash.after())
                  ? "died here, " + LoopView.deathPlace(crash)
                  : null));
    }
    return new SourceView(simpleName + ".java", List.copyOf(lines));
  }

  private static String said(Standing.Now now) {
    return "now: "
        + now.step()
        + (now.record() == null ? "" : " " + now.record())
        + (now.orderId() == null ? "" : ", order " + Figure.shortened(now.orderId()));
  }

  private static String label(String method) {
    for (Step step : Step.values()) {
      if (step.label().replace("-", "").equalsIgnoreCase(method)) {
        return step.label();
      }
    }
    throw new IllegalStateException(method);
  }

  private static List<String> read(String simpleName) {
    String path = "/source/dev/deliverylab/guarantee/" + simpleName + ".java";
    try (InputStream in = SourceView.class.getResourceAsStream(path)) {
      if (in == null) {
        return List.of();
      }
      List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      int from = 0;
      while (from < lines.size() && !lines.get(from).startsWith("/**")) {
        from++;
      }
      return from == lines.size() ? lines : lines.subList(from, lines.size());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Token> tokens(String line) {
    List<Token> tokens = new ArrayList<>();
    Matcher found = TOKEN.matcher(line);
    int at = 0;
    while (found.find()) {
      if (found.start() > at) {
        tokens.add(new Token("", line.substring(at, found.start())));
      }
      String css =
          found.group("c") != null
              ? "c"
              : found.group("s") != null ? "s" : found.group("w") != null ? "w" : "k";
      tokens.add(new Token(css, found.group()));
      at = found.end();
    }
    if (at < line.length() || line.isEmpty()) {
      tokens.add(new Token("", line.isEmpty() ? " " : line.substring(at)));
    }
    return List.copyOf(tokens);
  }
}
