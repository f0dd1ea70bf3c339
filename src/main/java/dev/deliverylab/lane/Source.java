package dev.deliverylab.lane;

import dev.deliverylab.broker.Scope;

/**
 * The log that lanes read.
 *
 * @param owner what remembers its lanes: an experiment's number, or {@code time-3}
 * @param number of the experiment or time log
 * @param scope the names of its groups and clients
 * @param batchSize most records of one poll
 */
public record Source(
    String owner, long number, Scope scope, String topic, int partitions, int batchSize) {}
