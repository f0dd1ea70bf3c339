package dev.deliverylab.sink;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A window as a lane's sink holds it now: the latest revision of its result.
 *
 * @param end exclusive
 * @param events orders counted in it
 * @param maxLateness greatest time from event to arrival among them; zero if all came ahead of time
 * @param revision how often its result was published, from 1; 0 while it is open
 * @param closedAt the clock when it became final; null while it is open
 */
public record WindowRow(
    Instant start,
    Instant end,
    long events,
    BigDecimal revenue,
    Duration maxLateness,
    int revision,
    boolean isFinal,
    @Nullable Instant closedAt) {}
