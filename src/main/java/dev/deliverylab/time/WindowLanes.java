package dev.deliverylab.time;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.broker.BrokerUnavailable;
import dev.deliverylab.lane.Lane;
import dev.deliverylab.lane.Lanes;
import dev.deliverylab.lane.Rewind;
import dev.deliverylab.lane.Source;
import dev.deliverylab.sink.LedgerRow;
import dev.deliverylab.sink.Sinks;
import dev.deliverylab.sink.WindowTable;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One time log, what is known of it, its clock, and its lanes. */
public final class WindowLanes implements AutoCloseable {

  static final List<String> NAMES = Stream.of(LateRule.values()).map(LateRule::label).toList();

  private static final Logger LOG = LoggerFactory.getLogger(WindowLanes.class);
  private static final Duration READ = Duration.ofSeconds(10);
  private static final int QUEUED = 100_000;

  private final TimeLog log;
  private final Arrivals arrivals;
  private final Curves curves;
  private final Feeder feeder;
  private final Clock wall;
  private final Consumer<Boolean> remember;
  private final Map<String, Lane> lanes = new LinkedHashMap<>();
  private final Map<String, Windowed> windows = new HashMap<>();
  private final Map<String, LaneReader> readers = new HashMap<>();
  private volatile boolean onWallClock;

  /**
   * @param remember keeps whether the wall clock rules
   * @param onChange called when something was read from the log
   */
  WindowLanes(
      TimeLog log,
      Broker broker,
      Sinks sinks,
      Lanes maker,
      Clock wall,
      boolean onWallClock,
      Consumer<Boolean> remember,
      Runnable onChange) {
    this.log = log;
    this.wall = wall;
    this.onWallClock = onWallClock;
    this.remember = remember;
    this.arrivals = new Arrivals(broker, log, onChange);
    this.curves = new Curves(arrivals, log.partitions(), onChange);
    this.feeder = new Feeder(this::append);
    Source source =
        new Source(
            "time-" + log.number(),
            log.number(),
            log.scope(),
            log.topic(),
            log.partitions(),
            log.batchSize());
    for (LateRule rule : LateRule.values()) {
      WindowTable table = sinks.openWindows(log.number(), rule.label());
      Windowed hosted =
          rule == LateRule.STREAMS_WINDOW
              ? new StreamsLane(log, table, broker, onChange)
              : new WindowLane(rule, log, table, broker, record -> judgedBy(rule, record));
      Lane lane = maker.open(source, hosted);
      windows.put(rule.label(), hosted);
      lanes.put(rule.label(), lane);
      readers.put(rule.label(), new LaneReader(lane, hosted, log, arrivals));
    }
  }

  /** On the wall clock a record arrives when it is read; the event-time rule asks no clock. */
  private TimeRecord judgedBy(LateRule rule, TimeRecord record) {
    if (!onWallClock || rule == LateRule.EVENT_TIME_WATERMARK) {
      return record;
    }
    Instant now = wall.instant();
    return record instanceof ArrivedOrder order
        ? new ArrivedOrder(order.partition(), order.offset(), now, order.order())
        : new ClockReading(record.partition(), record.offset(), now);
  }

  public List<Lane> lanes() {
    return List.copyOf(lanes.values());
  }

  /** The lane of this name; there must be one. */
  public Lane lane(String name) {
    return Objects.requireNonNull(lanes.get(name));
  }

  void startAll() {
    try {
      Lanes.each(lanes(), Lane::start);
    } catch (RuntimeException e) {
      // Each lane says itself why it does not run, and can be started again.
      LOG.warn("Not every window lane started: {}", e.toString());
    }
  }

  /** The log's number; each reset makes a new one. */
  public long number() {
    return log.number();
  }

  /** How many partitions the log has. */
  public int partitions() {
    return log.partitions();
  }

  /** Orders in the log, as often as they lie in it. */
  public long records() {
    return arrivals.totals().records();
  }

  /** One above the highest order id of the log, or 1. */
  public BigInteger nextId() {
    BigInteger highest = arrivals.totals().highest();
    return highest == null ? BigInteger.ONE : highest.add(BigInteger.ONE);
  }

  // --- arrivals and the clock ---

  /** What an append did: how many are in the log, and how many wait for their arrival. */
  public record Appended(int appended, int queued) {}

  /**
   * @throws IllegalArgumentException naming the datasets there are
   */
  public Appended append(String dataset) {
    return arrive(LateEvents.named(dataset));
  }

  /**
   * Lets these arrive, in order of arrival and at the pace that is set; those that arrive at once
   * are read into the truth when this returns.
   *
   * @throws IllegalArgumentException when there would be too many
   */
  public Appended arrive(List<Arrival> given) {
    if (arrivals.totals().records() + feeder.queued() + given.size() > Arrivals.MAX_ORDERS) {
      throw new IllegalArgumentException(
          "a time log holds at most " + Arrivals.MAX_ORDERS + " orders; reset it for more");
    }
    List<Arrival> ordered =
        given.stream().sorted(Comparator.comparing(Arrival::arrivalTime)).toList();
    if (feeder.pace() == ArrivalPace.AT_ONCE) {
      append(ordered);
      return new Appended(ordered.size(), 0);
    }
    if (feeder.queued() + ordered.size() > QUEUED) {
      throw new IllegalArgumentException("at most " + QUEUED + " records can wait to arrive");
    }
    feeder.add(ordered);
    return new Appended(0, ordered.size());
  }

  private void append(List<Arrival> ordered) {
    boolean unused = isRead(log.append(ordered));
  }

  /** Whether the truth holds everything below these offsets; it is given time for that. */
  private boolean isRead(Map<Integer, Long> offsets) {
    try {
      return arrivals.await(offsets, READ);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Writes the time into the log, after everything that arrives before it.
   *
   * @throws IllegalArgumentException when the clock has passed it, or is the wall's
   */
  public void advanceTo(Instant time) {
    if (onWallClock) {
      throw new IllegalArgumentException(
          "the wall clock advances by itself; {\"mode\":\"virtual\"} brings back the one that can"
              + " be advanced");
    }
    Instant now = arrivals.totals().clock();
    if (now != null && time.isBefore(now)) {
      throw new IllegalArgumentException(
          "advanceTo: " + now + " or later, as a clock goes forward only; it was " + time);
    }
    feeder.upTo(time);
    boolean unused = isRead(log.read(time));
  }

  /** The next of those that wait arrive; returns how many there were. */
  public int step(int records) {
    return feeder.step(records);
  }

  public void pace(ArrivalPace pace) {
    feeder.pace(pace);
  }

  /** Whether arrivals are judged by the time at which a lane reads them. */
  public void onWallClock(boolean wallClock) {
    onWallClock = wallClock;
    remember.accept(wallClock);
  }

  /**
   * Begins a new run under another policy: the lane reads the log from its start. A lane that was
   * crashed is stopped afterwards, others go on as they were.
   */
  public void follow(String lane, Policy policy) {
    Windowed hosted = Objects.requireNonNull(windows.get(lane));
    hosted.follow(policy);
    try {
      Rewind.Plan unused =
          lane(lane).replay(new Rewind(Rewind.Target.EARLIEST, null, null, null, false));
    } finally {
      hosted.follow(null);
    }
  }

  public Policy policy(String lane) {
    return Objects.requireNonNull(windows.get(lane)).policy();
  }

  // --- what there is to see ---

  public TimeSnapshot snapshot() {
    Arrivals.Totals totals = arrivals.totals();
    return new TimeSnapshot(
        log.number(),
        log.partitions(),
        log.batchSize(),
        clock(totals),
        totals.records(),
        totals.ahead(),
        totals.total(),
        NAMES.stream().map(name -> reader(name).snapshot()).toList());
  }

  public TimeSnapshot.ClockView clock() {
    return clock(arrivals.totals());
  }

  private TimeSnapshot.ClockView clock(Arrivals.Totals totals) {
    return new TimeSnapshot.ClockView(
        onWallClock ? wall.instant() : totals.clock(),
        onWallClock ? "wall" : "virtual",
        feeder.pace().label(),
        feeder.queued());
  }

  public WindowLaneSnapshot snapshot(String lane) {
    return reader(lane).snapshot();
  }

  /**
   * The lane as it is now, beside the whole truth: what was known before is no answer here.
   *
   * @throws RuntimeException when the log or the lane's sink cannot be read now
   */
  public WindowLaneSnapshot fresh(String lane) {
    if (!isRead(lane(lane).end())) {
      throw new BrokerUnavailable(
          "The time log could not be read to its end within " + READ.toSeconds() + " s.");
    }
    return reader(lane).fresh();
  }

  /** Windows that start after this time, in order of time. */
  public List<WindowLaneSnapshot.WindowView> windows(
      String lane, @Nullable Instant after, int limit) {
    return reader(lane).windows(after == null ? Instant.EPOCH.minusSeconds(1) : after, limit);
  }

  /** Late records above {@code seq}, in the order in which the lane met them. */
  public List<LedgerRow> late(String lane, long seq, int limit) {
    return reader(lane).late(seq, limit);
  }

  /** What each bound would cost this lane on the log as it is. */
  public Curve curve(String lane) {
    return curves.now(Objects.requireNonNull(windows.get(lane)));
  }

  /** The same for whoever asks all the time; of a long log that grows it may be a little old. */
  public Curve recentCurve(String lane) {
    return curves.recent(Objects.requireNonNull(windows.get(lane)));
  }

  /** The newest points, with what became of each in every lane. */
  public TimeSnapshot.Plane plane(int limit) {
    List<ArrivedOrder> orders = new ArrayList<>();
    for (TimeRecord record : arrivals.newest(limit)) {
      if (record instanceof ArrivedOrder order) {
        orders.add(order);
      }
    }
    Map<String, Map<String, LedgerRow>> lines = new HashMap<>();
    NAMES.forEach(name -> lines.put(name, reader(name).newest()));
    return new TimeSnapshot.Plane(
        orders.stream().map(order -> point(order, lines)).toList(),
        arrivals.totals().records() > orders.size());
  }

  private static TimeSnapshot.Point point(
      ArrivedOrder order, Map<String, Map<String, LedgerRow>> lines) {
    Map<String, String> fates = new HashMap<>();
    Map<String, Instant> watermarks = new HashMap<>();
    lines.forEach(
        (lane, byPlace) -> {
          LedgerRow line = byPlace.get(LaneReader.place(order.partition(), order.offset()));
          if (line != null) {
            fates.put(lane, line.fate().name().toLowerCase(java.util.Locale.ROOT));
            Instant watermark = line.watermark();
            if (watermark != null) {
              watermarks.put(lane, watermark);
            }
          }
        });
    return new TimeSnapshot.Point(
        order.partition(),
        order.offset(),
        order.order().orderId(),
        order.order().amount(),
        order.order().eventTime(),
        order.arrivalTime(),
        fates,
        watermarks);
  }

  private LaneReader reader(String lane) {
    return Objects.requireNonNull(readers.get(lane));
  }

  /**
   * Ends the feeder and the readers of the log and of the sinks; the lanes are ended by whoever
   * made them.
   */
  @Override
  public void close() {
    feeder.close();
    arrivals.close();
    curves.close();
    windows.values().forEach(Windowed::close);
  }
}
