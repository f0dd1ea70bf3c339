package dev.deliverylab.scenario;

import dev.deliverylab.experiment.Experiment;
import dev.deliverylab.experiment.Experiments;
import dev.deliverylab.experiment.Watch;
import dev.deliverylab.history.History;
import dev.deliverylab.history.Patience;
import dev.deliverylab.lane.Pace;
import dev.deliverylab.time.TimeLab;
import dev.deliverylab.time.WindowLanes;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The runs of scenarios: one at a time, in the background, each on an experiment or a time log of
 * its own. A failed expectation makes the run FAILED and the script goes on, as the numbers behind
 * it may tell more; an action that cannot be done ends it, as the numbers behind it would tell
 * nothing. The last {@value #KEPT} runs are remembered.
 */
public final class Runs implements AutoCloseable {

  /** Runs that are remembered. */
  public static final int KEPT = 200;

  private static final Logger LOG = LoggerFactory.getLogger(Runs.class);
  private static final Duration CLOSING = Duration.ofSeconds(30);

  private final RunRows rows;
  private final Experiments experiments;
  private final TimeLab time;
  private final History history;
  private final Watch watch;
  private final Pace pace;
  private final Patience patience;
  private final Patience patienceInTime;
  private final JsonMapper json;
  private final Clock clock;
  private @Nullable Work work;

  /** There is a run already. */
  public static final class UnderWay extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnderWay(Run run) {
      super(
          "run "
              + run.id()
              + " of "
              + run.scenario()
              + " is under way; wait for its end, or stop it: DELETE /api/runs/"
              + run.id());
    }
  }

  /** There is no run of that number. */
  public static final class Unknown extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Unknown(long id, List<RunRow> newest) {
      super(
          "there is no run "
              + id
              + (newest.isEmpty()
                  ? "; none was started yet"
                  : "; the last " + KEPT + " are remembered, the newest is " + newest.get(0).id()));
    }
  }

  Runs(
      RunRows rows,
      Experiments experiments,
      TimeLab time,
      History history,
      Watch watch,
      Pace pace,
      JsonMapper json,
      Clock clock) {
    this.rows = rows;
    this.experiments = experiments;
    this.time = time;
    this.history = history;
    this.watch = watch;
    this.pace = pace;
    this.patience = new Patience(history);
    this.patienceInTime = new Patience(time.history());
    this.json = json;
    this.clock = clock;
    for (RunRow row : rows.findByState(Run.State.RUNNING)) {
      List<Run.Step> steps = new ArrayList<>(steps(row));
      steps.add(Run.Step.failed("run", "The lab was killed while the run was under way."));
      rows.save(stored(row, Run.State.FAILED, steps));
    }
  }

  /**
   * Starts a run; it replaces the current experiment, or the current time log.
   *
   * @throws UnderWay while there is one already
   */
  public synchronized Run start(Scenario scenario) {
    Work before = work;
    if (before != null && !before.now().isOver()) {
      throw new UnderWay(before.now());
    }
    RunRow row =
        rows.save(
            new RunRow(
                null,
                scenario.name(),
                scenario.title(),
                scenario.ofTime(),
                Run.State.RUNNING,
                scenario.script().planned(),
                "[]",
                clock.instant(),
                null));
    rows.forgetUpTo(idOf(row) - KEPT);
    Work next = new Work(scenario, row);
    work = next;
    Thread thread = new Thread(next, "scenario-run-" + idOf(row));
    thread.setDaemon(true);
    thread.start();
    return next.now();
  }

  /**
   * @throws Unknown for a number that no remembered run has
   */
  public Run run(long id) {
    return find(id).orElseThrow(() -> new Unknown(id, rows.newest(1)));
  }

  /** The same, or empty for a number that no remembered run has. */
  public Optional<Run> find(long id) {
    Work current = current();
    return current != null && current.id == id
        ? Optional.of(current.now())
        : rows.findById(id).map(this::run);
  }

  /** The newest first. */
  public List<Run> latest(int limit) {
    Work current = current();
    return rows.newest(limit).stream()
        .map(row -> current != null && current.id == idOf(row) ? current.now() : run(row))
        .toList();
  }

  /**
   * The newest run, if it made this experiment or is about to make one: after a reset its verdict
   * says nothing about what is shown.
   */
  public Optional<Run> latestIn(long experiment) {
    Work current = current();
    return current != null
            && (current.experiment == experiment || current.state == Run.State.RUNNING)
        ? Optional.of(current.now())
        : Optional.empty();
  }

  /** The same for this time log; what is at work in an experiment does not concern it. */
  public Optional<Run> latestInTime(long log) {
    Work current = current();
    return current != null
            && current.scenario.ofTime()
            && (current.timeLog == log || current.state == Run.State.RUNNING)
        ? Optional.of(current.now())
        : Optional.empty();
  }

  /** The run at the end of this time, or at its own end if that comes first. */
  public Run await(long id, Duration timeout) {
    Work current = current();
    if (current != null && current.id == id) {
      current.awaitEnd(timeout);
    }
    return run(id);
  }

  /**
   * Ends a run before its end; one that is over stays as it is. The step at work is finished first,
   * so nothing is left half done; after 30 s of waiting for that, the run is answered as it stands.
   */
  public Run stop(long id) {
    Work current = current();
    if (current != null && current.id == id) {
      current.stop("Stopped before its end, by request.");
      current.awaitEnd(CLOSING);
    }
    return run(id);
  }

  /** Ends the run that is under way, if any. */
  @Override
  public void close() {
    Work current = current();
    if (current != null && !current.now().isOver()) {
      current.stop("The lab was ended while the run was under way.");
      current.awaitEnd(CLOSING);
    }
  }

  private synchronized @Nullable Work current() {
    return work;
  }

  private Run run(RunRow row) {
    return new Run(
        idOf(row),
        row.scenario(),
        row.title(),
        row.ofTime(),
        row.state(),
        steps(row),
        row.planned(),
        null);
  }

  private List<Run.Step> steps(RunRow row) {
    return json.readValue(row.report(), new TypeReference<List<Run.Step>>() {});
  }

  private RunRow stored(RunRow row, Run.State state, List<Run.Step> steps) {
    return new RunRow(
        row.id(),
        row.scenario(),
        row.title(),
        row.ofTime(),
        state,
        row.planned(),
        json.writeValueAsString(steps),
        row.startedAt(),
        state == Run.State.RUNNING ? null : clock.instant());
  }

  private static long idOf(RunRow row) {
    return Objects.requireNonNull(row.id());
  }

  /** One run while it is under way, and after it until the next one starts. */
  private final class Work implements Runnable, Script.Player {

    private final Scenario scenario;
    private final RunRow row;
    private final long id;
    private final List<Run.Step> steps = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile Run.State state = Run.State.RUNNING;
    private volatile @Nullable String doing;
    private volatile @Nullable String stopped;
    private volatile long experiment;
    private volatile long timeLog;

    Work(Scenario scenario, RunRow row) {
      this.scenario = scenario;
      this.row = row;
      this.id = idOf(row);
    }

    /** The state is read first: a run that is over has all its steps. */
    Run now() {
      Run.State known = state;
      return new Run(
          id,
          scenario.name(),
          scenario.title(),
          scenario.ofTime(),
          known,
          steps,
          row.planned(),
          known == Run.State.RUNNING ? doing : null);
    }

    void stop(String reason) {
      stopped = reason;
    }

    void awaitEnd(Duration timeout) {
      try {
        boolean unused = end.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void run() {
      boolean well = false;
      // In slow motion a client's own commits fall elsewhere, and some expected numbers with them.
      pace.set(Duration.ZERO);
      try {
        well = scenario.script().play(this);
      } catch (RuntimeException | Error e) {
        LOG.error("Run {} of {} ended unexpectedly", id, scenario.name(), e);
        add(Run.Step.failed("run", "The lab did not expect this: " + reason(e)));
      } finally {
        finish(well ? Run.State.PASSED : Run.State.FAILED);
      }
    }

    @Override
    public boolean inExperiment(List<Line<Experiment>> lines) {
      return play(
          "new experiment",
          new ExperimentRoom(experiments),
          history,
          patience,
          lines,
          mine -> experiment = mine.id());
    }

    @Override
    public boolean inTime(List<Line<WindowLanes>> lines) {
      return play(
          "new time log",
          new TimeRoom(time),
          time.history(),
          patienceInTime,
          lines,
          mine -> timeLog = mine.number());
    }

    private <P> boolean play(
        String beginning,
        Room<P> room,
        History ofRoom,
        Patience inRoom,
        List<Line<P>> lines,
        Consumer<P> began) {
      P mine;
      try {
        begin(beginning);
        mine = room.create(scenario.partitions(), scenario.batchSize());
        began.accept(mine);
      } catch (RuntimeException e) {
        LOG.warn("Run {}: no {}: {}", id, beginning, e.getMessage());
        add(Run.Step.failed(beginning, reason(e)));
        return false;
      }
      Stage<P> stage = new Stage<>(room, mine, ofRoom, inRoom, () -> stopped);
      boolean well = true;
      for (Line<P> line : lines) {
        try {
          stage.check();
          begin(line.action());
          Run.Step step = line.on(stage);
          well &= step.ok();
          add(step);
        } catch (RunEnded e) {
          add(Run.Step.failed("run", e.getMessage()));
          return false;
        } catch (RuntimeException e) {
          LOG.debug("{} could not be done", line.action(), e);
          // What is not there any more fails in ways that say nothing.
          String over = stage.over();
          if (over == null) {
            add(Run.Step.failed(line.action(), reason(e)));
            over = "Ended here: what comes behind an action that was not done tells nothing.";
          }
          add(Run.Step.failed("run", over));
          return false;
        }
      }
      return well;
    }

    private void begin(String action) {
      doing = action;
      tell();
    }

    private void tell() {
      watch.nudge();
      time.nudge();
    }

    /** Kept at once, so that a lab that is started after a kill knows what was done. */
    private void add(Run.Step step) {
      steps.add(step);
      save(Run.State.RUNNING);
      tell();
    }

    private static String reason(Throwable e) {
      String message = e.getMessage();
      return message == null ? e.toString() : message;
    }

    private void finish(Run.State last) {
      save(last);
      state = last;
      tell();
      end.countDown();
    }

    private void save(Run.State known) {
      try {
        rows.save(stored(row, known, steps));
      } catch (RuntimeException e) {
        LOG.warn("Run {} of {} could not be stored: {}", id, scenario.name(), e.getMessage());
      }
    }
  }
}
