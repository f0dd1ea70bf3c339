package dev.deliverylab.check;

import java.math.BigDecimal;

/**
 * What was meant to be in the result.
 *
 * @param records distinct orders
 * @param total sum of the first content of each
 */
public record TruthSummary(long records, BigDecimal total) {}
