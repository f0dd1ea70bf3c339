package dev.deliverylab.check;

import org.jspecify.annotations.Nullable;

/**
 * Two answers that must not be mixed up: at-least-once after a crash keeps its promise and has the
 * wrong number.
 *
 * @param promise what the guarantee claims
 * @param promiseKept whether what the sink shows agrees with it; null where that cannot be known
 * @param numberRight whether the result equals the truth; null while orders are pending and nothing
 *     is wrong yet
 * @param why one sentence
 */
public record Verdict(
    String promise, @Nullable Boolean promiseKept, @Nullable Boolean numberRight, String why) {}
