package dev.deliverylab.web;

import dev.deliverylab.experiment.LaneSnapshot;
import dev.deliverylab.lane.LaneState;
import dev.deliverylab.scenario.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The dashboard above its rows: experiment, log, truth, and what all lanes together say.
 *
 * @param story what stands there, and what to do next, in one or two sentences
 * @param tally how many lanes came to which end
 */
record DashboardView(
    long experiment,
    String partitions,
    int batchSize,
    String data,
    LogView log,
    String truth,
    String orders,
    String copies,
    List<String> story,
    List<Tally> tally,
    Board.@Nullable Load load,
    @Nullable RunView run,
    int stepMillis,
    boolean anyCrashed) {

  private static final int STORY_LINE = 46;

  record Tally(Icon icon, String text) {}

  static DashboardView of(Board.State state) {
    long resent = state.totals().resent();
    long conflicts = state.totals().conflicts();
    List<String> copies = new ArrayList<>();
    if (resent > 0) {
      copies.add(Figure.count(resent) + " sent again");
    }
    if (conflicts > 0) {
      copies.add(Figure.count(conflicts, "conflict"));
    }
    return new DashboardView(
        state.experiment(),
        Figure.count(state.partitions(), "partition"),
        state.batchSize(),
        Figure.bytes(state.dataBytes()),
        LogView.of(state),
        Figure.money(state.totals().total()),
        Figure.count(state.totals().orders(), "order"),
        String.join(", ", copies),
        story(state),
        tally(state.lanes()),
        state.load(),
        state.run() == null ? null : RunView.of(state.run()),
        state.stepMillis(),
        count(state, LaneState.CRASHED) > 0);
  }

  /** The rows of the lanes that are picked, in the order of the board. */
  static List<RowView> rows(Board.State state, Set<String> picked) {
    LogView log = LogView.of(state);
    return state.lanes().stream()
        .filter(lane -> picked.contains(lane.snapshot().lane()))
        .map(lane -> RowView.of(lane, log, state.batchSize()))
        .toList();
  }

  private static List<String> story(Board.State state) {
    int lanes = state.lanes().size();
    long crashed = count(state, LaneState.CRASHED);
    long trouble = count(state, LaneState.FAILED) + count(state, LaneState.FENCED);
    long running = count(state, LaneState.RUNNING);
    Run run = state.run();
    if (run != null && run.doing() != null) {
      return List.of(
          "Scenario at work, step " + (run.steps().size() + 1) + " of " + run.planned() + ":",
          oneLine(run.doing()));
    }
    if (state.totals().records() == 0) {
      return List.of("The log is empty.", "Append five orders, arm a crash, start all lanes.");
    }
    if (state.lanes().stream().allMatch(lane -> lane.snapshot().life() == 0)) {
      long armed = state.lanes().stream().filter(l -> l.snapshot().armed() != null).count();
      return List.of(
          Figure.count(state.totals().orders(), "order") + " in the log, no lane has run.",
          armed == 0
              ? "Press a gap to arm a crash, then start all lanes."
              : armed + " of " + lanes + " wait for a crash. Start all lanes.");
    }
    if (trouble > 0) {
      return List.of(
          trouble + " of " + lanes + " lanes stopped with an error.",
          "The row says why; restart tries again.");
    }
    if (crashed > 0) {
      return List.of(
          crashed + " of " + lanes + " lanes are dead.",
          "Restart them, and see what each does to the number.");
    }
    long right =
        state.lanes().stream()
            .filter(l -> Boolean.TRUE.equals(l.snapshot().verdict().numberRight()))
            .count();
    long broken =
        state.lanes().stream()
            .filter(l -> Boolean.FALSE.equals(l.snapshot().verdict().promiseKept()))
            .count();
    return List.of(
        running + " of " + lanes + " lanes run.",
        right + " have the right number, " + (broken == 0 ? "none" : broken) + " broke a promise.");
  }

  /** What fits into a line of the story; the run's own page has it whole. */
  private static String oneLine(String step) {
    return step.length() <= STORY_LINE ? step : step.substring(0, STORY_LINE - 1) + "…";
  }

  private static List<Tally> tally(List<Board.Lane> lanes) {
    long lost = 0;
    long doubled = 0;
    long right = 0;
    long open = 0;
    long unknown = 0;
    for (Board.Lane lane : lanes) {
      LaneSnapshot snapshot = lane.snapshot();
      if (snapshot.truth().records() == 0) {
        continue;
      }
      switch (AnswerView.number(snapshot).icon()) {
        case "lost" -> lost++;
        case "dup" -> doubled++;
        case "ok" -> right++;
        case "pend" -> open++;
        default -> unknown++;
      }
    }
    List<Tally> tally = new ArrayList<>();
    add(tally, Icon.LOST, lost, "lost");
    add(tally, Icon.DOUBLED, doubled, "doubled");
    add(tally, Icon.RIGHT, right, "right");
    add(tally, Icon.PENDING, open, "open");
    add(tally, Icon.UNKNOWN, unknown, "unknown");
    return List.copyOf(tally);
  }

  private static void add(List<Tally> tally, Icon icon, long number, String word) {
    if (number > 0) {
      tally.add(new Tally(icon, number + " " + word));
    }
  }

  private static long count(Board.State state, LaneState wanted) {
    return state.lanes().stream().filter(lane -> lane.snapshot().state() == wanted).count();
  }
}
