package dev.deliverylab.check;

import org.jspecify.annotations.Nullable;

/**
 * Orders by what became of them. Null: the sink holds no evidence to count by (a running balance),
 * or it could not be read.
 *
 * @param duplicates effects beyond the first that a reader sees
 * @param lost orders that will never come
 * @param pending orders that may still come
 */
public record Counts(@Nullable Long duplicates, @Nullable Long lost, @Nullable Long pending) {}
