package dev.deliverylab.guarantee;

import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.Sink;

/**
 * At-least-once delivery into a payments table that ignores an event id it knows. Balances are sums
 * over its rows. Of two orders with one id the first wins.
 */
final class InsertIgnore implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule(
        "insert-ignore",
        Promise.NEITHER,
        Shape.FIRST_WINS,
        Rule.Keeper.GROUP,
        Step.POLL,
        Step.EFFECT,
        Step.COMMIT);
  }

  @Override
  public void run(Steps steps, Sink sink, Progress progress) {
    var batch = steps.poll();
    for (var order : batch) {
      steps.effect(order, () -> sink.insertUnlessKnown(order));
    }
    steps.commit(() -> progress.commit(batch));
  }
}
