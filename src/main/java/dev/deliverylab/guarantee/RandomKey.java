package dev.deliverylab.guarantee;

import static dev.deliverylab.guarantee.Promise.NEITHER;
import static dev.deliverylab.guarantee.Rule.Keeper.GROUP;
import static dev.deliverylab.guarantee.Step.COMMIT;
import static dev.deliverylab.guarantee.Step.EFFECT;
import static dev.deliverylab.guarantee.Step.POLL;
import static dev.deliverylab.sink.Shape.KEYED;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.sink.Sink;
import java.util.UUID;

/**
 * Negative control: an upsert by a key that is made anew on every attempt. A repeat does not find
 * its first row, so this is at-least-once with more effort.
 */
final class RandomKey implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule("random-key", NEITHER, KEYED, GROUP, POLL, EFFECT, COMMIT);
  }

  @Override
  public void run(Steps<LogRecord> steps, Sink sink, Progress progress) {
    var batch = steps.poll();
    for (var order : batch) {
      var key = UUID.randomUUID().toString();
      steps.effect(order, () -> sink.upsert(key, order));
    }
    steps.commit(() -> progress.commit(batch));
  }
}
