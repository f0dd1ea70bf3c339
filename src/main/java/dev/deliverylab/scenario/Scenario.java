package dev.deliverylab.scenario;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A script that has been checked: actions and expected numbers.
 *
 * @param title one line for people, at most {@value #MAX_TITLE} characters
 * @param text one paragraph for people; empty if there is none
 * @param batchSize most records of one poll
 */
public record Scenario(
    String name, String title, String text, int partitions, int batchSize, List<Line> lines) {

  /** Most lines of a script; a line for several lanes counts once for each. */
  public static final int MAX_LINES = 1_000;

  /** Most characters of a title. */
  public static final int MAX_TITLE = 200;

  public Scenario {
    lines = List.copyOf(lines);
  }

  /** The lanes that take part, in the order in which the script names them. */
  Set<String> lanes() {
    Set<String> lanes = new LinkedHashSet<>();
    lines.forEach(line -> lanes.addAll(line.lanes()));
    return lanes;
  }

  /** Each line in words. */
  public List<String> steps() {
    return lines.stream().map(Line::action).toList();
  }
}
