package dev.deliverylab.check;

import org.jspecify.annotations.Nullable;

/**
 * A lane's progress in one partition.
 *
 * @param committed the next offset after a restart, from Kafka or from beside the data; null if
 *     there is none yet
 * @param end the next offset the log will give out
 * @param lag records between the two; the whole partition where nothing is committed
 */
public record Position(int partition, @Nullable Long committed, long end, long lag) {}
