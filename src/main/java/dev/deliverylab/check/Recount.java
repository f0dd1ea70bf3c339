package dev.deliverylab.check;

import org.jspecify.annotations.Nullable;

/**
 * A count from nothing, beside the running one.
 *
 * @param agrees null when it could not be made
 * @param difference in words: what was compared, where the two part, or why it could not be made
 * @param count the lane after it
 */
public record Recount(@Nullable Boolean agrees, String difference, Count count) {}
