package dev.deliverylab.web;

import dev.deliverylab.DataFolder;
import dev.deliverylab.check.Cell;
import dev.deliverylab.check.OrderInLane;
import dev.deliverylab.experiment.Experiment;
import dev.deliverylab.experiment.Experiments;
import dev.deliverylab.experiment.LaneSnapshot;
import dev.deliverylab.experiment.Watch;
import dev.deliverylab.guarantee.Guarantees;
import dev.deliverylab.history.Event;
import dev.deliverylab.history.History;
import dev.deliverylab.lane.Pace;
import dev.deliverylab.log.LogUnreachable;
import dev.deliverylab.log.Truth;
import dev.deliverylab.scenario.Run;
import dev.deliverylab.scenario.Runs;
import dev.deliverylab.scenario.Scenarios;
import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.SinkRow;
import dev.deliverylab.sink.SinkUnreachable;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The board over the current experiment. */
@Component
final class ExperimentBoard implements Board {

  private static final long FOLDER_MEASURED_NANOS = 5_000_000_000L;

  /** What befalls a lane befalls every order in it. */
  private static final Set<Event.Kind> BEFALL_ALL =
      Set.of(Event.Kind.CRASHED, Event.Kind.FAILED, Event.Kind.FENCED, Event.Kind.REPLAYED);

  private final Experiments experiments;
  private final Watch watch;
  private final History history;
  private final Pace pace;
  private final dev.deliverylab.log.Load load;
  private final DataFolder folder;
  private final Runs runs;
  private final Scenarios scenarios;
  private volatile long folderBytes;
  private volatile long folderMeasuredAt;

  ExperimentBoard(
      Experiments experiments,
      Watch watch,
      History history,
      Pace pace,
      dev.deliverylab.log.Load load,
      DataFolder folder,
      Runs runs,
      Scenarios scenarios) {
    this.experiments = experiments;
    this.watch = watch;
    this.history = history;
    this.pace = pace;
    this.load = load;
    this.folder = folder;
    this.runs = runs;
    this.scenarios = scenarios;
    this.folderMeasuredAt = System.nanoTime() - 2 * FOLDER_MEASURED_NANOS;
  }

  @Override
  public long version() {
    return watch.version();
  }

  @Override
  public State state() {
    Experiment experiment = experiments.current();
    Truth.Totals totals = experiment.truth().totals();
    List<Partition> log = log(experiment, totals);
    List<Lane> lanes =
        experiment.snapshots().stream()
            .map(snapshot -> lane(experiment, snapshot, window(experiment, log)))
            .toList();
    return new State(
        experiment.id(),
        experiment.partitions(),
        experiment.batchSize(),
        totals,
        log,
        lanes,
        loadAtWork(),
        runs.latestIn(experiment.id()).orElse(null),
        scenarios.names(false),
        folderBytes(),
        (int) pace.perStep().toMillis());
  }

  @Override
  public Optional<Detail> lane(String name) {
    Experiment experiment = experiments.current();
    if (experiment.lanes().stream().noneMatch(lane -> lane.name().equals(name))) {
      return Optional.empty();
    }
    var lane = experiment.lane(name);
    List<Partition> log = log(experiment, experiment.truth().totals());
    List<Row> rows = ifTheSinkAnswers(() -> rows(experiment, lane), List.of());
    return Optional.of(
        new Detail(
            experiment.id(),
            experiment.batchSize(),
            (int) pace.perStep().toMillis(),
            lane(experiment, experiment.snapshot(name), window(experiment, log)),
            log,
            Guarantees.named(lane.name()).getClass().getSimpleName(),
            experiment.table(lane.name()).shape(),
            rows,
            experiment.table(lane.name()).shape() == Shape.DEDUPLICATED_ON_READ
                ? rows.stream().filter(row -> !row.hidden()).map(Row::row).toList()
                : List.of(),
            experiment.table(lane.name()).shape() == Shape.BALANCE
                ? ifTheSinkAnswers(() -> experiment.table(lane.name()).balances(), Map.of())
                : Map.of(),
            lane.position(),
            history.newest(name, LIST)));
  }

  @Override
  public Orders orders(@Nullable String search, long from, int limit) {
    Experiment experiment = experiments.current();
    List<Truth.Entry> firsts =
        search == null || search.isBlank()
            ? firsts(experiment.truth(), from, Math.min(limit, LIST))
            : found(experiment.truth(), search.strip());
    Map<BigInteger, Map<String, Cell>> cells = new HashMap<>();
    for (var lane : experiment.lanes()) {
      for (Cell cell :
          ifTheSinkAnswers(() -> experiment.count(lane.name()).cells(firsts), List.<Cell>of())) {
        cells.computeIfAbsent(cell.orderId(), id -> new LinkedHashMap<>()).put(lane.name(), cell);
      }
    }
    List<OrderRow> rows =
        firsts.stream()
            .map(
                entry ->
                    new OrderRow(
                        entry.record().order(),
                        cells.getOrDefault(entry.record().order().orderId(), Map.of())))
            .toList();
    long matching =
        search == null || search.isBlank() ? experiment.truth().totals().orders() : rows.size();
    return new Orders(
        experiment.lanes().stream().map(dev.deliverylab.lane.Lane::name).toList(), rows, matching);
  }

  @Override
  public Optional<Life> life(BigInteger orderId) {
    Experiment experiment = experiments.current();
    List<Truth.Entry> records = experiment.truth().entriesOf(orderId);
    if (records.isEmpty()) {
      return Optional.empty();
    }
    List<LaneLife> lanes = new ArrayList<>();
    for (var lane : experiment.lanes()) {
      Optional<OrderInLane> where =
          ifTheSinkAnswers(
              () -> experiment.count(lane.name()).where(orderId), Optional.<OrderInLane>empty());
      List<Event> events =
          history.newest(lane.name(), Integer.MAX_VALUE).stream()
              .filter(event -> orderId.equals(event.orderId()) || BEFALL_ALL.contains(event.kind()))
              .limit(LIST)
              .toList();
      lanes.add(
          new LaneLife(
              lane.name(),
              where.map(OrderInLane::cell).orElse(null),
              where
                  .map(w -> w.effects().stream().map(OrderInLane.Effect::row).limit(LIST).toList())
                  .orElse(List.of()),
              events));
    }
    return Optional.of(new Life(records.get(0).record().order(), records, lanes));
  }

  @Override
  public Optional<Run> run(long id) {
    return runs.find(id);
  }

  /** The log as far as these totals know it, so that one page does not contradict itself. */
  private static List<Partition> log(Experiment experiment, Truth.Totals totals) {
    Map<Integer, Long> next = totals.positions();
    Map<Integer, Long> start = starts(experiment);
    List<Partition> partitions = new ArrayList<>();
    for (int partition = 0; partition < experiment.partitions(); partition++) {
      long end = next.getOrDefault(partition, 0L);
      partitions.add(
          new Partition(
              partition,
              start.getOrDefault(partition, 0L),
              end,
              experiment.truth().entries(partition, Math.max(0, end - WINDOW), WINDOW).stream()
                  .map(Truth.Entry::record)
                  .filter(record -> record.offset() < end)
                  .toList()));
    }
    return partitions;
  }

  /** Where each partition begins; where the broker does not say, nothing is known to be gone. */
  private static Map<Integer, Long> starts(Experiment experiment) {
    try {
      return experiment.log().startOffsets();
    } catch (LogUnreachable e) {
      return Map.of();
    }
  }

  private static List<Truth.Entry> window(Experiment experiment, List<Partition> log) {
    List<Truth.Entry> entries = new ArrayList<>();
    for (Partition partition : log) {
      entries.addAll(
          experiment
              .truth()
              .entries(partition.partition(), Math.max(0, partition.end() - WINDOW), WINDOW));
    }
    return entries;
  }

  private static Lane lane(Experiment experiment, LaneSnapshot snapshot, List<Truth.Entry> window) {
    var lane = experiment.lane(snapshot.lane());
    return new Lane(
        snapshot,
        lane.rule().keeper(),
        ifTheSinkAnswers(() -> experiment.count(lane.name()).cells(window), List.of()),
        ifTheSinkAnswers(() -> chips(experiment, lane), List.of()));
  }

  private static List<Chip> chips(Experiment experiment, dev.deliverylab.lane.Lane lane) {
    List<SinkRow> newest = experiment.table(lane.name()).newest(CHIPS);
    Map<BigInteger, List<SinkRow>> byOrder = byOrder(experiment, lane.name(), newest);
    return newest.stream()
        .map(
            row ->
                new Chip(
                    row.row(),
                    row.orderId(),
                    sameAs(row, byOrder) != null,
                    hidden(experiment.table(lane.name()).shape(), row, byOrder)))
        .toList();
  }

  private static List<Row> rows(Experiment experiment, dev.deliverylab.lane.Lane lane) {
    List<SinkRow> newest = experiment.table(lane.name()).newest(LIST);
    Map<BigInteger, List<SinkRow>> byOrder = byOrder(experiment, lane.name(), newest);
    return newest.stream()
        .map(
            row ->
                new Row(
                    row,
                    sameAs(row, byOrder),
                    hidden(experiment.table(lane.name()).shape(), row, byOrder)))
        .toList();
  }

  /** A page is shown without what the sink does not say; the verdict beside it is unknown then. */
  private static <T> T ifTheSinkAnswers(Supplier<T> question, T nothing) {
    try {
      return question.get();
    } catch (SinkUnreachable e) {
      return nothing;
    }
  }

  private static Map<BigInteger, List<SinkRow>> byOrder(
      Experiment experiment, String lane, List<SinkRow> rows) {
    Set<BigInteger> ids = new HashSet<>();
    rows.forEach(row -> ids.add(row.orderId()));
    Map<BigInteger, List<SinkRow>> byOrder = new HashMap<>();
    if (!ids.isEmpty()) {
      for (SinkRow row : experiment.table(lane).rowsOf(ids)) {
        byOrder.computeIfAbsent(row.orderId(), id -> new ArrayList<>()).add(row);
      }
    }
    return byOrder;
  }

  /** The number of the first row with this order, if that is an earlier one. */
  private static @Nullable Long sameAs(SinkRow row, Map<BigInteger, List<SinkRow>> byOrder) {
    return byOrder.getOrDefault(row.orderId(), List.of()).stream()
        .map(SinkRow::row)
        .filter(number -> number < row.row())
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  private static boolean hidden(Shape shape, SinkRow row, Map<BigInteger, List<SinkRow>> byOrder) {
    return shape == Shape.DEDUPLICATED_ON_READ
        && byOrder.getOrDefault(row.orderId(), List.of()).stream()
            .min(SinkRow.AS_THE_VIEW_PREFERS)
            .map(shown -> shown.row() != row.row())
            .orElse(false);
  }

  private static List<Truth.Entry> firsts(Truth truth, long from, int limit) {
    List<Truth.Entry> firsts = new ArrayList<>();
    for (long block = from / Truth.BLOCK; firsts.size() < limit; block++) {
      List<Truth.Entry> entries = truth.block((int) block);
      if (entries.isEmpty()) {
        break;
      }
      entries.stream()
          .filter(entry -> entry.kind() == Truth.Kind.FIRST && entry.ordinal() >= from)
          .sorted(Comparator.comparingLong(Truth.Entry::ordinal))
          .limit(limit - firsts.size())
          .forEach(firsts::add);
    }
    return firsts;
  }

  private static List<Truth.Entry> found(Truth truth, String search) {
    if (!search.matches("[0-9]{1,64}")) {
      return List.of();
    }
    return truth.entriesOf(new BigInteger(search)).stream()
        .filter(entry -> entry.kind() == Truth.Kind.FIRST)
        .toList();
  }

  private @Nullable Load loadAtWork() {
    return load.progress()
        .filter(progress -> progress.state() == dev.deliverylab.log.Load.State.RUNNING)
        .map(progress -> new Load(progress.appended(), progress.target(), load.perSecond()))
        .orElse(null);
  }

  private long folderBytes() {
    long now = System.nanoTime();
    if (now - folderMeasuredAt > FOLDER_MEASURED_NANOS) {
      folderMeasuredAt = now;
      folderBytes = folder.bytes(".");
    }
    return folderBytes;
  }
}
