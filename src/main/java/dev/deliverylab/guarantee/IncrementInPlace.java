package dev.deliverylab.guarantee;

import static dev.deliverylab.guarantee.Promise.NEITHER;
import static dev.deliverylab.guarantee.Rule.Keeper.GROUP;
import static dev.deliverylab.guarantee.Step.COMMIT;
import static dev.deliverylab.guarantee.Step.EFFECT;
import static dev.deliverylab.guarantee.Step.POLL;
import static dev.deliverylab.sink.Shape.BALANCE;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.sink.Sink;

/**
 * Negative control: each order is added to a running balance. A repeat is added again and leaves no
 * row to find it by: nothing to count, only wrong.
 */
final class IncrementInPlace implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule("increment-in-place", NEITHER, BALANCE, GROUP, POLL, EFFECT, COMMIT);
  }

  @Override
  public void run(Steps<LogRecord> steps, Sink sink, Progress progress) {
    var batch = steps.poll();
    for (var order : batch) {
      steps.effect(order, () -> sink.add(order));
    }
    steps.commit(() -> progress.commit(batch));
  }
}
