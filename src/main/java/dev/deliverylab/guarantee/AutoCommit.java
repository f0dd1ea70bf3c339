package dev.deliverylab.guarantee;

import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.Sink;

/**
 * No line says commit: the client does it, inside a later poll. While the work is done in the
 * polling thread, the commit can only follow it.
 */
final class AutoCommit implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule(
        "auto-commit",
        Promise.NO_LOSS,
        Shape.APPEND_ONLY,
        Rule.Keeper.CLIENT,
        Step.POLL,
        Step.EFFECT);
  }

  @Override
  public void run(Steps steps, Sink sink, Progress progress) {
    var batch = steps.poll();
    for (var order : batch) {
      steps.effect(order, () -> sink.append(order));
    }
  }
}
