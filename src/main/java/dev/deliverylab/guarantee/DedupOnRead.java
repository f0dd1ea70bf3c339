package dev.deliverylab.guarantee;

import static dev.deliverylab.guarantee.Promise.NEITHER;
import static dev.deliverylab.guarantee.Rule.Keeper.GROUP;
import static dev.deliverylab.guarantee.Step.COMMIT;
import static dev.deliverylab.guarantee.Step.EFFECT;
import static dev.deliverylab.guarantee.Step.POLL;
import static dev.deliverylab.sink.Shape.DEDUPLICATED_ON_READ;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.sink.Sink;

/**
 * At-least-once delivery into an append-only table. Repeats stay in it; readers use a view that
 * keeps one row an order, and whoever forgets the view reads a wrong sum.
 */
final class DedupOnRead implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule("dedup-on-read", NEITHER, DEDUPLICATED_ON_READ, GROUP, POLL, EFFECT, COMMIT);
  }

  @Override
  public void run(Steps<LogRecord> steps, Sink sink, Progress progress) {
    var batch = steps.poll();
    for (var order : batch) {
      steps.effect(order, () -> sink.append(order));
    }
    steps.commit(() -> progress.commit(batch));
  }
}
