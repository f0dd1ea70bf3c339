package dev.deliverylab.bench;

import dev.deliverylab.experiment.Experiment;
import dev.deliverylab.experiment.Experiments;
import dev.deliverylab.lane.HostedGuarantee;
import dev.deliverylab.lane.Lane;
import dev.deliverylab.log.StoredTruth;
import dev.deliverylab.sink.SinkRow;
import dev.deliverylab.sink.SinkTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A lane against a loop without the lab: no container, no relay, no wire, no steps, no history.
 * Both read the same log and write the same statements into tables of the same form, in turns, each
 * round in a new experiment. The rate is taken from the rows' own times, first to last, so joining
 * the group counts for neither.
 */
final class LaneAgainstPlainLoop {

  private static final int RECORDS = Integer.getInteger("bench.records", 20_000);
  private static final int ROUNDS = Integer.getInteger("bench.rounds", 5);
  private static final int BATCH = Integer.getInteger("bench.batch", 100);
  private static final List<String> LANES =
      List.of("at-least-once", "idempotent-key", "transactional");

  private LaneAgainstPlainLoop() {}

  static void run(Path folder) throws Exception {
    Benchmarks.print("%n### A lane against a plain loop%n");
    Benchmarks.print(
        "%,d records, batches of %d, %d rounds and one to warm up.%n", RECORDS, BATCH, ROUNDS);
    Benchmarks.print("| lane | plain loop, records/s | lane, records/s | ratio |");
    Benchmarks.print("|---|---|---|---|");
    try (LabInside lab = LabInside.start(folder)) {
      for (String lane : LANES) {
        List<Double> plain = new ArrayList<>();
        List<Double> hosted = new ArrayList<>();
        List<Double> ratio = new ArrayList<>();
        for (int round = 0; round <= ROUNDS; round++) {
          Experiment experiment = lab.part(Experiments.class).create(1, BATCH);
          LabInside.generate(experiment.log(), lab.part(StoredTruth.class), RECORDS);
          double one = 0;
          double other = 0;
          for (int turn = 0; turn < 2; turn++) {
            if ((round + turn) % 2 == 0) {
              one = plain(lab, experiment, lane);
            } else {
              other = hosted(experiment.lane(lane));
            }
          }
          if (round > 0) {
            plain.add(one);
            hosted.add(other);
            ratio.add(other / one);
          }
        }
        Benchmarks.print(
            "| `%s` | %s | %s | **%s** |",
            lane,
            Figures.of(plain).shown(".0f"),
            Figures.of(hosted).shown(".0f"),
            Figures.of(ratio).shown(".2f"));
      }
    }
  }

  private static double plain(LabInside lab, Experiment experiment, String lane) throws Exception {
    try (PlainLoop loop = new PlainLoop(lab, experiment, lane)) {
      loop.run(RECORDS);
      return rate(loop.table());
    }
  }

  private static double hosted(Lane lane) {
    lane.start();
    while (!lane.is(Lane.Condition.DRAINED)) {
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
    double rate = rate(HostedGuarantee.in(lane).table());
    lane.stop();
    return rate;
  }

  private static double rate(SinkTable table) {
    SinkRow first = table.page(0, 1, false).get(0);
    SinkRow last = table.newest(1).get(0);
    return (RECORDS - 1) * 1e9 / Duration.between(first.appliedAt(), last.appliedAt()).toNanos();
  }
}
