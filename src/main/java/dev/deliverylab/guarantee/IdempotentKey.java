package dev.deliverylab.guarantee;

import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.Sink;

/**
 * At-least-once delivery into a table with a key made of the content. A repeat writes the same row
 * again. Of two orders with one id the last wins.
 */
final class IdempotentKey implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule(
        "idempotent-key",
        Promise.NEITHER,
        Shape.KEYED,
        Rule.Keeper.GROUP,
        Step.POLL,
        Step.EFFECT,
        Step.COMMIT);
  }

  @Override
  public void run(Steps steps, Sink sink, Progress progress) {
    var batch = steps.poll();
    for (var order : batch) {
      var key = order.order().eventId();
      steps.effect(order, () -> sink.upsert(key, order));
    }
    steps.commit(() -> progress.commit(batch));
  }
}
