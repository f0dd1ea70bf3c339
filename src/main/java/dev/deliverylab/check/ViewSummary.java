package dev.deliverylab.check;

import java.math.BigDecimal;

/** What the readers' view over a sink shows: rows, and their sum. */
public record ViewSummary(long rows, BigDecimal total) {}
