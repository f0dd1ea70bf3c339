package dev.deliverylab.log;

import dev.deliverylab.log.Truth.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides for each record of the log whether its order is new, sent again, or in conflict, and
 * keeps the running totals. One use is one batch: it starts from the totals that are stored and
 * asks for known orders only where an id could be known.
 */
final class Classifier {

  /** The first record of an order: its ordinal and its content. */
  record First(long ordinal, Order order) {}

  /**
   * @param met place in the order in which the reader met all records, from 0
   */
  record Row(long met, LogRecord record, Kind kind, long ordinal) {}

  /** The running values. {@code records} leaves out what was unreadable. */
  record Sums(
      long orders,
      BigDecimal total,
      long records,
      long resent,
      long conflicts,
      long unreadable,
      @Nullable BigInteger highest) {

    static final Sums NONE = new Sums(0, new BigDecimal("0.00"), 0, 0, 0, 0, null);
  }

  private final List<Row> rows = new ArrayList<>();
  private Sums sums;

  Classifier(Sums before) {
    this.sums = before;
  }

  List<Row> rows() {
    return rows;
  }

  Sums sums() {
    return sums;
  }

  /**
   * @param known the first records of those of the asked ids that the truth holds already
   */
  void add(
      List<LogRecord> records,
      long unreadable,
      Function<Set<BigInteger>, Map<BigInteger, First>> known) {
    Map<BigInteger, First> firsts = new HashMap<>(known.apply(knowable(records)));
    long orders = sums.orders;
    BigDecimal total = sums.total;
    long met = sums.records;
    long resent = sums.resent;
    long conflicts = sums.conflicts;
    BigInteger highest = sums.highest;
    for (LogRecord record : records) {
      Order order = record.order();
      First first = firsts.get(order.orderId());
      if (first == null) {
        firsts.put(order.orderId(), new First(orders, order));
        rows.add(new Row(met, record, Kind.FIRST, orders));
        total = total.add(order.amount());
        highest = highest == null ? order.orderId() : highest.max(order.orderId());
        orders++;
      } else if (first.order().equals(order)) {
        rows.add(new Row(met, record, Kind.RESENT, first.ordinal()));
        resent++;
      } else {
        rows.add(new Row(met, record, Kind.CONFLICT, first.ordinal()));
        conflicts++;
      }
      met++;
    }
    sums = new Sums(orders, total, met, resent, conflicts, sums.unreadable + unreadable, highest);
  }

  /** An id above the highest one stored is new without asking, which makes ascending ids cheap. */
  private Set<BigInteger> knowable(List<LogRecord> records) {
    Set<BigInteger> ids = new HashSet<>();
    BigInteger highest = sums.highest;
    if (highest != null) {
      for (LogRecord record : records) {
        if (record.order().orderId().compareTo(highest) <= 0) {
          ids.add(record.order().orderId());
        }
      }
    }
    return ids;
  }
}
