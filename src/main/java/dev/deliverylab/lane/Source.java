package dev.deliverylab.lane;

import dev.deliverylab.broker.Scope;
import dev.deliverylab.log.OrderLogs;

/**
 * The log that lanes read.
 *
 * @param owner what remembers its lanes: an experiment's number, or {@code time-3}
 * @param number of the experiment or time log
 * @param scope the names of its groups and clients
 * @param batchSize most records of one poll
 */
public record Source(
    String owner, long number, Scope scope, String topic, int partitions, int batchSize) {

  public static final int DEFAULT_PARTITIONS = 1;
  public static final int DEFAULT_BATCH_SIZE = 2;
  public static final int MAX_PARTITIONS = OrderLogs.MAX_PARTITIONS;
  public static final int MAX_BATCH_SIZE = 1_000;

  /**
   * @throws IllegalArgumentException saying what is allowed
   */
  public static void check(int partitions, int batchSize) {
    if (partitions < 1 || partitions > MAX_PARTITIONS) {
      throw new IllegalArgumentException(
          "partitions: 1 to " + MAX_PARTITIONS + "; it was " + partitions);
    }
    if (batchSize < 1 || batchSize > MAX_BATCH_SIZE) {
      throw new IllegalArgumentException(
          "batchSize: 1 to " + MAX_BATCH_SIZE + "; it was " + batchSize);
    }
  }
}
