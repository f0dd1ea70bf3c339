package dev.deliverylab.check;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.SinkRow;
import dev.deliverylab.sink.SinkTable;
import dev.deliverylab.sink.SinkUnreachable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A sink in memory. It can be down, can hide a change, and counts the rows that are read from it.
 */
final class SinkInMemory implements SinkTable {

  private final Shape shape;
  private final Map<String, SinkRow> byKey = new LinkedHashMap<>();
  private final TreeMap<Long, SinkRow> byRow = new TreeMap<>();
  private final TreeMap<Long, SinkRow> byChange = new TreeMap<>();
  private final Map<BigInteger, TreeMap<Long, SinkRow>> byOrder = new HashMap<>();
  private final Map<String, BigDecimal> balances = new TreeMap<>();
  private final Collection<Long> hidden = new HashSet<>();
  private long changes;

  boolean down;
  long rowsRead;
  long questions;

  SinkInMemory(Shape shape) {
    this.shape = shape;
  }

  /** Writes as a lane of this shape would, under the event id. */
  void apply(LogRecord record) {
    apply(record, record.order().eventId());
  }

  /** The same under a key of one's own, which only a keyed table looks at. */
  void apply(LogRecord record, String key) {
    switch (shape) {
      case BALANCE ->
          balances.merge(record.order().key(), record.order().amount(), BigDecimal::add);
      case APPEND_ONLY, DEDUPLICATED_ON_READ -> put(record, "row-" + byRow.size(), null);
      case WINDOWS -> throw new IllegalArgumentException("no table of orders");
      case KEYED -> put(record, key, byKey.get(key));
      case FIRST_WINS -> {
        var known = byKey.get(record.order().eventId());
        if (known == null) {
          put(record, record.order().eventId(), null);
        } else {
          var order = known.orderId();
          var again =
              new SinkRow(
                  known.row(),
                  ++changes,
                  known.key(),
                  order,
                  known.amount(),
                  known.eventTime(),
                  known.customer(),
                  known.partition(),
                  known.offset(),
                  known.appliedAt(),
                  known.life(),
                  known.writes() + 1);
          store(again, known);
        }
      }
    }
  }

  private void put(LogRecord record, String key, @Nullable SinkRow old) {
    var order = record.order();
    var row =
        new SinkRow(
            old == null ? byRow.size() + 1 : old.row(),
            ++changes,
            key,
            order.orderId(),
            order.amount(),
            order.eventTime(),
            order.customer(),
            record.partition(),
            record.offset(),
            Instant.EPOCH,
            1,
            old == null ? 1 : old.writes() + 1);
    store(row, old);
  }

  private void store(SinkRow row, @Nullable SinkRow old) {
    if (old != null) {
      byChange.remove(old.change());
    }
    byKey.put(row.key(), row);
    byRow.put(row.row(), row);
    byChange.put(row.change(), row);
    byOrder.computeIfAbsent(row.orderId(), id -> new TreeMap<>()).put(row.row(), row);
  }

  /** The last write happened, and whoever asks for changes is not told. */
  void hideLastChange() {
    hidden.add(changes);
  }

  Collection<SinkRow> rows() {
    return byRow.values();
  }

  BigDecimal balance() {
    return balances.values().stream().reduce(new BigDecimal("0.00"), BigDecimal::add);
  }

  private List<SinkRow> read(List<SinkRow> rows) {
    if (down) {
      throw new SinkUnreachable("connection refused", new IllegalStateException("down"));
    }
    questions++;
    rowsRead += rows.size();
    return rows;
  }

  @Override
  public Shape shape() {
    return shape;
  }

  @Override
  public List<SinkRow> changedAfter(long change, int limit) {
    return read(
        byChange.tailMap(change, false).values().stream()
            .filter(row -> !hidden.contains(row.change()))
            .limit(limit)
            .toList());
  }

  @Override
  public List<SinkRow> rowsOf(Collection<BigInteger> orderIds) {
    var rows = new TreeMap<Long, SinkRow>();
    for (var id : new HashSet<>(orderIds)) {
      rows.putAll(byOrder.getOrDefault(id, new TreeMap<>()));
    }
    return read(List.copyOf(rows.values()));
  }

  @Override
  public List<SinkRow> newest(int limit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<SinkRow> page(long afterRow, int limit, boolean deduplicated) {
    return read(byRow.tailMap(afterRow, false).values().stream().limit(limit).toList());
  }

  @Override
  public Map<String, BigDecimal> balances() {
    read(List.of());
    return new HashMap<>(balances);
  }

  @Override
  public Map<Integer, Long> storedOffsets() {
    return Map.of();
  }

  @Override
  public void rewind(Map<Integer, Long> offsets) {
    throw new UnsupportedOperationException("counting moves nothing");
  }

  @Override
  public Connected connect(int life) {
    throw new UnsupportedOperationException("counting writes nothing");
  }
}
