package dev.deliverylab.experiment;

import static org.awaitility.Awaitility.await;

import dev.deliverylab.check.Recount;
import dev.deliverylab.experiment.LaneModel.Crash;
import dev.deliverylab.experiment.LaneModel.End;
import dev.deliverylab.experiment.LaneModel.Row;
import dev.deliverylab.experiment.LaneModel.State;
import dev.deliverylab.lane.HostedGuarantee;
import dev.deliverylab.lane.Lane;
import dev.deliverylab.lane.LaneState;
import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.SinkRow;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** Runs lanes of a real experiment through a trial and holds what each life leaves to the model. */
final class TrialRun {

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  private final Experiment experiment;
  private final Trial trial;
  private final Coverage coverage;
  private final List<LogRecord> log;

  /** Appends the trial's orders to an experiment that is empty, and waits until the truth knows. */
  TrialRun(Experiment experiment, Trial trial, Coverage coverage) {
    this.experiment = experiment;
    this.trial = trial;
    this.coverage = coverage;
    this.log = experiment.log().appendEach(trial.orders());
    if (!experiment.truth().await(experiment.log().endOffsets(), PATIENCE)) {
      throw new AssertionError("the truth did not follow the log");
    }
  }

  /** What differed, and in which life. */
  static final class Differs extends AssertionError {
    private static final long serialVersionUID = 1L;

    Differs(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Runs one lane through all its lives.
   *
   * @param modelOf the lane whose model is asked; another one than {@code name} in a control only
   * @throws Differs at the first life that leaves what the model does not allow
   */
  void run(String name, String modelOf) {
    LaneModel model = new LaneModel(modelOf, log.size(), trial.batchSize());
    List<Crash> crashes = Objects.requireNonNull(trial.crashes().get(name));
    Set<State> before = Set.of(State.EMPTY);
    for (int life = 1; life <= crashes.size() + 1; life++) {
      Crash crash = life <= crashes.size() ? crashes.get(life - 1) : null;
      try {
        before = live(experiment.lane(name), modelOf, model.life(before, life, crash), life, crash);
      } catch (AssertionError | RuntimeException e) {
        throw new Differs(trial.upTo(name, life) + "\n  " + e.getMessage(), e);
      }
    }
  }

  /** One life; returns the states that agree with what was seen after it. */
  private Set<State> live(
      Lane lane, String modelOf, Set<End> ends, int life, @Nullable Crash crash) {
    if (crash == null) {
      lane.disarm();
    } else {
      lane.arm(crash.gap().after(), crash.gap().record(), crash.batch());
    }
    lane.start();
    if (lane.life() != life) {
      throw new AssertionError("this is life " + lane.life() + ", expected " + life);
    }
    awaitEnd(lane, ends);
    boolean crashed = lane.state() == LaneState.CRASHED;
    Set<State> agreeing = agreeing(lane, modelOf, ends, crashed);
    coverage.lived(lane.name(), trial.batchSize(), crashed ? crash : null);
    if (crashed) {
      coverage.met(lane, Objects.requireNonNull(crash), agreeing);
    } else if (crash != null) {
      // The crash was never reached. A polite end makes room for the next life, and adds nothing:
      // what an auto-committing client commits on close, a drained lane has committed already.
      lane.stop();
      agreeing = agreeing(lane, modelOf, ends, false);
    } else {
      Recount recount = experiment.recount(lane.name());
      if (!Boolean.TRUE.equals(recount.agrees())) {
        throw new AssertionError("the recount does not agree: " + recount.difference());
      }
    }
    return agreeing;
  }

  /** Waits for the crash, or until the log is drained where the model allows that. */
  private static void awaitEnd(Lane lane, Set<End> ends) {
    boolean mayDrain = ends.stream().anyMatch(end -> !end.crashed());
    try {
      await()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .pollInterval(LOOK_AGAIN)
          .until(
              () ->
                  lane.state() != LaneState.RUNNING
                      || (mayDrain && lane.is(Lane.Condition.DRAINED)));
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "after "
              + PATIENCE.toSeconds()
              + " s the lane is "
              + lane.state()
              + " at "
              + lane.now()
              + ", rows and progress "
              + rows(lane)
              + lane.committed()
              + "; the model expects "
              + ends,
          e);
    }
  }

  private Set<State> agreeing(Lane lane, String modelOf, Set<End> ends, boolean crashed) {
    LaneState state = lane.state();
    if (!crashed && state != LaneState.RUNNING && state != LaneState.STOPPED) {
      throw new AssertionError("the lane is " + state + ": " + lane.reason());
    }
    Map<Integer, Long> committed = lane.committed();
    LaneSnapshot snapshot = experiment.snapshot(lane.name());
    if (snapshot.progress().isEmpty()) {
      throw new AssertionError("the snapshot has no progress: " + snapshot.verdict().why());
    }
    Long progress = committed(snapshot);
    boolean late = LaneModel.clientCommits(modelOf);
    if (!late && !Objects.equals(committed.get(0), progress)) {
      throw new AssertionError(
          "the snapshot says progress " + progress + ", its keeper " + committed.get(0));
    }
    String seen = seen(lane);
    Set<State> agreeing = new LinkedHashSet<>();
    Set<State> possibleLater = new LinkedHashSet<>();
    for (End end : ends) {
      if (end.crashed() == crashed && expected(lane, end.state()).equals(seen)) {
        if (Objects.equals(end.state().progress(), progress)) {
          agreeing.add(end.state());
        }
        // A commit that a client sent before its death may still arrive, now or later.
        if (late && !isBefore(end.state().progress(), progress)) {
          possibleLater.add(end.state());
        }
      }
    }
    if (agreeing.isEmpty()) {
      throw new AssertionError(
          (crashed ? "crashed with " : "drained with ")
              + seen
              + ", progress "
              + progress
              + "\n  expected one of\n    "
              + ends.stream()
                  .map(
                      end ->
                          (end.crashed() ? "crashed with " : "drained with ")
                              + expected(lane, end.state())
                              + ", progress "
                              + end.state().progress())
                  .collect(Collectors.joining("\n    ")));
    }
    List<Row> rows = agreeing.iterator().next().rows();
    List<String> differences =
        NaiveCount.of(lane.name(), log, rows, progress == null ? Map.of() : Map.of(0, progress))
            .differences(snapshot);
    if (!differences.isEmpty()) {
      throw new AssertionError(
          "with " + seen + ", progress " + progress + ": " + String.join("; ", differences));
    }
    return late ? possibleLater : agreeing;
  }

  private static @Nullable Long committed(LaneSnapshot snapshot) {
    return snapshot.progress().get(0).committed();
  }

  private static boolean isBefore(@Nullable Long one, @Nullable Long other) {
    return other != null && (one == null || one < other);
  }

  // --- what lies in the sink, as text: of the lane, and of a state of the model ---

  private String seen(Lane lane) {
    if (lane.rule().shape() == Shape.BALANCE) {
      return balances(HostedGuarantee.in(lane).table().balances());
    }
    String rows = rows(lane);
    return lane.rule().shape() == Shape.DEDUPLICATED_ON_READ
        ? rows + " view " + rows(HostedGuarantee.in(lane).table().page(0, 1000, true))
        : rows;
  }

  private static String rows(Lane lane) {
    return lane.rule().shape() == Shape.BALANCE
        ? balances(HostedGuarantee.in(lane).table().balances())
        : rows(HostedGuarantee.in(lane).table().page(0, 1000, false));
  }

  private static String rows(List<SinkRow> rows) {
    return rows.stream()
        .map(
            row ->
                text(
                    new Order(row.orderId(), row.amount(), row.eventTime(), row.customer()),
                    row.partition(),
                    row.offset(),
                    row.life(),
                    row.writes()))
        .collect(Collectors.joining(" ", "[", "]"));
  }

  private String expected(Lane lane, State state) {
    if (lane.rule().shape() == Shape.BALANCE) {
      Map<String, BigDecimal> balances = new TreeMap<>();
      for (Row row : state.rows()) {
        Order order = log.get((int) row.offset()).order();
        balances.merge(
            order.customer() == null ? "all" : order.customer(), order.amount(), BigDecimal::add);
      }
      return balances(balances);
    }
    String rows = text(state.rows());
    if (lane.rule().shape() != Shape.DEDUPLICATED_ON_READ) {
      return rows;
    }
    Set<Long> met = new HashSet<>();
    List<Row> view = state.rows().stream().filter(row -> met.add(row.offset())).toList();
    return rows + " view " + text(view);
  }

  private String text(List<Row> rows) {
    return rows.stream()
        .map(
            row ->
                text(
                    log.get((int) row.offset()).order(),
                    row.partition(),
                    row.offset(),
                    row.life(),
                    row.writes()))
        .collect(Collectors.joining(" ", "[", "]"));
  }

  private static String text(Order order, int partition, long offset, int life, int writes) {
    return order.orderId()
        + (order.customer() == null ? "" : "/" + order.customer())
        + "="
        + order.amount()
        + " p"
        + partition
        + "@"
        + offset
        + " life "
        + life
        + (writes == 1 ? "" : " writes " + writes)
        + ",";
  }

  private static String balances(Map<String, BigDecimal> balances) {
    return balances.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
        .map(each -> each.getKey() + "=" + each.getValue().setScale(2))
        .toList()
        .toString();
  }
}
