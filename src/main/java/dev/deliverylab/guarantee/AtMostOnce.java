package dev.deliverylab.guarantee;

import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.Sink;

/**
 * Progress first, then the effects. A crash between the two loses what was not applied yet; nothing
 * is ever applied twice.
 */
final class AtMostOnce implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule(
        "at-most-once",
        Promise.NO_DUPLICATE,
        Shape.APPEND_ONLY,
        Rule.Keeper.GROUP,
        Step.POLL,
        Step.COMMIT,
        Step.EFFECT);
  }

  @Override
  public void run(Steps steps, Sink sink, Progress progress) {
    var batch = steps.poll();
    steps.commit(() -> progress.commit(batch));
    for (var order : batch) {
      steps.effect(order, () -> sink.append(order));
    }
  }
}
