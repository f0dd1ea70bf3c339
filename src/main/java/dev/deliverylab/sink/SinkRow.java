package dev.deliverylab.sink;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One row of a sink, as stored.
 *
 * @param row its number, from 1, in the order in which rows were first written
 * @param change grows with every write to the table, so that a reader finds what is new
 * @param key the key it was written under: event id, or a key made per attempt
 * @param partition and {@code offset}: the reading of the log that wrote it last
 * @param life the life of the lane that wrote it last
 * @param writes how often this row was written or recognised; 1 for a row met once
 */
public record SinkRow(
    long row,
    long change,
    String key,
    BigInteger orderId,
    BigDecimal amount,
    Instant eventTime,
    @Nullable String customer,
    int partition,
    long offset,
    Instant appliedAt,
    int life,
    int writes) {

  /**
   * Of the rows of one order the least is the one that the view of {@link
   * Shape#DEDUPLICATED_ON_READ} shows: the newest event time; of equal ones the later place in the
   * log; of readings of the same place the first. So a replay changes nothing that the view shows.
   */
  public static final Comparator<SinkRow> AS_THE_VIEW_PREFERS =
      Comparator.comparing(SinkRow::eventTime)
          .thenComparing(SinkRow::offset)
          .thenComparing(SinkRow::partition)
          .reversed()
          .thenComparing(SinkRow::row);
}
