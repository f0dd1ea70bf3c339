package dev.deliverylab.guarantee;

import static dev.deliverylab.guarantee.Promise.NO_LOSS;
import static dev.deliverylab.guarantee.Rule.Keeper.CLIENT;
import static dev.deliverylab.guarantee.Step.EFFECT;
import static dev.deliverylab.guarantee.Step.POLL;
import static dev.deliverylab.sink.Shape.APPEND_ONLY;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.sink.Sink;

/**
 * No line says commit: the client does it, inside a later poll. While the work is done in the
 * polling thread, the commit can only follow it.
 */
final class AutoCommit implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule("auto-commit", NO_LOSS, APPEND_ONLY, CLIENT, POLL, EFFECT);
  }

  @Override
  public void run(Steps<LogRecord> steps, Sink sink, Progress progress) {
    var batch = steps.poll();
    for (var order : batch) {
      steps.effect(order, () -> sink.append(order));
    }
  }
}
