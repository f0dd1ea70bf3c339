package dev.deliverylab.guarantee;

import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.Sink;
import java.util.UUID;

/**
 * Negative control: an upsert by a key that is made anew on every attempt. A repeat does not find
 * its first row, so this is at-least-once with more effort.
 */
final class RandomKey implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule(
        "random-key",
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
      var key = UUID.randomUUID().toString();
      steps.effect(order, () -> sink.upsert(key, order));
    }
    steps.commit(() -> progress.commit(batch));
  }
}
