package dev.deliverylab.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deliverylab.guarantee.Promise;
import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import dev.deliverylab.log.Truth;
import dev.deliverylab.sink.Shape;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Whatever is written to log and sink, wherever progress stands or is moved to, and however the
 * refreshes fall in between: running count, recount, a count from the start and the naive model say
 * the same.
 */
class RunningCountPropertyTest {

  private static final int PARTITIONS = 3;
  private static final RunningCount.Budget SMALL = new RunningCount.Budget(3, 2, Duration.ZERO);

  @Property(tries = 400, shrinking = ShrinkingMode.OFF)
  void runningRecountAndModelAgree(
      @ForAll long seed, @ForAll Shape shape, @ForAll Promise promise, @ForAll boolean keyed) {
    Assume.that(shape != Shape.WINDOWS); // holds no orders
    var world = new World(new Random(seed), shape, promise, keyed);
    for (int step = 0; step < 60; step++) {
      world.act();
      if (world.random.nextInt(4) == 0) {
        world.refreshOnce();
      }
      if (world.random.nextInt(12) == 0) {
        world.compare();
      }
    }
    world.compare();
  }

  /** A log, a sink and a lane's progress that move at random; a seed repeats them. */
  private static final class World {
    final Random random;
    final Shape shape;
    final Promise promise;
    final boolean keyed;
    // Three orders a block: small logs have many blocks.
    final LogInMemory log = new LogInMemory(3);
    final SinkInMemory sink;
    final RunningCount running;
    final Map<Integer, Long> positions = new HashMap<>();
    final Set<InHand.Place> hands = new HashSet<>();
    final Map<Integer, Long> ends = new HashMap<>();
    final ArrayList<LogRecord> records = new ArrayList<>();
    int nextId = 1;
    int attempts;

    World(Random random, Shape shape, Promise promise, boolean keyed) {
      this.random = random;
      this.shape = shape;
      this.promise = promise;
      this.keyed = keyed;
      sink = new SinkInMemory(shape);
      running = new RunningCount(promise, log, sink, SMALL);
    }

    void act() {
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> append();
        case 3, 4, 5 -> apply();
        case 6 -> {
          for (int i = 0; i < PARTITIONS; i++) {
            move(i);
          }
        }
        case 7 -> move(random.nextInt(PARTITIONS));
        case 8 -> {
          hands.clear();
          for (var record : records) {
            if (random.nextInt(6) == 0) {
              hands.add(new InHand.Place(record.partition(), record.offset()));
            }
          }
        }
        default -> {
          log.heldBack = random.nextBoolean();
          sink.down = random.nextInt(4) == 0;
          stray();
        }
      }
    }

    private void append() {
      var known = nextId > 1 && random.nextInt(4) == 0;
      var id = known ? 1 + random.nextInt(nextId - 1) : nextId++;
      var other = known && random.nextBoolean() ? random.nextInt(3) : 0;
      var order =
          new Order(
              BigInteger.valueOf(id),
              BigDecimal.valueOf(id * 7L % 500 + (other == 1 ? 1 : 0), 2),
              Instant.ofEpochSecond(1_000 + id % 5 + (other == 2 ? random.nextInt(9) : 0)),
              id % 3 == 0 ? "c" + id % 2 : null);
      var record = log.append(random.nextInt(PARTITIONS), order);
      records.add(record);
      ends.put(record.partition(), record.offset() + 1);
    }

    private void apply() {
      if (records.isEmpty()) {
        return;
      }
      var record = records.get(random.nextInt(records.size()));
      if (keyed && shape == Shape.KEYED) {
        sink.apply(record, "attempt-" + attempts++);
      } else {
        sink.apply(record);
      }
    }

    private void move(int partition) {
      long end = ends.getOrDefault(partition, 0L);
      if (random.nextInt(8) == 0) {
        positions.remove(partition);
      } else {
        positions.put(partition, (long) random.nextInt((int) end + 1));
      }
    }

    /** A row of an order that may only get into the log later, or never. */
    private void stray() {
      if (shape == Shape.BALANCE || random.nextInt(4) != 0 || ends.getOrDefault(0, 0L) == 0) {
        return;
      }
      var id = nextId + random.nextInt(3);
      sink.apply(
          new LogRecord(
              0,
              random.nextInt(ends.get(0).intValue()),
              new Order(
                  BigInteger.valueOf(id), new BigDecimal("1.00"), Instant.ofEpochSecond(9), null)));
    }

    Count refreshOnce() {
      return running.refresh(Map.copyOf(positions), () -> InHand.of(hands), false);
    }

    void compare() {
      log.heldBack = false;
      log.meetAll();
      sink.down = false;
      var count = refreshOnce();
      for (int slices = 0; count.more(); slices++) {
        assertThat(slices).as("a refresh that never ends").isLessThan(1_000);
        assertThat(count.verdict().numberRight()).isNull();
        assertThat(count.verdict().promiseKept()).isNull();
        count = refreshOnce();
      }
      var model = new NaiveModel(shape, records, sink.rows(), positions, hands);
      check(count, model);
      var recount = running.recount(Map.copyOf(positions), () -> InHand.of(hands), false);
      assertThat(recount.agrees()).as(recount.difference()).isTrue();
      check(recount.count(), model);
      assertThat(recount.count().tally()).isEqualTo(count.tally());
      var anew =
          new RunningCount(promise, log, sink)
              .refresh(Map.copyOf(positions), () -> InHand.of(hands), false);
      assertThat(anew.tally()).isEqualTo(count.tally());
    }

    private void check(Count count, NaiveModel model) {
      var tally = count.tally();
      assertThat(tally.orders()).isEqualTo(model.orders);
      assertThat(tally.truthTotal()).isEqualTo(model.truth);
      assertThat(tally.pending()).isEqualTo(model.pending);
      assertThat(count.truth()).isEqualTo(new TruthSummary(model.orders, model.truth));
      if (shape == Shape.BALANCE) {
        assertThat(count.counts()).isEqualTo(new Counts(null, null, model.pending));
        assertThat(count.sink().total()).isEqualTo(sink.balance());
        var right = sink.balance().compareTo(model.truth) == 0;
        var still = hands.isEmpty() || right;
        assertThat(count.verdict().numberRight())
            .isEqualTo((model.pending > 0 || !still) ? null : right);
        return;
      }
      assertThat(tally.rows()).isEqualTo(model.rows);
      assertThat(tally.total()).isEqualTo(model.total);
      assertThat(tally.distinct()).isEqualTo(model.distinct);
      assertThat(tally.viewRows()).isEqualTo(model.viewRows);
      assertThat(tally.viewTotal()).isEqualTo(model.viewTotal);
      assertThat(tally.changed()).isEqualTo(model.changed);
      assertThat(tally.strays()).isEqualTo(model.strays);
      assertThat(count.counts())
          .isEqualTo(new Counts(model.duplicates, (long) model.lost.size(), model.pending));
      assertThat(count.kinds()).isEqualTo(new Kinds(model.reRead, model.reSent, model.conflict));
      assertThat(count.recognised()).isEqualTo(model.recognised);
      assertThat(count.lost()).isEqualTo(model.lost);
      assertThat(count.doubled()).isEqualTo(model.doubled);
      if (shape == Shape.APPEND_ONLY) {
        assertThat(model.duplicates).isEqualTo(model.reRead + model.reSent + model.conflict);
      }
      assertVerdict(count.verdict(), model);
      assertCells(model);
    }

    private void assertVerdict(Verdict verdict, NaiveModel model) {
      var broken =
          switch (promise) {
            case NO_LOSS -> !model.lost.isEmpty();
            case NO_DUPLICATE -> model.duplicates > 0;
            case NEITHER -> !model.lost.isEmpty() || model.duplicates > 0;
          };
      assertThat(verdict.promiseKept()).as(verdict.why()).isEqualTo(!broken);
      var wrong =
          !model.lost.isEmpty()
              || model.duplicates > 0
              || model.conflict > 0
              || model.changed > 0
              || model.strays > 0;
      assertThat(verdict.numberRight())
          .as(verdict.why())
          .isEqualTo(wrong ? Boolean.FALSE : model.pending > 0 ? null : Boolean.TRUE);
      if (Boolean.TRUE.equals(verdict.numberRight())) {
        assertThat(model.viewTotal).isEqualTo(model.truth);
      }
    }

    private void assertCells(NaiveModel model) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        List<Truth.Entry> window = log.entries(partition, 0, 100);
        for (var cell : running.cells(window)) {
          assertThat(cell.outcome() == Outcome.LOST).isEqualTo(model.lost.contains(cell.orderId()));
          assertThat(cell.outcome() == Outcome.DOUBLED)
              .isEqualTo(model.doubled.contains(cell.orderId()));
          assertThat(cell.safe()).isEqualTo(cell.offset() < positions.getOrDefault(partition, 0L));
          var where = running.where(cell.orderId()).orElseThrow();
          assertThat(where.cell().outcome()).isEqualTo(cell.outcome());
          assertThat(where.effects()).hasSize(cell.times());
          assertThat(where.effects().stream().filter(OrderInLane.Effect::hidden))
              .hasSize(cell.hidden());
        }
      }
    }
  }
}
