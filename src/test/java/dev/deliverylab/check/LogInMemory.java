package dev.deliverylab.check;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import dev.deliverylab.log.Truth;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A log and its truth, in memory. The truth can be held back, and counts what is read from it. */
final class LogInMemory implements Truth {

  private final int blockSize;
  private final List<LogRecord> waiting = new ArrayList<>();
  private final Map<Integer, Long> ends = new HashMap<>();
  private final List<Entry> met = new ArrayList<>();
  private final Map<BigInteger, Entry> firsts = new LinkedHashMap<>();
  private final Map<Integer, List<Entry>> blocks = new HashMap<>();
  private final Map<Integer, TreeMap<Long, Entry>> partitions = new TreeMap<>();
  private BigDecimal total = new BigDecimal("0.00");
  private long resent;
  private long conflicts;

  boolean heldBack;

  /** Whether the truth goes on right after it was asked for its totals. */
  boolean meetsAfterTotals;

  long entriesRead;

  LogInMemory(int blockSize) {
    this.blockSize = blockSize;
  }

  LogRecord append(int partition, Order order) {
    var offset = ends.merge(partition, 1L, Long::sum) - 1;
    var record = new LogRecord(partition, offset, order);
    waiting.add(record);
    if (!heldBack) {
      meetAll();
    }
    return record;
  }

  void meetAll() {
    waiting.forEach(this::meet);
    waiting.clear();
  }

  List<Entry> met() {
    return met;
  }

  private void meet(LogRecord record) {
    var order = record.order();
    var first = firsts.get(order.orderId());
    var kind =
        first == null
            ? Kind.FIRST
            : first.record().order().equals(order) ? Kind.RESENT : Kind.CONFLICT;
    long ordinal = first == null ? firsts.size() : first.ordinal();
    var entry = new Entry(record, kind, ordinal, (int) (ordinal / blockSize));
    if (first == null) {
      firsts.put(order.orderId(), entry);
      total = total.add(order.amount());
    } else if (kind == Kind.RESENT) {
      resent++;
    } else {
      conflicts++;
    }
    met.add(entry);
    blocks.computeIfAbsent(entry.block(), b -> new ArrayList<>()).add(entry);
    partitions
        .computeIfAbsent(record.partition(), p -> new TreeMap<>())
        .put(record.offset(), entry);
  }

  @Override
  public Totals totals() {
    var positions = positions();
    var totals = new Totals(firsts.size(), total, met.size(), resent, conflicts, positions);
    if (meetsAfterTotals) {
      meetsAfterTotals = false;
      meetAll();
    }
    return totals;
  }

  private Map<Integer, Long> positions() {
    var positions = new HashMap<Integer, Long>();
    partitions.forEach((partition, entries) -> positions.put(partition, entries.lastKey() + 1));
    return positions;
  }

  @Override
  public boolean await(Map<Integer, Long> positions, Duration timeout) {
    if (!heldBack) {
      meetAll();
    }
    var now = positions();
    return positions.entrySet().stream()
        .allMatch(e -> e.getValue() <= now.getOrDefault(e.getKey(), 0L));
  }

  @Override
  public List<Entry> block(int block) {
    var entries = new ArrayList<>(blocks.getOrDefault(block, List.of()));
    entries.sort(Comparator.comparingLong(Entry::ordinal));
    entriesRead += entries.size();
    return entries;
  }

  @Override
  public Map<BigInteger, Integer> blocksOf(Collection<BigInteger> orderIds) {
    var found = new HashMap<BigInteger, Integer>();
    for (var id : orderIds) {
      var first = firsts.get(id);
      if (first != null) {
        found.put(id, first.block());
      }
    }
    return found;
  }

  @Override
  public SortedSet<Integer> blocksIn(int partition, long from, long to) {
    var found = new TreeSet<Integer>();
    var entries = partitions.get(partition);
    if (entries != null) {
      entries.subMap(from, to).values().forEach(entry -> found.add(entry.block()));
    }
    return found;
  }

  @Override
  public List<Entry> entries(int partition, long from, int limit) {
    return partitions.getOrDefault(partition, new TreeMap<>()).tailMap(from).values().stream()
        .limit(limit)
        .toList();
  }

  @Override
  public List<Entry> entriesOf(BigInteger orderId) {
    return met.stream().filter(e -> e.record().order().orderId().equals(orderId)).toList();
  }

  @Override
  public List<Entry> conflicts(int limit) {
    return met.stream().filter(e -> e.kind() == Kind.CONFLICT).limit(limit).toList();
  }

  @Override
  public @Nullable BigInteger highestOrderId() {
    return firsts.keySet().stream().max(Comparator.naturalOrder()).orElse(null);
  }
}
