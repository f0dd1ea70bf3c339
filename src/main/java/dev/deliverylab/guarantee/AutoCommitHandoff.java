package dev.deliverylab.guarantee;

import static dev.deliverylab.guarantee.Promise.NO_LOSS;
import static dev.deliverylab.guarantee.Rule.Keeper.CLIENT;
import static dev.deliverylab.guarantee.Step.EFFECT;
import static dev.deliverylab.guarantee.Step.HAND_OVER;
import static dev.deliverylab.guarantee.Step.POLL;
import static dev.deliverylab.sink.Shape.APPEND_ONLY;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.sink.Sink;

/**
 * The work moves to another thread and the polling thread polls on. Its client commits what was
 * handed over, done or not: progress overtakes the work.
 */
final class AutoCommitHandoff implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule("auto-commit-handoff", NO_LOSS, APPEND_ONLY, CLIENT, POLL, HAND_OVER, EFFECT);
  }

  @Override
  public void run(Steps<LogRecord> steps, Sink sink, Progress progress) {
    var polled = steps.poll();
    steps.handOver(
        polled,
        batch -> {
          for (var order : batch) {
            steps.effect(order, () -> sink.append(order));
          }
        });
  }
}
