package dev.deliverylab.guarantee;

import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.Sink;

/**
 * At-least-once delivery into an append-only table. Repeats stay in it; readers use a view that
 * keeps one row an order, and whoever forgets the view reads a wrong sum.
 */
final class DedupOnRead implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule(
        "dedup-on-read",
        Promise.NEITHER,
        Shape.DEDUPLICATED_ON_READ,
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
