package dev.deliverylab.check;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What lies in a sink.
 *
 * @param rows raw rows; accounts for a running balance
 * @param distinct order ids among them; null for a running balance, which has none
 * @param total sum of the raw rows or of the balances
 * @param view what readers see, where they read through a view
 */
public record SinkSummary(
    long rows, @Nullable Long distinct, BigDecimal total, @Nullable ViewSummary view) {}
