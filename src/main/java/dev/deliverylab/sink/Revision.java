package dev.deliverylab.sink;

import java.math.BigDecimal;
import java.time.Instant;

/**
 * A window's result as it was published once. The sink's window holds the latest of them.
 *
 * @param revision from 1
 * @param publishedAt the clock at that time
 */
public record Revision(
    Instant windowStart, int revision, long events, BigDecimal revenue, Instant publishedAt) {}
