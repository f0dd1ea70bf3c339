package dev.deliverylab.guarantee;

import static dev.deliverylab.guarantee.Promise.NEITHER;
import static dev.deliverylab.guarantee.Rule.Keeper.GROUP;
import static dev.deliverylab.guarantee.Step.COMMIT;
import static dev.deliverylab.guarantee.Step.EFFECT;
import static dev.deliverylab.guarantee.Step.POLL;
import static dev.deliverylab.sink.Shape.KEYED;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.sink.Sink;

/**
 * At-least-once delivery into a table with a key made of the content. A repeat writes the same row
 * again. Of two orders with one id the last wins.
 */
final class IdempotentKey implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule("idempotent-key", NEITHER, KEYED, GROUP, POLL, EFFECT, COMMIT);
  }

  @Override
  public void run(Steps<LogRecord> steps, Sink sink, Progress progress) {
    var batch = steps.poll();
    for (var order : batch) {
      var key = order.order().eventId();
      steps.effect(order, () -> sink.upsert(key, order));
    }
    steps.commit(() -> progress.commit(batch));
  }
}
