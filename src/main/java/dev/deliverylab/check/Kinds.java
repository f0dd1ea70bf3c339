package dev.deliverylab.check;

/**
 * Duplicates by where they come from.
 *
 * @param reRead the same offset applied again: a crash or a rewind of the consumer
 * @param reSent a new offset with the same id and content: a producer's retry
 * @param conflict the same id with other content
 */
public record Kinds(long reRead, long reSent, long conflict) {}
