package dev.deliverylab.guarantee;

import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.Sink;

/**
 * Negative control: each order is added to a running balance. A repeat is added again and leaves no
 * row to find it by: nothing to count, only wrong.
 */
final class IncrementInPlace implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule(
        "increment-in-place",
        Promise.NEITHER,
        Shape.BALANCE,
        Rule.Keeper.GROUP,
        Step.POLL,
        Step.EFFECT,
        Step.COMMIT);
  }

  @Override
  public void run(Steps steps, Sink sink, Progress progress) {
    var batch = steps.poll();
    for (var order : batch) {
      steps.effect(order, () -> sink.add(order));
    }
    steps.commit(() -> progress.commit(batch));
  }
}
