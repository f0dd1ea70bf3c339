package dev.deliverylab.web;

import dev.deliverylab.check.Cell;
import dev.deliverylab.check.Counts;
import dev.deliverylab.check.Kinds;
import dev.deliverylab.check.Outcome;
import dev.deliverylab.check.Position;
import dev.deliverylab.check.SinkSummary;
import dev.deliverylab.check.TruthSummary;
import dev.deliverylab.check.Verdict;
import dev.deliverylab.check.ViewSummary;
import dev.deliverylab.experiment.LaneSnapshot;
import dev.deliverylab.guarantee.Rule.Keeper;
import dev.deliverylab.history.Event;
import dev.deliverylab.lane.LaneState;
import dev.deliverylab.lane.Standing;
import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import dev.deliverylab.log.Truth;
import dev.deliverylab.scenario.Run;
import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.SinkRow;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A board with a picture that somebody drew: no broker, no database. */
final class FakeBoard implements Board {

  /** What the picture shows. */
  enum Situation {
    EMPTY,
    WAITING,
    AFTER_THE_CRASH,
    AFTER_THE_RESTART,
    TROUBLE,
    SIXTEEN_PARTITIONS,
    FOUR_PARTITIONS,
    A_MILLION,
    LONG_IDS,
    MARKUP
  }

  static final String MARKUP = "<img src=x onerror=alert(1)>\"'&";
  static final List<String> LANES =
      List.of(
          "at-most-once",
          "at-least-once",
          "auto-commit",
          "auto-commit-handoff",
          "transactional",
          "idempotent-key",
          "insert-ignore",
          "dedup-on-read",
          "random-key",
          "increment-in-place");

  private static final List<LaneState> STATES = List.of(LaneState.values());
  private static final Instant NOON = Instant.parse("2026-01-04T12:00:00Z");
  private static final List<String> AMOUNTS = List.of("25.50", "12.00", "40.00", "8.75", "63.20");
  private static final List<String> TIMES =
      List.of("09:14:02", "09:15:41", "09:17:02", "09:19:30", "09:21:11");

  volatile Situation situation;
  final AtomicLong version = new AtomicLong(1);
  volatile @Nullable Integer nowRecord;

  /** The scenario at work, if this is not what the situation has. */
  volatile @Nullable Run run;

  FakeBoard(Situation situation) {
    this.situation = situation;
  }

  @Override
  public long version() {
    return version.get();
  }

  @Override
  public State state() {
    return new State(
        7,
        partitions(),
        2,
        totals(),
        log(),
        LANES.stream().map(this::onBoard).toList(),
        situation == Situation.A_MILLION ? new Load(734_112, 1_000_000, 20_000) : null,
        lastRun(),
        List.of("at-least-once", "side-by-side", "replay-parts-ways"),
        situation == Situation.A_MILLION ? 1_830_000_000L : 12_400_000L,
        0);
  }

  @Override
  public Optional<Detail> lane(String lane) {
    if (!LANES.contains(lane)) {
      return Optional.empty();
    }
    Lane onBoard = onBoard(lane);
    Map<Integer, Long> positions = new HashMap<>();
    if (onBoard.snapshot().state() == LaneState.RUNNING) {
      log().forEach(p -> positions.put(p.partition(), p.end()));
    }
    List<Row> rows = new ArrayList<>();
    List<SinkRow> view = new ArrayList<>();
    Map<BigInteger, Long> first = new HashMap<>();
    for (Chip chip : onBoard.chips()) {
      SinkRow row = sinkRow(chip.row(), chip.orderId());
      rows.add(new Row(row, first.get(chip.orderId()), chip.hidden()));
      first.putIfAbsent(chip.orderId(), chip.row());
      if (lane.equals("dedup-on-read") && !chip.hidden()) {
        view.add(row);
      }
    }
    boolean balance = lane.equals("increment-in-place");
    return Optional.of(
        new Detail(
            7,
            2,
            250,
            onBoard,
            log(),
            "FakeGuarantee",
            balance
                ? Shape.BALANCE
                : lane.equals("dedup-on-read") ? Shape.DEDUPLICATED_ON_READ : Shape.APPEND_ONLY,
            rows,
            view,
            balance
                ? Map.of(situation == Situation.MARKUP ? MARKUP : "all", new BigDecimal("186.95"))
                : Map.of(),
            positions,
            history(onBoard)));
  }

  @Override
  public Orders orders(@Nullable String search, long from, int limit) {
    List<OrderRow> rows = new ArrayList<>();
    for (Partition partition : log()) {
      for (LogRecord record : partition.tail()) {
        BigInteger id = record.order().orderId();
        if (search == null || id.toString().equals(search)) {
          Map<String, Cell> cells = new HashMap<>();
          for (String lane : LANES) {
            onBoard(lane).cells().stream()
                .filter(c -> c.orderId().equals(id))
                .findAny()
                .ifPresent(c -> cells.put(lane, c));
          }
          rows.add(new OrderRow(record.order(), cells));
        }
      }
    }
    return new Orders(
        LANES,
        rows.stream().skip(from).limit(limit).toList(),
        situation == Situation.A_MILLION && search == null ? 1_000_000 : rows.size());
  }

  @Override
  public Optional<Life> life(BigInteger orderId) {
    return log().stream()
        .flatMap(p -> p.tail().stream())
        .filter(r -> r.order().orderId().equals(orderId))
        .findFirst()
        .map(
            record ->
                new Life(
                    record.order(),
                    List.of(
                        new Truth.Entry(record, Truth.Kind.FIRST, 0, 0),
                        new Truth.Entry(
                            new LogRecord(0, 99, record.order()), Truth.Kind.RESENT, 0, 0)),
                    LANES.stream().map(lane -> laneLife(lane, record)).toList()));
  }

  @Override
  public Optional<Run> run(long id) {
    return Optional.ofNullable(lastRun()).filter(known -> known.id() == id);
  }

  private @Nullable Run lastRun() {
    if (run != null) {
      return run;
    }
    return switch (situation) {
      case AFTER_THE_RESTART -> run(3, 42, 42);
      case AFTER_THE_CRASH -> run(3, 17, 42);
      case MARKUP ->
          new Run(
              3,
              "mine",
              MARKUP,
              true,
              Run.State.FAILED,
              List.of(new Run.Step(MARKUP, Map.of("rows", MARKUP), Map.of("rows", 7), false)),
              1,
              null);
      default -> null;
    };
  }

  /** A run with so many steps done; while some are left it is at work. */
  static Run run(long id, int done, int planned) {
    List<Run.Step> steps = new ArrayList<>();
    boolean isOver = done == planned;
    for (int n = 0; n < done; n++) {
      String lane = LANES.get(n % LANES.size());
      steps.add(
          n % 3 == 2
              ? new Run.Step(
                  "expect " + lane,
                  Map.of("rows", 7),
                  Map.of("rows", n == 14 && !isOver ? 8 : 7),
                  n != 14 || isOver)
              : new Run.Step("await " + lane + " crashed", null, "crashed", true));
    }
    return new Run(
        id,
        "side-by-side",
        "Ten guarantees, one log, one crash each",
        false,
        isOver ? Run.State.PASSED : Run.State.RUNNING,
        steps,
        planned,
        isOver ? null : "await " + LANES.get(done % LANES.size()) + " drained");
  }

  private LaneLife laneLife(String lane, LogRecord record) {
    Lane onBoard = onBoard(lane);
    return new LaneLife(
        lane,
        onBoard.cells().stream()
            .filter(c -> c.orderId().equals(record.order().orderId()))
            .findAny()
            .orElse(null),
        onBoard.chips().stream()
            .filter(c -> c.orderId().equals(record.order().orderId()))
            .map(c -> sinkRow(c.row(), c.orderId()))
            .toList(),
        history(onBoard).stream()
            .filter(e -> record.order().orderId().equals(e.orderId()))
            .toList());
  }

  private int partitions() {
    return switch (situation) {
      case SIXTEEN_PARTITIONS -> 16;
      case FOUR_PARTITIONS -> 4;
      default -> 1;
    };
  }

  private BigInteger id(int n) {
    return switch (situation) {
      case LONG_IDS -> new BigInteger("9".repeat(60) + (1001 + n));
      case A_MILLION -> BigInteger.valueOf(999_993 + n);
      default -> BigInteger.valueOf(1001 + n);
    };
  }

  private Order order(int n) {
    return new Order(
        id(n),
        new BigDecimal(AMOUNTS.get(n % 5)),
        Instant.parse("2026-01-04T" + TIMES.get(n % 5) + "Z"),
        situation == Situation.MARKUP ? MARKUP : null);
  }

  private List<Partition> log() {
    List<Partition> log = new ArrayList<>();
    for (int partition = 0; partition < partitions(); partition++) {
      List<LogRecord> tail = new ArrayList<>();
      int records =
          switch (situation) {
            case EMPTY -> 0;
            case SIXTEEN_PARTITIONS, FOUR_PARTITIONS -> 3;
            case A_MILLION -> 8;
            default -> 5;
          };
      long from = situation == Situation.A_MILLION ? 999_992 : 0;
      for (int n = 0; n < records; n++) {
        tail.add(new LogRecord(partition, from + n, order(partition * records + n)));
      }
      log.add(new Partition(partition, 0, from + records, tail));
    }
    return log;
  }

  private Truth.Totals totals() {
    Map<Integer, Long> positions = new HashMap<>();
    log().forEach(p -> positions.put(p.partition(), p.end()));
    long records = positions.values().stream().mapToLong(Long::longValue).sum();
    return new Truth.Totals(
        records,
        situation == Situation.A_MILLION
            ? new BigDecimal("29890112.45")
            : log().stream()
                .flatMap(p -> p.tail().stream())
                .map(r -> r.order().amount())
                .reduce(new BigDecimal("0.00"), BigDecimal::add),
        records,
        situation == Situation.A_MILLION ? 12 : 0,
        situation == Situation.A_MILLION ? 1 : 0,
        positions);
  }

  private LaneState laneState(String lane) {
    return switch (situation) {
      case EMPTY, WAITING -> LaneState.STOPPED;
      case AFTER_THE_CRASH ->
          Set.of("at-most-once", "at-least-once", "transactional", "dedup-on-read").contains(lane)
              ? LaneState.RUNNING
              : LaneState.CRASHED;
      case TROUBLE -> STATES.get(LANES.indexOf(lane) % STATES.size());
      default -> LaneState.RUNNING;
    };
  }

  private @Nullable String reason(LaneState state) {
    return switch (state) {
      case FAILED -> "The sink's database does not answer: Connection refused.";
      case FENCED -> "A newer instance of this lane took its transactional id.";
      default -> null;
    };
  }

  /** What became of the n-th record: how often applied, and whether progress has passed it. */
  private Outcome outcome(String lane, int n, boolean restarted) {
    boolean twice =
        Set.of("at-least-once", "auto-commit", "random-key", "dedup-on-read").contains(lane);
    if (lane.equals("increment-in-place")) {
      return Outcome.UNKNOWN;
    }
    if (situation == Situation.EMPTY || situation == Situation.WAITING) {
      return Outcome.PENDING;
    }
    if (!restarted) {
      if (lane.equals("auto-commit-handoff")) {
        return n == 0 ? Outcome.ONCE : n == 1 ? Outcome.LOST : Outcome.PENDING;
      }
      return n < 2 ? Outcome.ONCE : Outcome.PENDING;
    }
    if (lane.equals("at-most-once") && n == 1) {
      return Outcome.LOST;
    }
    if (lane.equals("auto-commit-handoff") && n > 0) {
      return Outcome.LOST;
    }
    return twice && n < 2 && !lane.equals("dedup-on-read") ? Outcome.DOUBLED : Outcome.ONCE;
  }

  private Lane onBoard(String lane) {
    LaneState state = laneState(lane);
    boolean restarted = state != LaneState.CRASHED;
    boolean untouched = situation == Situation.EMPTY || situation == Situation.WAITING;
    long committedEach =
        untouched ? 0 : restarted ? Long.MAX_VALUE : lane.equals("auto-commit-handoff") ? 2 : 0;
    List<Cell> cells = new ArrayList<>();
    List<Chip> chips = new ArrayList<>();
    List<Position> progress = new ArrayList<>();
    long row = 0;
    long lost = 0;
    long doubled = 0;
    long pending = 0;
    BigDecimal total = new BigDecimal("0.00");
    BigDecimal view = new BigDecimal("0.00");
    Set<BigInteger> repeated = new HashSet<>();
    boolean balance = lane.equals("increment-in-place");
    boolean dedup = lane.equals("dedup-on-read");
    for (Partition partition : log()) {
      long committed = Math.min(committedEach, partition.end());
      progress.add(
          new Position(
              partition.partition(),
              untouched ? null : committed,
              partition.end(),
              partition.end() - committed));
      int n = 0;
      for (LogRecord record : partition.tail()) {
        Outcome outcome = outcome(lane, n, restarted);
        boolean twoRows = outcome == Outcome.DOUBLED || (dedup && restarted && !untouched && n < 2);
        int times =
            outcome == Outcome.LOST || outcome == Outcome.PENDING || balance ? 0 : twoRows ? 2 : 1;
        cells.add(
            new Cell(
                record.order().orderId(),
                partition.partition(),
                record.offset(),
                times,
                dedup && times == 2 ? 1 : 0,
                record.offset() < committed,
                outcome));
        lost += outcome == Outcome.LOST ? 1 : 0;
        doubled += outcome == Outcome.DOUBLED ? 1 : 0;
        pending += outcome == Outcome.PENDING ? 1 : 0;
        total = total.add(record.order().amount().multiply(BigDecimal.valueOf(times)));
        if (times > 0) {
          view = view.add(record.order().amount());
          chips.add(new Chip(++row, record.order().orderId(), false, dedup && times == 2));
          if (times == 2) {
            repeated.add(record.order().orderId());
          }
        }
        if (n == 1 || partition.tail().size() == 1) {
          for (BigInteger again : repeated) {
            chips.add(new Chip(++row, again, true, false));
          }
          repeated.clear();
        }
        n++;
      }
    }
    if (balance && !untouched) {
      total = new BigDecimal(restarted ? "186.95" : "37.50");
    }
    boolean nothing = situation == Situation.EMPTY;
    Truth.Totals totals = totals();
    long before = situation == Situation.A_MILLION ? 999_992 : 0;
    BigDecimal all =
        situation == Situation.A_MILLION ? totals.total().subtract(sum()) : BigDecimal.ZERO;
    boolean sinkUnknown = state == LaneState.FAILED;
    boolean wrong = lost + doubled > 0 || (balance && restarted && !untouched);
    boolean open = pending > 0 || nothing || sinkUnknown || (balance && !untouched);
    Boolean right = wrong ? Boolean.FALSE : open ? null : Boolean.TRUE;
    if (balance && untouched) {
      pending = totals.records();
      right = null;
    }
    boolean deadBalance = balance && !untouched && !restarted;
    boolean blind = sinkUnknown || deadBalance;
    Boolean kept =
        blind
            ? null
            : Boolean.valueOf(
                switch (lane) {
                  case "at-most-once" -> doubled == 0;
                  case "at-least-once", "auto-commit", "auto-commit-handoff" -> lost == 0;
                  default -> lost + doubled == 0 && !(balance && restarted && !untouched);
                });
    List<Chip> last =
        balance || sinkUnknown
            ? List.of()
            : chips.subList(Math.max(0, chips.size() - CHIPS), chips.size());
    if (before > 0) {
      last =
          last.stream()
              .map(c -> new Chip(c.row() + before, c.orderId(), c.again(), c.hidden()))
              .toList();
    }
    boolean transactional = lane.equals("transactional");
    List<String> steps =
        switch (lane) {
          case "at-most-once" -> List.of("poll", "commit", "effect");
          case "auto-commit" -> List.of("poll", "effect");
          case "auto-commit-handoff" -> List.of("poll", "hand-over", "effect");
          case "transactional" -> List.of("poll", "begin", "effect", "store-offset", "commit-tx");
          default -> List.of("poll", "effect", "commit");
        };
    int diedAt = lane.equals("at-most-once") || lane.equals("auto-commit-handoff") ? 1 : 2;
    boolean crashedOnce = !untouched;
    LaneSnapshot snapshot =
        new LaneSnapshot(
            lane,
            state,
            reason(state),
            "delivery-lab.experiment-7." + lane,
            steps,
            transactional && situation != Situation.EMPTY
                ? new Standing.Armed("store-offset", null, 1, "batch 1")
                : null,
            crashedOnce ? 1 : 0,
            crashedOnce && restarted ? 1 : 0,
            untouched ? 0 : restarted ? 2 : 1,
            state == LaneState.RUNNING
                ? nowRecord == null
                    ? new Standing.Now("poll", null, 3, null)
                    : new Standing.Now("effect", nowRecord, 3, id(nowRecord))
                : null,
            crashedOnce ? new Standing.LastCrash("effect", diedAt, 1, NOON) : null,
            progress,
            sinkUnknown
                ? null
                : new SinkSummary(
                    row + before + (balance && !untouched ? 1 : 0),
                    balance ? null : Long.valueOf(before + row - doubled),
                    total.add(all),
                    dedup
                        ? new ViewSummary(
                            before + cells.stream().filter(c -> c.times() > 0).count(),
                            view.add(all))
                        : null),
            new TruthSummary(totals.orders(), totals.total()),
            balance || sinkUnknown
                ? new Counts(null, null, balance && untouched ? Long.valueOf(pending) : null)
                : new Counts(doubled, lost, pending),
            new Kinds(doubled, 0, 0),
            0L,
            new Verdict(
                lane.equals("at-most-once")
                    ? "no order is applied twice"
                    : Set.of("at-least-once", "auto-commit", "auto-commit-handoff").contains(lane)
                        ? "no order is lost"
                        : "no order is lost or applied twice",
                kept,
                right,
                "Counted from the sink: "
                    + lost
                    + " lost, "
                    + doubled
                    + " doubled, "
                    + pending
                    + " pending."));
    return new Lane(
        snapshot,
        lane.startsWith("auto-commit") ? Keeper.CLIENT : transactional ? Keeper.SINK : Keeper.GROUP,
        cells,
        last);
  }

  private BigDecimal sum() {
    return log().stream()
        .flatMap(p -> p.tail().stream())
        .map(r -> r.order().amount())
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private SinkRow sinkRow(long row, BigInteger orderId) {
    LogRecord record =
        log().stream()
            .flatMap(p -> p.tail().stream())
            .filter(r -> r.order().orderId().equals(orderId))
            .findFirst()
            .orElseThrow();
    return new SinkRow(
        row,
        row,
        record.order().eventId(),
        orderId,
        record.order().amount(),
        record.order().eventTime(),
        record.order().customer(),
        record.partition(),
        record.offset(),
        NOON,
        row <= 2 ? 1 : 2,
        1);
  }

  private List<Event> history(Lane lane) {
    List<Event> events = new ArrayList<>();
    if (lane.snapshot().life() == 0) {
      return events;
    }
    String name = lane.snapshot().lane();
    happened(
        events,
        name,
        1,
        Event.Kind.STARTED,
        null,
        null,
        null,
        null,
        null,
        "started, from no progress");
    batch(events, name, 1, 1, 0, 2, 1, false);
    happened(
        events,
        name,
        1,
        Event.Kind.CRASHED,
        "effect",
        1,
        2,
        1,
        null,
        "died after effect 2 of batch 1");
    if (lane.snapshot().life() == 2) {
      happened(
          events,
          name,
          2,
          Event.Kind.STARTED,
          null,
          null,
          null,
          null,
          null,
          "started again, from no progress");
      batch(events, name, 2, 1, 0, 2, 2, true);
      batch(events, name, 2, 2, 2, 4, 1, true);
      batch(events, name, 2, 3, 4, 5, 1, true);
    }
    return events;
  }

  private void batch(
      List<Event> events,
      String lane,
      int life,
      int batch,
      int from,
      int to,
      int attempt,
      boolean commits) {
    happened(
        events,
        lane,
        life,
        Event.Kind.STEP,
        "poll",
        batch,
        null,
        from,
        attempt,
        "polled offsets " + from + " to " + (to - 1));
    for (int n = from; n < to; n++) {
      happened(
          events,
          lane,
          life,
          Event.Kind.STEP,
          "effect",
          batch,
          n - from + 1,
          n,
          attempt,
          "effect of order " + id(n));
    }
    if (commits) {
      happened(
          events, lane, life, Event.Kind.STEP, "commit", batch, null, to, null, "committed " + to);
    }
  }

  private void happened(
      List<Event> events,
      String lane,
      int life,
      Event.Kind kind,
      @Nullable String step,
      @Nullable Integer batch,
      @Nullable Integer record,
      @Nullable Integer n,
      @Nullable Integer attempt,
      String text) {
    events.add(
        new Event(
            events.size() + 1,
            NOON.plusMillis(events.size() * 37L),
            lane,
            life,
            kind,
            step,
            batch,
            record,
            n == null || record == null ? null : id(n),
            n == null ? null : 0,
            n == null ? null : Long.valueOf(n),
            attempt,
            text + (situation == Situation.MARKUP ? MARKUP : "")));
  }
}
