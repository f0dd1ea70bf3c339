package dev.deliverylab.web;

import dev.deliverylab.check.Cell;
import dev.deliverylab.experiment.LaneSnapshot;
import dev.deliverylab.guarantee.Rule.Keeper;
import dev.deliverylab.history.Event;
import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import dev.deliverylab.log.Truth;
import dev.deliverylab.scenario.Run;
import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.SinkRow;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the pages read: the current experiment as it stands. Every list is bounded, so the cost of a
 * page does not grow with the experiment. Pages change nothing here: their controls call the REST
 * API, as curl does.
 */
interface Board {

  /** Records of the log that the dashboard shows one by one, over all partitions. */
  int WINDOW = 8;

  /** Sink rows that the dashboard shows a lane. */
  int CHIPS = 8;

  /** Rows, events and orders that one screen lists. */
  int LIST = 100;

  /**
   * Grows with every change that any page could show. Asked ten times a second while somebody
   * looks, so it must be cheap and must not wait for a lane.
   */
  long version();

  /** The dashboard. Does not wait for a lane. */
  State state();

  /** One lane, or empty for a name that is no lane. */
  Optional<Detail> lane(String lane);

  /**
   * Distinct orders in the order in which the truth met them.
   *
   * @param search digits that the id starts with, or null for all
   * @param from how many matching orders to skip
   * @param limit at most {@value #LIST}
   */
  Orders orders(@Nullable String search, long from, int limit);

  /** One order's life, or empty where the truth does not know it. */
  Optional<Life> life(BigInteger orderId);

  /** A scenario's run, or empty where none of this number is remembered. */
  Optional<Run> run(long id);

  /**
   * @param experiment its number, from 1
   * @param partitions 1 to 16
   * @param batchSize what one poll returns at most
   * @param totals the truth
   * @param log by partition
   * @param lanes all of them, in the order in which they are shown
   * @param load the generator at work, or null
   * @param run the scenario at work, or the last one; null before the first
   * @param scenarios the names one can run
   * @param dataBytes size of the data folder
   * @param stepMillis how long a lane rests at each step: 0, or slow motion
   */
  record State(
      long experiment,
      int partitions,
      int batchSize,
      Truth.Totals totals,
      List<Partition> log,
      List<Lane> lanes,
      @Nullable Load load,
      @Nullable Run run,
      List<String> scenarios,
      long dataBytes,
      int stepMillis) {}

  /**
   * One partition of the log.
   *
   * @param start the first offset that retention has left
   * @param end the next offset it will give out
   * @param tail its last records in offset order, at most {@link #WINDOW}
   */
  record Partition(int partition, long start, long end, List<LogRecord> tail) {}

  /**
   * One lane on the dashboard.
   *
   * @param keeper who moves its progress
   * @param cells what became of the records in the partitions' tails, in any order
   * @param chips its last sink rows in row order, at most {@link #CHIPS}; empty for a running
   *     balance
   */
  record Lane(LaneSnapshot snapshot, Keeper keeper, List<Cell> cells, List<Chip> chips) {}

  /**
   * One sink row, small.
   *
   * @param row its number in the sink, from 1
   * @param again an earlier row has the same order
   * @param hidden a view hides it from the reader
   */
  record Chip(long row, BigInteger orderId, boolean again, boolean hidden) {}

  /**
   * The load generator.
   *
   * @param done records acknowledged
   * @param of records in all
   */
  record Load(long done, long of, long ratePerSecond) {}

  /**
   * One lane in full.
   *
   * @param sourceClass the simple name of its guarantee's class
   * @param rows its last sink rows, raw, in row order; at most {@link #LIST}
   * @param view the same as the reader's view shows them, for a sink that has one; else empty
   * @param balances for a sink that holds running balances; else empty
   * @param positions the next offset the living consumer will read, by partition; empty when none
   *     lives
   * @param history its last events, oldest first; at most {@link #LIST}
   */
  record Detail(
      long experiment,
      int batchSize,
      int stepMillis,
      Lane lane,
      List<Partition> log,
      String sourceClass,
      Shape shape,
      List<Row> rows,
      List<SinkRow> view,
      Map<String, BigDecimal> balances,
      Map<Integer, Long> positions,
      List<Event> history) {}

  /**
   * One sink row in full.
   *
   * @param sameAs the number of the first row with this order, if that is an earlier one
   */
  record Row(SinkRow row, @Nullable Long sameAs, boolean hidden) {}

  /**
   * @param lanes the columns
   * @param rows the orders
   * @param matching how many orders match in all
   */
  record Orders(List<String> lanes, List<OrderRow> rows, long matching) {}

  /** What became of one order, by lane. */
  record OrderRow(Order order, Map<String, Cell> cells) {}

  /**
   * @param records every record of the log with this id
   * @param lanes what became of it, by lane, in the order of the lanes
   */
  record Life(Order order, List<Truth.Entry> records, List<LaneLife> lanes) {}

  /**
   * @param rows its rows in this lane's sink, in row order; at most {@link #LIST}
   * @param events what the lane's history remembers of it, oldest first; at most {@link #LIST}
   */
  record LaneLife(String lane, @Nullable Cell cell, List<SinkRow> rows, List<Event> events) {}
}
