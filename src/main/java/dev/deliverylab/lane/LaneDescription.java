package dev.deliverylab.lane;

import dev.deliverylab.guarantee.Guarantee;
import dev.deliverylab.guarantee.Guarantees;
import java.io.Serializable;

/**
 * All that one life of a lane needs to know, in a form that can be handed to another process.
 *
 * @param bootstrapServers where it reaches Kafka
 * @param clientId carries the number of the life, so that a dead life can be refused for ever
 * @param instanceId names the member, so that a restart is handed its partitions at once (KIP-345)
 * @param batchSize most records of one poll
 */
public record LaneDescription(
    long experiment,
    String guaranteeName,
    int life,
    String bootstrapServers,
    String topic,
    int partitions,
    int batchSize,
    String group,
    String clientId,
    String instanceId)
    implements Serializable {

  Guarantee guarantee() {
    return Guarantees.all().stream()
        .filter(each -> each.rule().name().equals(guaranteeName))
        .findFirst()
        .orElseThrow();
  }
}
