package dev.deliverylab.scenario;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A scenario at work, or what became of it.
 *
 * @param title one line for people, as its file has it
 * @param ofTime whether it is about the window lanes, not about an experiment
 * @param steps those that are done, in order
 * @param planned how many steps it takes in all
 * @param doing the step at work, in words; null when it is over
 */
public record Run(
    long id,
    String scenario,
    String title,
    boolean ofTime,
    State state,
    List<Step> steps,
    int planned,
    @Nullable String doing) {

  public Run {
    steps = List.copyOf(steps);
  }

  /** What can be said of it. */
  public enum State {
    /** At work; steps are added. */
    RUNNING,
    /** Every action was done and every expected number came. */
    PASSED,
    /** A number was another, an action could not be done, or the run was ended before its end. */
    FAILED
  }

  /**
   * One step as the report shows it. Money is text.
   *
   * @param expected null for an action that expects nothing
   * @param observed of an expectation the fields that were named; of an action, words
   */
  public record Step(
      String action, @Nullable Object expected, @Nullable Object observed, boolean ok) {

    static Step done(String action, String observed) {
      return new Step(action, null, observed, true);
    }

    /** Well if each expected value is the observed one of its name. */
    static Step compared(
        String action,
        Map<String, @Nullable Object> expected,
        Map<String, @Nullable Object> observed) {
      boolean ok =
          expected.entrySet().stream()
              .allMatch(each -> Objects.equals(each.getValue(), observed.get(each.getKey())));
      return new Step(action, expected.isEmpty() ? null : expected, observed, ok);
    }

    static Step failed(String action, @Nullable String reason) {
      return new Step(action, null, reason, false);
    }
  }

  /** Whether one can still wait for more. */
  public boolean isOver() {
    return state != State.RUNNING;
  }
}
