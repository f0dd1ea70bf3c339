package dev.deliverylab.scenario;

import java.util.List;

/**
 * A script that has been checked: actions and expected numbers.
 *
 * @param title one line for people, at most {@value #MAX_TITLE} characters
 * @param text one paragraph for people; empty if there is none
 * @param batchSize most records of one poll
 */
public record Scenario(
    String name, String title, String text, int partitions, int batchSize, Script script) {

  /** Most lines of a script; a line for several lanes counts once for each. */
  public static final int MAX_LINES = 1_000;

  /** Most characters of a title. */
  public static final int MAX_TITLE = 200;

  /** The lines as the file has them. */
  List<? extends Line<?>> lines() {
    return script.lines();
  }

  /** Whether it is about the window lanes, not about an experiment. */
  public boolean ofTime() {
    return script.ofTime();
  }

  /** Each line in words. */
  public List<String> steps() {
    return lines().stream().map(line -> line.action()).toList();
  }
}
