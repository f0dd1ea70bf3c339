package dev.deliverylab.guarantee;

/** Effect first, then progress: a crash between the two repeats the batch. */
final class FakeGuarantee implements Guarantee {

  @Override
  public void run(Steps steps, Sink sink, Progress progress) {
    var batch = steps.poll();
    for (var order : batch) {
      steps.effect(order, () -> sink.append(order)); // <b>not markup</b>
    }
    steps.commit(() -> progress.commit(batch));
  }
}
