package dev.deliverylab.lane;

import java.io.Serializable;

/**
 * All that one life of a lane needs to know, in a form that can be handed to another process.
 *
 * @param log number of its experiment or time log
 * @param bootstrapServers where it reaches Kafka
 * @param clientId carries the number of the life, so that a dead life can be refused for ever
 * @param instanceId names the member, so that a restart is handed its partitions at once (KIP-345)
 * @param batchSize most records of one poll
 */
public record LaneDescription(
    long log,
    String lane,
    int life,
    String bootstrapServers,
    String topic,
    int partitions,
    int batchSize,
    String group,
    String clientId,
    String instanceId)
    implements Serializable {}
