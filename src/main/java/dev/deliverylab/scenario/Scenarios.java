package dev.deliverylab.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The scenarios that the lab brings along, and the way in for a scenario of one's own. */
public final class Scenarios {

  /** Most bytes of a source. */
  public static final int MAX_BYTES = 1 << 20;

  /**
   * In the order in which they are shown: the rows of the founding table, then what follows, then
   * time.
   */
  private static final List<String> BUNDLED =
      List.of(
          "at-least-once",
          "at-most-once",
          "transactional",
          "idempotent-key",
          "dedup-on-read",
          "insert-ignore",
          "auto-commit",
          "auto-commit-handoff",
          "increment-in-place",
          "random-key",
          "side-by-side",
          "replay-parts-ways",
          "commit-then-crash",
          "half-a-batch-lost",
          "one-written-twice",
          "recognised-again",
          "sent-again",
          "rewind-targets",
          "late-per-record",
          "late-arrival-watermark",
          "late-event-time",
          "late-closing-record",
          "late-rules-disagree",
          "late-side-output",
          "late-restated",
          "late-crash",
          "late-wall-clock");

  private final Map<String, Bundled> bundled = new LinkedHashMap<>();

  /** How a source is written. */
  public enum Format {
    YAML,
    JSON
  }

  /** There is no such scenario. The message lists those there are. */
  public static final class Unknown extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Unknown(String name) {
      super("there is no scenario '" + name + "'; the scenarios are " + String.join(", ", BUNDLED));
    }
  }

  /** A scenario and the YAML that it was read from. */
  public record Bundled(Scenario scenario, String source) {}

  /** Reads them all, so a broken one is found at the start and not when it is wanted. */
  public Scenarios() {
    for (String name : BUNDLED) {
      byte[] source = load(name);
      Scenario scenario = parse(source, Format.YAML);
      bundled.put(name, new Bundled(scenario, new String(source, StandardCharsets.UTF_8)));
    }
  }

  /**
   * Those about the time room, or those about an experiment, in the order in which they are shown.
   */
  public List<String> names(boolean ofTime) {
    return bundled.values().stream()
        .map(Bundled::scenario)
        .filter(scenario -> scenario.ofTime() == ofTime)
        .map(Scenario::name)
        .toList();
  }

  public static List<String> names() {
    return BUNDLED;
  }

  public List<Bundled> all() {
    return List.copyOf(bundled.values());
  }

  /**
   * @throws Unknown listing the names there are
   */
  public Bundled named(String name) {
    Bundled found = bundled.get(name);
    if (found == null) {
      throw new Unknown(name);
    }
    return found;
  }

  /**
   * Reads and checks a source; nothing runs.
   *
   * @throws ScenarioRefused with line, column and reason at the first thing that is wrong
   */
  public static Scenario parse(byte[] source, Format format) {
    return new ScenarioReader(new SourceReader(format).read(source)).read();
  }

  private static byte[] load(String name) {
    try (InputStream in = Scenarios.class.getResourceAsStream("/scenarios/" + name + ".yaml")) {
      if (in == null) {
        throw new IllegalStateException("the scenario " + name + " is not in the jar");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
