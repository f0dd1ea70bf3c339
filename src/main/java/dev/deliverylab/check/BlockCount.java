package dev.deliverylab.check;

import dev.deliverylab.log.Truth;
import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.SinkRow;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One block of the truth, counted: a tally, and two bits an order. Ids are not kept, so that a
 * million orders cost kilobytes.
 */
record BlockCount(Tally tally, BitSet lost, BitSet doubled) {

  static final BlockCount EMPTY = new BlockCount(Tally.ZERO, new BitSet(), new BitSet());

  static BlockCount of(Shape shape, List<Truth.Entry> entries, List<SinkRow> rows, Reach reach) {
    var rowsOf = byOrder(rows);
    var lost = new BitSet(Truth.BLOCK);
    var doubled = new BitSet(Truth.BLOCK);
    var tally = Tally.ZERO;
    for (var order : recordsByOrder(entries).entrySet()) {
      var fate =
          Fate.of(shape, order.getValue(), rowsOf.getOrDefault(order.getKey(), List.of()), reach);
      tally = tally.plus(fate.tally());
      var bit = bit(order.getValue().get(0));
      lost.set(bit, fate.outcome() == Outcome.LOST);
      doubled.set(bit, fate.outcome() == Outcome.DOUBLED);
    }
    return new BlockCount(tally, lost, doubled);
  }

  /** An order's place in its block; ordinals of a block follow each other, wherever they start. */
  static int bit(Truth.Entry entry) {
    return (int) Math.floorMod(entry.ordinal(), (long) Truth.BLOCK);
  }

  static Map<BigInteger, List<Truth.Entry>> recordsByOrder(List<Truth.Entry> entries) {
    var byOrder = new LinkedHashMap<BigInteger, List<Truth.Entry>>();
    for (var entry : entries) {
      byOrder
          .computeIfAbsent(entry.record().order().orderId(), id -> new ArrayList<>(1))
          .add(entry);
    }
    return byOrder;
  }

  static Map<BigInteger, List<SinkRow>> byOrder(List<SinkRow> rows) {
    var byOrder = new LinkedHashMap<BigInteger, List<SinkRow>>();
    for (var row : rows) {
      byOrder.computeIfAbsent(row.orderId(), id -> new ArrayList<>(1)).add(row);
    }
    return byOrder;
  }
}
