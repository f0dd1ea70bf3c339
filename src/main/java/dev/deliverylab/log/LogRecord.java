package dev.deliverylab.log;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An order at its place in the log. Partition and offset say which reading of it this is; the order
 * id says which order.
 */
public record LogRecord(int partition, long offset, Order order) {

  /** The next offset behind these records, by partition. */
  public static SortedMap<Integer, Long> behind(List<LogRecord> records) {
    SortedMap<Integer, Long> next = new TreeMap<>();
    for (LogRecord record : records) {
      next.merge(record.partition(), record.offset() + 1, Math::max);
    }
    return next;
  }
}
