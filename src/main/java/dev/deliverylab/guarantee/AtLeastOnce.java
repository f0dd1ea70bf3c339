package dev.deliverylab.guarantee;

import static dev.deliverylab.guarantee.Promise.NO_LOSS;
import static dev.deliverylab.guarantee.Rule.Keeper.GROUP;
import static dev.deliverylab.guarantee.Step.COMMIT;
import static dev.deliverylab.guarantee.Step.EFFECT;
import static dev.deliverylab.guarantee.Step.POLL;
import static dev.deliverylab.sink.Shape.APPEND_ONLY;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.sink.Sink;

/**
 * The effects first, then progress. A crash between the two repeats the batch; nothing is ever
 * lost.
 */
final class AtLeastOnce implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule("at-least-once", NO_LOSS, APPEND_ONLY, GROUP, POLL, EFFECT, COMMIT);
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
