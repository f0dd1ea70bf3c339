package dev.deliverylab.scenario;

import dev.deliverylab.experiment.Experiment;
import dev.deliverylab.history.Event;
import dev.deliverylab.log.Generator;
import dev.deliverylab.log.Order;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Appends orders to the log, and is done when every one is acknowledged.
 *
 * @param what for people
 * @param orders appended one after the other
 * @param generator appended in batches, instead of {@code orders}
 */
record Append(String what, List<Order> orders, @Nullable Generator generator)
    implements Line<Experiment> {

  @Override
  public String action() {
    return "append " + what;
  }

  @Override
  public List<String> lanes() {
    return List.of();
  }

  @Override
  public Run.Step on(Stage<Experiment> stage) {
    long appended = stage.with(experiment -> append(experiment, stage));
    stage
        .history()
        .record(
            Event.Kind.APPENDED,
            null,
            null,
            appended + " record(s) appended to experiment " + stage.mine().id());
    String records = appended == 1 ? "1 record" : appended + " records";
    return generator != null && appended < generator.count()
        ? Run.Step.failed(action(), records + ", then the run was to end")
        : Run.Step.done(action(), records);
  }

  /** A run that is to end appends no further; what is on its way is acknowledged first. */
  private long append(Experiment experiment, Stage<Experiment> stage) {
    return generator == null
        ? experiment.append(orders).size()
        : experiment
            .log()
            .appendBatched(
                generator.orders(firstId(experiment)).takeWhile(order -> !stage.isStopped()));
  }

  /** One above the highest id of the experiment; the truth must have met the whole log for that. */
  private static BigInteger firstId(Experiment experiment) {
    if (!experiment.truth().await(experiment.log().endOffsets(), Duration.ofSeconds(30))) {
      throw new ActionFailed("the truth has not read the whole log, so the highest id is unknown");
    }
    BigInteger highest = experiment.truth().highestOrderId();
    return highest == null ? BigInteger.ONE : highest.add(BigInteger.ONE);
  }
}
