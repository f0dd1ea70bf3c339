package dev.deliverylab.guarantee;

import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.Sink;

/**
 * The work moves to another thread and the polling thread polls on. Its client commits what was
 * handed over, done or not: progress overtakes the work.
 */
final class AutoCommitHandoff implements Guarantee {

  @Override
  public Rule rule() {
    return new Rule(
        "auto-commit-handoff",
        Promise.NO_LOSS,
        Shape.APPEND_ONLY,
        Rule.Keeper.CLIENT,
        Step.POLL,
        Step.HAND_OVER,
        Step.EFFECT);
  }

  @Override
  public void run(Steps steps, Sink sink, Progress progress) {
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
