package dev.deliverylab.time;

import dev.deliverylab.log.Order;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An order and when it arrives, before it has a place in the log.
 *
 * @param partition where it must go; null: where its key takes it
 */
public record Arrival(Order order, Instant arrivalTime, @Nullable Integer partition) {}
