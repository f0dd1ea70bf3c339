package dev.deliverylab.web;

import dev.deliverylab.scenario.Report;
import dev.deliverylab.scenario.Run;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scenario's run: how far it is, and each step with what was expected and what came.
 *
 * @param title empty where it would only repeat the name
 * @param ofTime whether it is about the window lanes, which are at {@code /time}
 * @param outcome null while it runs
 * @param steps how many are done, of how many
 * @param doing the step at work; null when there is none
 */
record RunView(
    long id,
    String name,
    String title,
    boolean ofTime,
    @Nullable Outcome outcome,
    int done,
    int planned,
    String steps,
    @Nullable String doing,
    List<Report.Row> rows) {

  /** How a run came out: a shape, a word and a colour. */
  record Outcome(Icon icon, String word) {}

  static RunView of(Run run) {
    return new RunView(
        run.id(),
        run.scenario(),
        run.title().equals(run.scenario()) ? "" : run.title(),
        run.ofTime(),
        switch (run.state()) {
          case RUNNING -> null;
          case PASSED -> new Outcome(Icon.RIGHT, "passed");
          case FAILED -> new Outcome(Icon.LOST, "failed");
        },
        run.steps().size(),
        run.planned(),
        run.steps().size() + " of " + Figure.count(run.planned(), "step"),
        run.doing(),
        new Report(run).rows());
  }
}
