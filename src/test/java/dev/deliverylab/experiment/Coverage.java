package dev.deliverylab.experiment;

import dev.deliverylab.experiment.LaneModel.Crash;
import dev.deliverylab.experiment.LaneModel.State;
import dev.deliverylab.lane.Lane;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the trials have met: lives, crashes that fired, and in which gaps. */
final class Coverage {

  private int lives;
  private int crashes;
  private final Set<String> gaps = new TreeSet<>();
  private final TreeMap<String, int[]> commitsShown = new TreeMap<>();

  synchronized void lived(String lane, int batchSize, @Nullable Crash fired) {
    lives++;
    if (fired != null) {
      crashes++;
      gaps.add(gap(lane, fired.gap(), batchSize));
    }
  }

  /**
   * Counts how often a dying lane whose client commits had waited with success for the commit of
   * the batches before.
   */
  synchronized void met(Lane lane, Crash crash, Set<State> possible) {
    if (LaneModel.clientCommits(lane.name()) && crash.batch() > 1) {
      int[] shown =
          commitsShown.computeIfAbsent(
              lane.name() + " after " + crash.gap().after(), k -> new int[2]);
      // The states that later commits could still lead to: one means that the last was shown.
      shown[possible.stream().map(State::progress).distinct().count() == 1 ? 0 : 1]++;
    }
  }

  static String gap(String lane, LaneModel.Gap gap, int batchSize) {
    return lane + " after " + gap + " in batches of " + batchSize;
  }

  synchronized Set<String> gaps() {
    return Set.copyOf(gaps);
  }

  synchronized String summary() {
    StringBuilder text = new StringBuilder();
    text.append(lives)
        .append(" lives, ")
        .append(crashes)
        .append(" crashes, ")
        .append(gaps.size())
        .append(" distinct (lane, gap, batch size)");
    commitsShown.forEach(
        (where, shown) ->
            text.append("; ")
                .append(where)
                .append(" of a later batch, commit shown ")
                .append(Objects.requireNonNull(shown)[0])
                .append(" of ")
                .append(shown[0] + shown[1]));
    return text.toString();
  }
}
