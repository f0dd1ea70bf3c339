package dev.deliverylab.check;

import dev.deliverylab.log.Truth;
import dev.deliverylab.sink.SinkRow;
import java.math.BigInteger;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The orders that became doubled during one refresh, and which of them landed twice first. */
final class NewlyDoubled {

  private long count;
  private @Nullable BigInteger first;
  private long firstRow = Long.MAX_VALUE;

  void note(BlockCount before, BlockCount after, List<Truth.Entry> entries, List<SinkRow> rows) {
    var fresh = (BitSet) after.doubled().clone();
    fresh.andNot(before.doubled());
    if (fresh.isEmpty()) {
      return;
    }
    count += fresh.cardinality();
    var bits = new HashMap<BigInteger, Integer>();
    entries.forEach(e -> bits.put(e.record().order().orderId(), BlockCount.bit(e)));
    var met = new HashSet<BigInteger>();
    for (var row : rows) {
      var second = !met.add(row.orderId());
      if (second && isIn(fresh, bits.get(row.orderId())) && row.row() < firstRow) {
        first = row.orderId();
        firstRow = row.row();
      }
    }
  }

  private static boolean isIn(BitSet bits, @Nullable Integer bit) {
    return bit != null && bits.get(bit);
  }

  long count() {
    return count;
  }

  /** By the row that was its second one; null if there is none. */
  @Nullable BigInteger first() {
    return first;
  }
}
