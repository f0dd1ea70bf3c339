package dev.deliverylab.sink;

import dev.deliverylab.log.Order;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a window lane did with one record: the line in its ledger that explains its numbers.
 *
 * @param seq in which order the lane met it, from 1; given by the table, 0 before that
 * @param arrivalTime the arrival it was judged by
 * @param order null for a reading of the clock, as are its window's ends
 * @param watermark where the watermark stood when the record was judged, the record included; null
 *     where there was none
 */
public record LedgerRow(
    long seq,
    int partition,
    long offset,
    Instant arrivalTime,
    @Nullable Order order,
    @Nullable Instant windowStart,
    @Nullable Instant windowEnd,
    @Nullable Instant watermark,
    Fate fate) {}
