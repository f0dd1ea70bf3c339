package dev.deliverylab.web;

import dev.deliverylab.lane.LaneState;
import dev.deliverylab.lane.Standing;
import dev.deliverylab.log.Order;
import dev.deliverylab.scenario.Run;
import dev.deliverylab.sink.Fate;
import dev.deliverylab.time.ArrivedOrder;
import dev.deliverylab.time.ClockReading;
import dev.deliverylab.time.Curve;
import dev.deliverylab.time.Judgement;
import dev.deliverylab.time.Late;
import dev.deliverylab.time.LateRule;
import dev.deliverylab.time.Policy;
import dev.deliverylab.time.Seen;
import dev.deliverylab.time.TimeRecord;
import dev.deliverylab.time.TimeSnapshot;
import dev.deliverylab.time.Waiting;
import dev.deliverylab.time.Window;
import dev.deliverylab.time.WindowLaneSnapshot;
import dev.deliverylab.time.WindowLaneSnapshot.LateCounts;
import dev.deliverylab.time.WindowLaneSnapshot.Published;
import dev.deliverylab.time.WindowLaneSnapshot.WindowView;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A time board without a broker: the true rules over a list of records, judged anew at each look.
 */
final class FakeTimeBoard implements TimeBoard {

  static final List<String> LANES =
      List.of("per-record", "arrival-watermark", "event-time-watermark", "streams-window");

  final AtomicLong version = new AtomicLong(1);
  final List<TimeRecord> log = new ArrayList<>();
  final List<TimeRecord> queue = new ArrayList<>();
  final Map<String, Policy> policies = new HashMap<>();
  final Map<String, LaneState> states = new HashMap<>();
  int partitions = 1;
  String pace = "at-once";
  String mode = "virtual";
  @Nullable String reason;

  /** What the next change is refused with. */
  volatile @Nullable String refusal;

  FakeTimeBoard() {
    reset();
  }

  static FakeTimeBoard withFiveLateEvents() {
    FakeTimeBoard board = new FakeTimeBoard();
    board.fiveLateEvents();
    return board;
  }

  synchronized void reset() {
    log.clear();
    queue.clear();
    LANES.forEach(lane -> policies.put(lane, Policy.FIRST));
    LANES.forEach(lane -> states.put(lane, LaneState.RUNNING));
    partitions = 1;
    pace = "at-once";
    mode = "virtual";
    reason = null;
    run = null;
    refusal = null;
    version.incrementAndGet();
  }

  synchronized FakeTimeBoard fiveLateEvents() {
    order(0, 1001, "25.50", "2026-01-04T09:04:00Z", "2026-01-04T09:04:02Z");
    order(0, 1002, "12.00", "2026-01-04T09:07:00Z", "2026-01-04T09:07:01Z");
    order(0, 1003, "40.00", "2026-01-04T09:09:00Z", "2026-01-04T09:09:03Z");
    order(0, 1004, "8.75", "2026-01-04T09:08:00Z", "2026-01-04T09:14:20Z");
    return order(0, 1005, "63.20", "2026-01-04T09:06:00Z", "2026-01-04T09:41:00Z");
  }

  synchronized FakeTimeBoard order(
      int partition, long id, String amount, String event, String arrival) {
    Order order =
        new Order(BigInteger.valueOf(id), new BigDecimal(amount), Instant.parse(event), null);
    TimeRecord record =
        new ArrivedOrder(partition, log.size() + queue.size(), Instant.parse(arrival), order);
    (pace.equals("step") ? queue : log).add(record);
    version.incrementAndGet();
    return this;
  }

  synchronized FakeTimeBoard clock(String reading) {
    log.add(new ClockReading(0, log.size(), Instant.parse(reading)));
    version.incrementAndGet();
    return this;
  }

  /** Orders a second apart with delays up to {@code most}, some of them far greater. */
  synchronized FakeTimeBoard many(int count, long seed, Duration most) {
    Random random = new Random(seed);
    Instant arrival = Instant.parse("2026-01-04T09:00:00Z");
    for (int i = 0; i < count; i++) {
      arrival = arrival.plusMillis(500 + random.nextInt(5000));
      double tail = random.nextInt(40) == 0 ? 3 + random.nextDouble() * 4 : 1;
      Duration delay =
          Duration.ofMillis(
              (long) (most.toMillis() * random.nextDouble() * random.nextDouble() * tail));
      order(
          i % partitions,
          1001 + i,
          random.nextInt(90) + ".25",
          arrival.minus(delay).toString(),
          arrival.toString());
    }
    return this;
  }

  synchronized void policy(String lane, Policy policy) {
    policies.put(lane, policy);
    version.incrementAndGet();
  }

  synchronized void state(String lane, LaneState state) {
    states.put(lane, state);
    version.incrementAndGet();
  }

  private static final Pattern LANE = Pattern.compile("/api/time/lanes/([a-z-]+)/policy");

  private @Nullable Run run;

  /** As if this scenario were at work or over. */
  synchronized void play(Run played) {
    run = played;
    version.incrementAndGet();
  }

  /** Does what the REST call would do, as far as the page's tests need it. */
  synchronized void obey(String line, String body) {
    Matcher lane = LANE.matcher(line);
    if (lane.find()) {
      Policy now = policies.getOrDefault(lane.group(1), Policy.FIRST);
      policy(
          lane.group(1),
          new Policy(
              seconds(body, "windowSeconds", now.window()),
              seconds(body, "boundSeconds", now.bound()),
              Late.of(word(body, "late", now.late().label())),
              now.idleAfter(),
              seconds(body, "maxAheadSeconds", now.maxAhead())));
    } else if (line.endsWith("/api/time/records") && body.contains("five-late-events")) {
      fiveLateEvents();
    } else if (line.endsWith("/api/time/records") && body.contains("\"records\"")) {
      order(
          0,
          Long.parseLong(word(body, "orderId", "0")),
          word(body, "amount", "0.00"),
          word(body, "eventTime", ""),
          word(body, "arrivalTime", ""));
    } else if (line.endsWith("/api/time/clock")) {
      pace = word(body, "pace", pace);
      mode = word(body, "mode", mode);
      if (body.contains("\"step\":1") && !queue.isEmpty()) {
        log.add(queue.remove(0));
      }
      if (body.contains("advanceTo")) {
        clock(word(body, "advanceTo", ""));
      }
    } else if (line.endsWith("/api/time/reset")) {
      reset();
    }
    version.incrementAndGet();
  }

  private static Duration seconds(String body, String field, Duration otherwise) {
    return Duration.ofSeconds(
        Long.parseLong(word(body, field, String.valueOf(otherwise.toSeconds()))));
  }

  private static String word(String body, String field, String otherwise) {
    Matcher matcher = Pattern.compile("\"" + field + "\":\"?([^\",}]+)").matcher(body);
    return matcher.find() ? matcher.group(1) : otherwise;
  }

  @Override
  public @Nullable Run run() {
    return run;
  }

  @Override
  public List<String> scenarios() {
    return List.of("late-per-record", "late-crash");
  }

  @Override
  public long version() {
    return version.get();
  }

  @Override
  public synchronized TimeSnapshot state() {
    return new TimeSnapshot(
        1,
        partitions,
        2,
        new TimeSnapshot.ClockView(now(), mode, pace, queue.size()),
        orders().size(),
        orders().stream().filter(o -> o.order().eventTime().isAfter(o.arrivalTime())).count(),
        revenue(orders()),
        LANES.stream().map(this::lane).toList());
  }

  @Override
  public synchronized TimeSnapshot.Plane plane() {
    Map<String, Map<TimeRecord, Judgement>> judged = new HashMap<>();
    for (String lane : LANES) {
      Map<TimeRecord, Judgement> byRecord = new HashMap<>();
      judge(lane, policies.getOrDefault(lane, Policy.FIRST))
          .forEach(j -> byRecord.put(j.record(), j));
      judged.put(lane, byRecord);
    }
    List<TimeSnapshot.Point> points = new ArrayList<>();
    for (ArrivedOrder order : orders()) {
      Map<String, String> fates = new HashMap<>();
      Map<String, Instant> watermarks = new HashMap<>();
      for (String lane : LANES) {
        Judgement judgement = judged.getOrDefault(lane, Map.of()).get(order);
        if (judgement != null) {
          fates.put(lane, judgement.fate().name().toLowerCase(java.util.Locale.ROOT));
          if (judgement.watermark() != null) {
            watermarks.put(lane, judgement.watermark());
          }
        }
      }
      points.add(
          new TimeSnapshot.Point(
              order.partition(),
              order.offset(),
              order.order().orderId(),
              order.order().amount(),
              order.order().eventTime(),
              order.arrivalTime(),
              fates,
              watermarks));
    }
    int from = Math.max(0, points.size() - POINTS);
    return new TimeSnapshot.Plane(points.subList(from, points.size()), from > 0);
  }

  @Override
  public synchronized Curve curve(String lane) {
    Policy policy = policies.getOrDefault(lane, Policy.FIRST);
    long greatest = orders().stream().mapToLong(o -> o.lateness().toSeconds()).max().orElse(0);
    TreeSet<Long> bounds = new TreeSet<>(List.of(0L, greatest, policy.bound().toSeconds()));
    for (int i = 1; i < 70; i++) {
      bounds.add(greatest * i / 70);
    }
    if (orders().size() < 100) {
      orders().forEach(order -> bounds.add(order.lateness().toSeconds()));
      for (Judgement j : judge(lane, with(policy, 0))) {
        if (j.window() != null && j.watermark() != null) {
          bounds.add(
              Math.max(0, Duration.between(j.window().end(), j.watermark()).toSeconds() + 1));
        }
      }
    }
    return new Curve(
        lane,
        policy.bound().toSeconds(),
        greatest,
        bounds.stream().map(bound -> point(lane, with(policy, bound))).toList());
  }

  private static Policy with(Policy policy, long bound) {
    return new Policy(
        policy.window(),
        Duration.ofSeconds(bound),
        Late.DROP,
        policy.idleAfter(),
        policy.maxAhead());
  }

  private Curve.Point point(String lane, Policy policy) {
    List<Judgement> judged = judge(lane, policy);
    List<Judgement> dropped = judged.stream().filter(j -> j.fate() == Fate.DROPPED).toList();
    Map<Instant, Long> open = new TreeMap<>();
    long windows = 0;
    long events = 0;
    Long delay = null;
    Instant clock = Instant.MIN;
    for (Judgement j : judged) {
      clock = j.record().arrivalTime().isAfter(clock) ? j.record().arrivalTime() : clock;
      if (j.window() != null && j.fate() == Fate.ACCEPTED) {
        open.merge(j.window().end(), 1L, Long::sum);
      }
      for (Instant end : List.copyOf(open.keySet())) {
        if (j.watermark() != null && !j.watermark().isBefore(end)) {
          open.remove(end);
          long took = Duration.between(end, clock).toSeconds();
          delay = delay == null ? took : Math.max(delay, took);
        }
      }
      windows = Math.max(windows, open.size());
      events = Math.max(events, open.values().stream().mapToLong(Long::longValue).sum());
    }
    return new Curve.Point(
        policy.bound().toSeconds(),
        revenue(dropped.stream().map(j -> (ArrivedOrder) j.record()).toList()),
        dropped.size(),
        delay,
        windows,
        events);
  }

  private @Nullable Instant now() {
    return log.stream().map(TimeRecord::arrivalTime).max(Instant::compareTo).orElse(null);
  }

  private List<ArrivedOrder> orders() {
    return log.stream()
        .filter(ArrivedOrder.class::isInstance)
        .map(ArrivedOrder.class::cast)
        .toList();
  }

  private static BigDecimal revenue(List<ArrivedOrder> orders) {
    return orders.stream()
        .map(order -> order.order().amount())
        .reduce(new BigDecimal("0.00"), BigDecimal::add);
  }

  private static LateRule rule(String lane) {
    return TimeView.ruleOf(lane);
  }

  private List<Judgement> judge(String lane, Policy policy) {
    List<Judgement> judged = new ArrayList<>();
    if (states.get(lane) == LaneState.STOPPED) {
      return judged;
    }
    Seen seen = Seen.nothing(partitions);
    for (TimeRecord record : log) {
      seen = seen.after(record, rule(lane), policy);
      judged.add(rule(lane).judge(record, seen, policy));
    }
    return judged;
  }

  private WindowLaneSnapshot lane(String lane) {
    Policy policy = policies.getOrDefault(lane, Policy.FIRST);
    List<Judgement> judged = judge(lane, policy);
    Seen seen = Seen.nothing(partitions);
    for (Judgement j : judged) {
      seen = seen.after(j.record(), rule(lane), policy);
    }
    List<WindowView> windows = windows(judged, policy);
    long late = judged.stream().filter(j -> j.fate().late()).count();
    BigDecimal side =
        revenue(
            judged.stream()
                .filter(j -> j.fate() == Fate.SIDE)
                .map(j -> (ArrivedOrder) j.record())
                .toList());
    BigDecimal read =
        revenue(
            judged.stream()
                .filter(j -> j.window() != null)
                .map(j -> (ArrivedOrder) j.record())
                .toList());
    BigDecimal emitted =
        windows.stream().map(WindowView::revenue).reduce(new BigDecimal("0.00"), BigDecimal::add);
    BigDecimal truth = revenue(orders());
    BigDecimal missing = read.subtract(emitted).subtract(side);
    List<WindowView> open = windows.stream().filter(w -> !w.isFinal() && w.events() > 0).toList();
    Waiting waiting = new Waiting(rule(lane), policy, seen);
    boolean streams = lane.equals("streams-window");
    LaneState state = states.getOrDefault(lane, LaneState.RUNNING);
    return new WindowLaneSnapshot(
        lane,
        rule(lane).formula(),
        state,
        state == LaneState.FAILED ? reason : null,
        streams
            ? List.of("poll", "begin", "effect", "send-offsets", "commit-tx")
            : policy.late() == Late.SIDE_OUTPUT
                ? List.of("poll", "begin", "effect", "send", "store-offset", "commit-tx")
                : List.of("poll", "begin", "effect", "store-offset", "commit-tx"),
        lane.equals("event-time-watermark")
            ? new Standing.Armed("store-offset", null, 1, "batch 1")
            : null,
        state == LaneState.RUNNING && !streams ? new Standing.Now("poll", null, 3, null) : null,
        state == LaneState.CRASHED
            ? new Standing.LastCrash("effect", 2, 1, Instant.parse("2026-01-04T12:00:00Z"))
            : null,
        1,
        state == LaneState.CRASHED ? 1 : 0,
        policy,
        seen.watermark(),
        waiting.heldBackBy(),
        waiting.idle(),
        open.isEmpty()
            ? null
            : waiting.sentence(new Window(open.get(0).start(), open.get(0).end())),
        judged.stream().filter(j -> j.fate() == Fate.ACCEPTED).count(),
        new LateCounts(
            policy.late() == Late.DROP ? late : 0,
            policy.late() == Late.SIDE_OUTPUT ? late : 0,
            policy.late() == Late.RESTATE ? late : 0,
            side),
        emitted,
        windows.stream()
            .filter(WindowView::isFinal)
            .map(WindowView::revenue)
            .reduce(new BigDecimal("0.00"), BigDecimal::add),
        truth,
        missing,
        truth.signum() == 0
            ? null
            : missing.multiply(new BigDecimal(100)).divide(truth, 1, RoundingMode.HALF_UP),
        open.size(),
        open.stream().mapToLong(WindowView::events).sum(),
        windows.stream()
            .filter(WindowView::isFinal)
            .flatMap(
                w ->
                    w.published().stream()
                        .limit(1)
                        .map(p -> Duration.between(w.end(), p.at()).toSeconds()))
            .max(Long::compare)
            .orElse(null),
        streams ? Long.valueOf(late) : null,
        new TreeMap<>(Map.of(0, (long) judged.size())),
        log.size() - (long) judged.size(),
        windows,
        false);
  }

  private static final class Tally {
    long events;
    BigDecimal revenue = new BigDecimal("0.00");
    long lateness;
    long trueEvents;
    BigDecimal trueRevenue = new BigDecimal("0.00");
    long trueLateness;
    final List<Published> published = new ArrayList<>();
    boolean isFinal;
  }

  private static List<WindowView> windows(List<Judgement> judged, Policy policy) {
    Map<Instant, Tally> tallies = new TreeMap<>();
    Instant clock = Instant.MIN;
    for (Judgement j : judged) {
      clock = j.record().arrivalTime().isAfter(clock) ? j.record().arrivalTime() : clock;
      Window window = j.window();
      if (window != null && j.record() instanceof ArrivedOrder order) {
        Tally tally = tallies.computeIfAbsent(window.start(), start -> new Tally());
        long lateness = order.lateness().toSeconds();
        tally.trueEvents++;
        tally.trueRevenue = tally.trueRevenue.add(order.order().amount());
        tally.trueLateness = Math.max(tally.trueLateness, lateness);
        if (j.fate() == Fate.ACCEPTED || j.fate() == Fate.RESTATED) {
          tally.events++;
          tally.revenue = tally.revenue.add(order.order().amount());
          tally.lateness = Math.max(tally.lateness, lateness);
        }
        if (j.fate() == Fate.RESTATED) {
          if (tally.published.isEmpty()) {
            tally.published.add(
                new Published(
                    1, tally.events - 1, tally.revenue.subtract(order.order().amount()), clock));
          }
          tally.published.add(
              new Published(tally.published.size() + 1, tally.events, tally.revenue, clock));
        }
      }
      for (Map.Entry<Instant, Tally> entry : tallies.entrySet()) {
        Tally tally = entry.getValue();
        Instant end = entry.getKey().plus(policy.window());
        if (!tally.isFinal
            && j.watermark() != null
            && !j.watermark().isBefore(end)
            && tally.events > 0) {
          tally.isFinal = true;
          if (tally.published.isEmpty()) {
            tally.published.add(new Published(1, tally.events, tally.revenue, clock));
          }
        }
      }
    }
    List<WindowView> windows = new ArrayList<>();
    tallies.forEach(
        (start, tally) ->
            windows.add(
                new WindowView(
                    start,
                    start.plus(policy.window()),
                    tally.events,
                    tally.revenue,
                    tally.lateness,
                    tally.published.isEmpty()
                        ? 0
                        : tally.published.get(tally.published.size() - 1).revision(),
                    tally.isFinal,
                    tally.trueEvents,
                    tally.trueRevenue,
                    tally.trueLateness,
                    List.copyOf(tally.published))));
    return windows.subList(Math.max(0, windows.size() - 100), windows.size());
  }
}
