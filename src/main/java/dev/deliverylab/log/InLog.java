package dev.deliverylab.log;

import java.math.BigInteger;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Something at its place in a log. Partition and offset say which reading of it this is. */
public interface InLog {

  int partition();

  long offset();

  /** The order that it is about; null if it is about none. */
  @Nullable BigInteger orderId();

  /** For people: {@code order 1001}. */
  String title();

  /** The next offset behind these, by partition. */
  static SortedMap<Integer, Long> behind(Collection<? extends InLog> records) {
    SortedMap<Integer, Long> next = new TreeMap<>();
    for (InLog record : records) {
      next.merge(record.partition(), record.offset() + 1, Math::max);
    }
    return next;
  }
}
