package dev.deliverylab.check;

import java.math.BigInteger;

/**
 * One order in one lane.
 *
 * @param times effects in the sink, raw rows where a view hides some
 * @param hidden how many of them a view hides from the reader
 * @param safe whether the lane's progress has passed it, so that a restart would not read it again
 */
public record Cell(
    BigInteger orderId,
    int partition,
    long offset,
    int times,
    int hidden,
    boolean safe,
    Outcome outcome) {}
