package dev.deliverylab.experiment;

import dev.deliverylab.check.Count;
import dev.deliverylab.check.InHand;
import dev.deliverylab.check.Position;
import dev.deliverylab.check.Recount;
import dev.deliverylab.check.RunningCount;
import dev.deliverylab.lane.HostedGuarantee;
import dev.deliverylab.lane.Lane;
import dev.deliverylab.lane.LaneUnavailable;
import dev.deliverylab.lane.Standing;
import dev.deliverylab.log.InLog;
import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import dev.deliverylab.log.OrderLog;
import dev.deliverylab.log.Truth;
import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.SinkTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One log, its lanes and their sinks, and the count of each lane. */
public final class Experiment {

  private static final Logger LOG = LoggerFactory.getLogger(Experiment.class);

  /** How long one answer may go on counting before it says that more is to come. */
  private static final Duration COUNTING = Duration.ofSeconds(5);

  /** How long an append waits for the truth to have read it. */
  private static final Duration READING = Duration.ofSeconds(5);

  private static final String SINK_KEEPS_IT =
      "The sink does not answer, and it keeps the progress of this lane.";

  private final long id;
  private final int partitions;
  private final int batchSize;
  private final OrderLog log;
  private final Truth truth;
  private final ProgressReader progress;
  private final Map<String, Lane> lanes = new LinkedHashMap<>();
  private final Map<String, RunningCount> counts = new HashMap<>();

  Experiment(
      long id,
      int partitions,
      int batchSize,
      OrderLog log,
      Truth truth,
      ProgressReader progress,
      List<Lane> lanes) {
    this.id = id;
    this.partitions = partitions;
    this.batchSize = batchSize;
    this.log = log;
    this.truth = truth;
    this.progress = progress;
    for (Lane lane : lanes) {
      this.lanes.put(lane.name(), lane);
      this.counts.put(
          lane.name(), new RunningCount(lane.rule().promise(), truth, table(lane.name())));
    }
  }

  public long id() {
    return id;
  }

  public int partitions() {
    return partitions;
  }

  /** Most records of one poll. */
  public int batchSize() {
    return batchSize;
  }

  public OrderLog log() {
    return log;
  }

  public Truth truth() {
    return truth;
  }

  public List<Lane> lanes() {
    return List.copyOf(lanes.values());
  }

  /**
   * @throws UnknownLane listing the lanes there are
   */
  public Lane lane(String name) {
    Lane lane = lanes.get(name);
    if (lane == null) {
      throw new UnknownLane(name);
    }
    return lane;
  }

  /** Where this lane's effects land. */
  public SinkTable table(String lane) {
    return HostedGuarantee.in(lane(lane)).table();
  }

  /**
   * Appends one order a request, and returns when the truth has read them, too. An id that comes a
   * second time waits for that in between: so the first content wins also where the two lie in
   * different partitions, between which Kafka has no order.
   *
   * @throws dev.deliverylab.log.AppendFailed at the first that is not acknowledged
   */
  public List<LogRecord> append(List<Order> orders) {
    return log.appendEach(orders, this::awaitTruth);
  }

  private void awaitTruth(List<LogRecord> appended) {
    if (!truth.await(InLog.behind(appended), READING)) {
      LOG.warn("The truth has not read what was appended {} s ago", READING.toSeconds());
    }
  }

  /** The running count of a lane. */
  public RunningCount count(String lane) {
    return Objects.requireNonNull(counts.get(lane(lane).name()));
  }

  /** Every lane, counted up to now. */
  public List<LaneSnapshot> snapshots() {
    return snapshots(lanes());
  }

  /** One lane, counted up to now. */
  public LaneSnapshot snapshot(String lane) {
    return snapshots(List.of(lane(lane))).get(0);
  }

  /** Counts a lane from nothing and compares; a difference makes its verdict unknown. */
  public Recount recount(String name) {
    Lane lane = lane(name);
    try {
      List<Position> positions = progress.read(List.of(lane)).get(name);
      if (positions == null) {
        throw new LaneUnavailable(SINK_KEEPS_IT, new IllegalStateException());
      }
      refresh(lane, positions, System.nanoTime() + COUNTING.toNanos());
      return count(name).recount(next(positions), () -> inHand(lane), rewoundInVain(lane));
    } catch (ProgressReader.Unreadable e) {
      throw new LaneUnavailable(String.valueOf(e.getMessage()), e);
    }
  }

  private List<LaneSnapshot> snapshots(List<Lane> asked) {
    Map<String, List<Position>> positions;
    String unreadable = SINK_KEEPS_IT;
    try {
      positions = progress.read(asked);
    } catch (ProgressReader.Unreadable e) {
      positions = Map.of();
      unreadable = String.valueOf(e.getMessage());
    }
    List<LaneSnapshot> snapshots = new ArrayList<>(asked.size());
    long until = System.nanoTime() + COUNTING.toNanos();
    for (Lane lane : asked) {
      List<Position> mine = positions.get(lane.name());
      snapshots.add(
          mine == null
              ? snapshot(lane, List.of(), count(lane.name()).unreadable(unreadable))
              : snapshot(lane, mine, refresh(lane, mine, until)));
    }
    return List.copyOf(snapshots);
  }

  /** All lanes that are asked for share the time; each gets one slice at least. */
  private Count refresh(Lane lane, List<Position> positions, long until) {
    RunningCount running = count(lane.name());
    Count count = running.refresh(next(positions), () -> inHand(lane), rewoundInVain(lane));
    while (count.more() && System.nanoTime() < until) {
      count = running.refresh(next(positions), () -> inHand(lane), rewoundInVain(lane));
    }
    return count;
  }

  /** A rewind is beyond the promise of a lane whose table takes every write as a new row. */
  private boolean rewoundInVain(Lane lane) {
    return lane.rewound() && table(lane.name()).shape() == Shape.APPEND_ONLY;
  }

  private static Map<Integer, Long> next(List<Position> positions) {
    Map<Integer, Long> next = new HashMap<>();
    for (Position position : positions) {
      Long committed = position.committed();
      if (committed != null) {
        next.put(position.partition(), committed);
      }
    }
    return next;
  }

  private static InHand inHand(Lane lane) {
    return InHand.of(
        lane.inHand().stream()
            .map(record -> new InHand.Place(record.partition(), record.offset()))
            .toList());
  }

  private LaneSnapshot snapshot(Lane lane, List<Position> positions, Count count) {
    Standing standing = Standing.of(lane);
    return new LaneSnapshot(
        lane.name(),
        lane.state(),
        lane.reason(),
        lane.groupId(),
        standing.steps(),
        standing.armed(),
        lane.crashes(),
        lane.restarts(),
        lane.life(),
        standing.now(),
        standing.lastCrash(),
        positions,
        count.sink(),
        count.truth(),
        count.counts(),
        count.kinds(),
        count.recognised(),
        count.verdict());
  }
}
