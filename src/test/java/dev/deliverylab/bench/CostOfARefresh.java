package dev.deliverylab.bench;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.check.Count;
import dev.deliverylab.check.InHand;
import dev.deliverylab.check.RunningCount;
import dev.deliverylab.experiment.Experiments;
import dev.deliverylab.guarantee.Promise;
import dev.deliverylab.log.Generator;
import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import dev.deliverylab.log.OrderLog;
import dev.deliverylab.log.OrderLogs;
import dev.deliverylab.log.StoredTruth;
import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.Sink;
import dev.deliverylab.sink.SinkTable;
import dev.deliverylab.sink.Sinks;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * What it costs to count on after a hundred new orders, where a lane has a million behind it and
 * where it has ten thousand. Both are there at the same time, in one database, and are measured in
 * turns.
 */
final class CostOfARefresh {

  private static final int SMALL = 10_000;
  private static final int LARGE = Integer.getInteger("bench.large", 1_000_000);
  private static final int NEW = 100;
  private static final int ROUNDS = 41;
  private static final int WARM_UP = 20;
  private static final int ROWS_OF_A_TRANSACTION = 1_000;

  private CostOfARefresh() {}

  static void run(Path folder) {
    Benchmarks.print("%n### The cost of a refresh%n");
    Benchmarks.print(
        "After %d new orders, at %,d and at %,d; %d rounds and %d to warm up.%n",
        NEW, SMALL, LARGE, ROUNDS, WARM_UP);
    Benchmarks.print("| sink | at %,d, ms | at %,d, ms | ratio of the medians |", SMALL, LARGE);
    Benchmarks.print("|---|---|---|---|");
    try (LabInside lab = LabInside.start(folder)) {
      awaitCleanedUp(lab);
      try (Side small = new Side(lab, 1_000_001);
          Side large = new Side(lab, 1_000_002)) {
        small.grow(SMALL);
        large.grow(LARGE);
        for (Shape shape : List.of(Shape.APPEND_ONLY, Shape.KEYED)) {
          List<Double> atSmall = new ArrayList<>();
          List<Double> atLarge = new ArrayList<>();
          for (int round = 1 - WARM_UP; round <= ROUNDS; round++) {
            double one = small.refresh(shape);
            double other = large.refresh(shape);
            if (round > 0) {
              atSmall.add(one);
              atLarge.add(other);
            }
          }
          Figures one = Figures.of(atSmall);
          Figures other = Figures.of(atLarge);
          Benchmarks.print(
              "| %s | %s | %s | **%.2f** |",
              shape, one.shown(".1f"), other.shown(".1f"), other.median() / one.median());
        }
      }
    }
  }

  /** A lab removes in the background what earlier experiments left; ours must not be among it. */
  private static void awaitCleanedUp(LabInside lab) {
    long current = lab.part(Experiments.class).create(1, 1).id();
    while (!lab.part(StoredTruth.class).experiments().equals(List.of(current))) {
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  /** One log with its truth, a table of each shape, and a count of each. */
  private static final class Side implements AutoCloseable {

    private final OrderLog log;
    private final StoredTruth truth;
    private final Map<Shape, SinkTable> tables;
    private final Map<Shape, RunningCount> counts;
    private long records;

    Side(LabInside lab, long experiment) {
      log = lab.part(OrderLogs.class).create(experiment, 1);
      truth = new StoredTruth(lab.part(DataSource.class), lab.part(Broker.class));
      truth.open(experiment);
      Sinks sinks = lab.part(Sinks.class);
      tables =
          Map.of(
              Shape.APPEND_ONLY, sinks.open(experiment, "appended", Shape.APPEND_ONLY),
              Shape.KEYED, sinks.open(experiment, "keyed", Shape.KEYED));
      counts =
          Map.of(
              Shape.APPEND_ONLY,
              new RunningCount(Promise.NO_LOSS, truth, tables.get(Shape.APPEND_ONLY)),
              Shape.KEYED,
              new RunningCount(Promise.NEITHER, truth, tables.get(Shape.KEYED)));
    }

    void grow(int count) {
      List<Order> orders = append(count);
      write(Shape.APPEND_ONLY, orders);
      write(Shape.KEYED, orders);
      count(Shape.APPEND_ONLY);
      count(Shape.KEYED);
    }

    /** Milliseconds for the count of the new orders alone. */
    double refresh(Shape shape) {
      List<Order> orders = append(NEW);
      for (Shape each : tables.keySet()) {
        write(each, orders);
      }
      long start = System.nanoTime();
      count(shape);
      double took = (System.nanoTime() - start) / 1e6;
      tables.keySet().forEach(this::count);
      return took;
    }

    private List<Order> append(int count) {
      BigInteger first = BigInteger.valueOf(records + 1);
      List<Order> orders = new Generator(count, 42, 50).orders(first).toList();
      log.appendBatched(orders.stream());
      if (!truth.await(log.endOffsets(), Duration.ofMinutes(10))) {
        throw new IllegalStateException("the truth did not read " + count + " records");
      }
      records += count;
      return orders;
    }

    private void write(Shape shape, List<Order> orders) {
      Sink sink = tables.get(shape).connect(1).sink();
      long offset = records - orders.size();
      for (int from = 0; from < orders.size(); from += ROWS_OF_A_TRANSACTION) {
        sink.begin();
        int to = Math.min(orders.size(), from + ROWS_OF_A_TRANSACTION);
        for (Order order : orders.subList(from, to)) {
          LogRecord record = new LogRecord(0, offset++, order);
          if (shape == Shape.KEYED) {
            sink.upsert(order.eventId(), record);
          } else {
            sink.append(record);
          }
        }
        sink.commit();
      }
      sink.close();
    }

    private void count(Shape shape) {
      RunningCount running = counts.get(shape);
      Count count = refresh(running);
      while (count.more()) {
        count = refresh(running);
      }
      if (!Boolean.TRUE.equals(count.verdict().promiseKept()) || count.tally().rows() != records) {
        throw new IllegalStateException(
            "counted " + count.tally() + ", which is not right: " + count.verdict().why());
      }
    }

    private Count refresh(RunningCount running) {
      return running.refresh(Map.of(0, records), () -> InHand.NOTHING, false);
    }

    @Override
    public void close() {
      truth.close();
    }
  }
}
