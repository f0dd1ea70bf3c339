package dev.deliverylab.guarantee;

import static dev.deliverylab.guarantee.Promise.NEITHER;
import static dev.deliverylab.guarantee.Rule.Keeper.GROUP;
import static dev.deliverylab.guarantee.Step.COMMIT;
import static dev.deliverylab.guarantee.Step.EFFECT;
import static dev.deliverylab.guarantee.Step.POLL;
import static dev.deliverylab.sink.Shape.FIRST_WINS;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.sink.Sink;

/**
 * At-least-once delivery into a payments table that ignores an event id it knows. Balances are sums
 * over its rows. Of two orders with one id the first wins.
 */
final class InsertIgnore implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule("insert-ignore", NEITHER, FIRST_WINS, GROUP, POLL, EFFECT, COMMIT);
  }

  @Override
  public void run(Steps<LogRecord> steps, Sink sink, Progress progress) {
    var batch = steps.poll();
    for (var order : batch) {
      steps.effect(order, () -> sink.insertUnlessKnown(order));
    }
    steps.commit(() -> progress.commit(batch));
  }
}
