package dev.deliverylab.guarantee;

import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.Sink;

/**
 * Effects and position in one database transaction: after a crash either both are there or neither.
 * The group's offsets in Kafka play no part.
 */
final class Transactional implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule(
        "transactional",
        Promise.NEITHER,
        Shape.APPEND_ONLY,
        Rule.Keeper.SINK,
        Step.POLL,
        Step.BEGIN,
        Step.EFFECT,
        Step.STORE_OFFSET,
        Step.COMMIT_TX);
  }

  @Override
  public void run(Steps steps, Sink sink, Progress progress) {
    var batch = steps.poll();
    steps.begin(sink::begin);
    for (var order : batch) {
      steps.effect(order, () -> sink.append(order));
    }
    steps.storeOffset(() -> sink.storeOffset(batch));
    steps.commitTx(sink::commit);
  }
}
