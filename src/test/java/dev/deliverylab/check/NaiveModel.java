package dev.deliverylab.check;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.SinkRow;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counting told a second time, as plainly as it can be: walk the log, walk the sink, one map by
 * order each. It shares no line with what it checks: no blocks, no tallies.
 */
final class NaiveModel {

  long orders;
  BigDecimal truth = new BigDecimal("0.00");
  long rows;
  BigDecimal total = new BigDecimal("0.00");
  long distinct;
  long viewRows;
  BigDecimal viewTotal = new BigDecimal("0.00");
  long duplicates;
  long reRead;
  long reSent;
  long conflict;
  long changed;
  long pending;
  long recognised;
  long strays;
  final List<BigInteger> lost = new ArrayList<>();
  final List<BigInteger> doubled = new ArrayList<>();

  NaiveModel(
      Shape shape,
      List<LogRecord> log,
      Iterable<SinkRow> sink,
      Map<Integer, Long> positions,
      Set<InHand.Place> hands) {
    var records = new LinkedHashMap<BigInteger, List<LogRecord>>();
    for (var record : log) {
      records.computeIfAbsent(record.order().orderId(), id -> new ArrayList<>()).add(record);
    }
    var effects = new LinkedHashMap<BigInteger, List<SinkRow>>();
    for (var row : sink) {
      effects.computeIfAbsent(row.orderId(), id -> new ArrayList<>()).add(row);
      rows++;
      total = total.add(row.amount());
      if (!records.containsKey(row.orderId())) {
        strays++;
      }
      if (shape == Shape.KEYED || shape == Shape.FIRST_WINS) {
        recognised += row.writes() - 1;
      }
    }
    distinct = effects.size();
    for (var id : records.keySet()) {
      var first = records.get(id).get(0).order();
      orders++;
      truth = truth.add(first.amount());
      if (shape == Shape.BALANCE) {
        pending += open(records.get(id).subList(0, 1), positions, hands) ? 1 : 0;
      } else if (!effects.containsKey(id)) {
        if (open(records.get(id), positions, hands)) {
          pending++;
        } else {
          lost.add(id);
        }
      }
    }
    for (var id : effects.keySet()) {
      var its = effects.get(id);
      var first = records.containsKey(id) ? records.get(id).get(0).order() : null;
      if (shape == Shape.DEDUPLICATED_ON_READ) {
        var winner = its.get(0);
        for (var row : its) {
          var newer = row.eventTime().compareTo(winner.eventTime());
          var further = Long.compare(row.offset(), winner.offset());
          if (newer > 0
              || (newer == 0 && further > 0)
              || (newer == 0 && further == 0 && row.partition() > winner.partition())) {
            winner = row;
          }
        }
        recognised += its.size() - 1;
        see(winner);
        differs(shape, first, winner);
        continue;
      }
      its.forEach(this::see);
      differs(shape, first, its.get(0));
      duplicates += its.size() - 1;
      if (its.size() > 1 && first != null) {
        doubled.add(id);
      }
      for (int i = 1; i < its.size(); i++) {
        var row = its.get(i);
        var before = its.subList(0, i);
        if (before.stream()
            .anyMatch(r -> r.partition() == row.partition() && r.offset() == row.offset())) {
          reRead++;
        } else if (before.stream().anyMatch(r -> says(r).equals(says(row)))) {
          reSent++;
        } else {
          conflict++;
        }
      }
    }
    // Listed in log order, like the lane's lists.
    doubled.sort((a, b) -> Integer.compare(indexOf(records, a), indexOf(records, b)));
  }

  private static int indexOf(Map<BigInteger, List<LogRecord>> records, BigInteger id) {
    return List.copyOf(records.keySet()).indexOf(id);
  }

  private void see(SinkRow row) {
    viewRows++;
    viewTotal = viewTotal.add(row.amount());
  }

  private void differs(Shape shape, @Nullable Order first, SinkRow row) {
    if (first != null && !says(row).equals(says(first))) {
      changed++;
      conflict += shape == Shape.APPEND_ONLY ? 0 : 1;
    }
  }

  private static boolean open(
      List<LogRecord> records, Map<Integer, Long> positions, Set<InHand.Place> hands) {
    for (var record : records) {
      var position = positions.get(record.partition());
      if (position == null
          || record.offset() >= position
          || hands.contains(new InHand.Place(record.partition(), record.offset()))) {
        return true;
      }
    }
    return false;
  }

  private static String says(Order order) {
    return order.amount() + " " + order.eventTime() + " " + order.customer();
  }

  private static String says(SinkRow row) {
    return row.amount() + " " + row.eventTime() + " " + row.customer();
  }
}
