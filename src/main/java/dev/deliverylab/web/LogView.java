package dev.deliverylab.web;

import dev.deliverylab.log.LogRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * The log as the head of the table: a column a record, and one counted column for all the older
 * ones. With so many partitions that a column each does not fit, everything is in the counted
 * column.
 *
 * @param columns the columns in order
 * @param groups brackets over the columns
 * @param end what the log's end says
 */
record LogView(List<Column> columns, List<Group> groups, String end, String endTitle) {

  /**
   * @param older how many records it stands for, if it is the counted one; else 0
   * @param first whether a partition begins here
   */
  record Column(
      int partition,
      long offset,
      long older,
      boolean first,
      String place,
      String order,
      String amount,
      String title) {}

  /** A bracket over {@code span} columns. */
  record Group(String label, int span) {}

  /** What a projector has room for, the counted column included. */
  private static final int COLUMNS = 6;

  static LogView of(Board.State state) {
    boolean all = state.totals().records() <= COLUMNS;
    int each = all ? COLUMNS : (COLUMNS - 1) / Math.max(1, state.partitions());
    List<Column> columns = new ArrayList<>();
    List<Group> groups = new ArrayList<>();
    long shown = 0;
    for (Board.Partition partition : state.log()) {
      List<LogRecord> tail = partition.tail();
      List<LogRecord> window = tail.subList(Math.max(0, tail.size() - each), tail.size());
      for (int at = 0; at < window.size(); at++) {
        columns.add(column(window.get(at), at == 0 && state.partitions() > 1));
      }
      shown += window.size();
      if (state.partitions() > 1 && !window.isEmpty()) {
        groups.add(new Group("partition " + partition.partition(), window.size()));
      }
    }
    long older = state.totals().records() - shown;
    if (state.partitions() == 1 && older == 0) {
      groups.addAll(batches(columns.size(), state.batchSize()));
    }
    if (older > 0) {
      columns.add(
          0,
          new Column(
              -1,
              -1,
              older,
              false,
              shown == 0 ? "all" : "older",
              Figure.count(older),
              "records",
              Figure.count(older, "older record") + ", counted together"));
      groups.add(0, new Group("", 1));
      if (state.partitions() == 1) {
        groups.add(new Group("the newest " + shown, (int) shown));
      }
    }
    long end = state.log().stream().mapToLong(Board.Partition::end).sum();
    return new LogView(
        List.copyOf(columns),
        List.copyOf(groups),
        Figure.count(end),
        state.partitions() == 1
            ? "the next offset is " + end
            : "offsets given out over all partitions");
  }

  private static Column column(LogRecord record, boolean first) {
    return new Column(
        record.partition(),
        record.offset(),
        0,
        first,
        Figure.count(record.offset()),
        Figure.shortened(record.order().orderId()),
        Figure.money(record.order().amount()),
        "offset "
            + record.offset()
            + " of partition "
            + record.partition()
            + ": order "
            + record.order().orderId()
            + ", "
            + record.order().amount().toPlainString()
            + (record.order().customer() == null ? "" : ", customer " + record.order().customer()));
  }

  /** How a lane that finds these records in the log polls them. */
  private static List<Group> batches(int records, int batchSize) {
    List<Group> groups = new ArrayList<>();
    for (int from = 0; from < records; from += batchSize) {
      groups.add(new Group("batch " + (from / batchSize + 1), Math.min(batchSize, records - from)));
    }
    return groups;
  }
}
