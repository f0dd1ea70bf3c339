package dev.deliverylab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.deliverylab.experiment.LaneModel.Gap;
import dev.deliverylab.experiment.LaneModel.State;
import dev.deliverylab.lane.HostedGuarantee;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every lane on the real broker against the model, after every crash and after the last restart.
 *
 * <p>{@code -Dlab.model.seconds=600} looks longer, {@code -Dlab.model.seed=17} repeats one trial.
 */
class LanesAgainstModelIT {

  private static final Duration TIME = Duration.ofSeconds(Long.getLong("lab.model.seconds", 120));

  @TempDir static Path data;
  private static RunningLab lab;
  private static ExecutorService threads;

  @BeforeAll
  static void start() {
    threads = Executors.newFixedThreadPool(LaneModel.lanes().size());
    lab = new RunningLab(data);
  }

  @AfterAll
  static void stop() {
    if (lab != null) {
      threads.shutdownNow();
      lab.close();
    }
  }

  @Test
  void everyLifeLeavesWhatTheModelSays() throws InterruptedException {
    Long only = Long.getLong("lab.model.seed");
    if (only != null) {
      run(Trial.random(only), new Coverage());
      return;
    }
    long end = System.nanoTime() + TIME.toNanos();
    Coverage coverage = new Coverage();
    int trials = 0;
    for (Trial trial : Trial.systematic()) {
      run(trial, coverage);
      trials++;
    }
    long first = System.currentTimeMillis();
    long seed = first;
    for (; System.nanoTime() < end; seed++) {
      run(Trial.random(seed), coverage);
      trials++;
    }
    System.out.printf(
        "lanes against their model: %d trials in %d s (random seeds from %d): %s%n",
        trials,
        TIME.toSeconds() + (System.nanoTime() - end) / 1_000_000_000,
        first,
        coverage.summary());
    var everyGap = new TreeSet<String>();
    for (String lane : LaneModel.lanes()) {
      LaneModel.gaps(lane, 2).forEach(gap -> everyGap.add(Coverage.gap(lane, gap, 2)));
    }
    assertThat(coverage.gaps()).containsAll(everyGap);
  }

  private static void run(Trial trial, Coverage coverage) throws InterruptedException {
    Experiment experiment = lab.experiments().create(1, trial.batchSize());
    TrialRun run = new TrialRun(experiment, trial, coverage);
    List<Future<?>> lanes = new ArrayList<>();
    trial.crashes().keySet().forEach(lane -> lanes.add(threads.submit(() -> run.run(lane, lane))));
    List<String> wrong = new ArrayList<>();
    for (Future<?> each : lanes) {
      try {
        each.get();
      } catch (ExecutionException e) {
        wrong.add(String.valueOf(e.getCause()));
      }
    }
    assertThat(wrong).as("what lanes left and the model does not allow").isEmpty();
  }

  /** Control: the comparison tells one guarantee from another. */
  @Test
  void theModelOfAnotherGuaranteeIsToldApart() {
    Trial trial = fiveOrders("at-most-once", new Gap("effect", 1));
    Experiment experiment = lab.experiments().create(1, trial.batchSize());
    TrialRun run = new TrialRun(experiment, trial, new Coverage());
    assertThatThrownBy(() -> run.run("at-most-once", "at-least-once"))
        .isInstanceOf(TrialRun.Differs.class)
        .hasMessageContaining("life 1 crashes after effect 1 of batch 1")
        .hasMessageContaining("progress 2")
        .hasMessageContaining("progress null");
  }

  /**
   * Control: a polite stop in place of a death is noticed. Two orders, one batch: had the lane died
   * behind effect 2, nothing of that batch could be committed.
   */
  @Test
  void anAutoCommitLaneThatSaysGoodbyeIsNotDead() {
    Trial trial = fiveOrders("auto-commit", new Gap("effect", 2));
    Experiment experiment = lab.experiments().create(1, trial.batchSize());
    experiment.log().appendEach(trial.orders().subList(0, 2));
    var lane = experiment.lane("auto-commit");
    lane.start();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> HostedGuarantee.in(lane).table().page(0, 10, false).size() == 2);
    lane.stop();
    assertThat(lane.committed()).isEqualTo(Map.of(0, 2L));
    assertThat(new LaneModel("auto-commit", 2, 2).life(State.EMPTY, 1, new Gap("effect", 2).in(1)))
        .extracting(end -> end.state().progress())
        .doesNotContain(2L);
  }

  private static Trial fiveOrders(String lane, Gap gap) {
    return new Trial(
        "the control", Trial.systematic().get(0).orders(), 2, Map.of(lane, List.of(gap.in(1))));
  }
}
