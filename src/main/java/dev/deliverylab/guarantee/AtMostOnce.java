package dev.deliverylab.guarantee;

import static dev.deliverylab.guarantee.Promise.NO_DUPLICATE;
import static dev.deliverylab.guarantee.Rule.Keeper.GROUP;
import static dev.deliverylab.guarantee.Step.COMMIT;
import static dev.deliverylab.guarantee.Step.EFFECT;
import static dev.deliverylab.guarantee.Step.POLL;
import static dev.deliverylab.sink.Shape.APPEND_ONLY;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.sink.Sink;

/**
 * Progress first, then the effects. A crash between the two loses what was not applied yet; nothing
 * is ever applied twice.
 */
final class AtMostOnce implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule("at-most-once", NO_DUPLICATE, APPEND_ONLY, GROUP, POLL, COMMIT, EFFECT);
  }

  @Override
  public void run(Steps<LogRecord> steps, Sink sink, Progress progress) {
    var batch = steps.poll();
    steps.commit(() -> progress.commit(batch));
    for (var order : batch) {
      steps.effect(order, () -> sink.append(order));
    }
  }
}
