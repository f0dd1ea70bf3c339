package dev.deliverylab.guarantee;

import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.Sink;

/**
 * The effects first, then progress. A crash between the two repeats the batch; nothing is ever
 * lost.
 */
final class AtLeastOnce implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule(
        "at-least-once",
        Promise.NO_LOSS,
        Shape.APPEND_ONLY,
        Rule.Keeper.GROUP,
        Step.POLL,
        Step.EFFECT,
        Step.COMMIT);
  }

  @Override
  public void run(Steps steps, Sink sink, Progress progress) {
    var batch = steps.poll();
    for (var order : batch) {
      steps.effect(order, () -> sink.append(order));
    }
    steps.commit(() -> progress.commit(batch));
  }
}
