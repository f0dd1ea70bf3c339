package dev.deliverylab.guarantee;

import static dev.deliverylab.guarantee.Promise.NEITHER;
import static dev.deliverylab.guarantee.Rule.Keeper.SINK;
import static dev.deliverylab.guarantee.Step.BEGIN;
import static dev.deliverylab.guarantee.Step.COMMIT_TX;
import static dev.deliverylab.guarantee.Step.EFFECT;
import static dev.deliverylab.guarantee.Step.POLL;
import static dev.deliverylab.guarantee.Step.STORE_OFFSET;
import static dev.deliverylab.sink.Shape.APPEND_ONLY;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.sink.Sink;

/**
 * Effects and position in one database transaction: after a crash either both are there or neither.
 * The group's offsets in Kafka play no part.
 */
final class Transactional implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule(
        "transactional", NEITHER, APPEND_ONLY, SINK, POLL, BEGIN, EFFECT, STORE_OFFSET, COMMIT_TX);
  }

  @Override
  public void run(Steps<LogRecord> steps, Sink sink, Progress progress) {
    var batch = steps.poll();
    steps.begin(sink::begin);
    for (var order : batch) {
      steps.effect(order, () -> sink.append(order));
    }
    steps.storeOffset(() -> sink.storeOffset(batch));
    steps.commitTx(sink::commit);
  }
}
