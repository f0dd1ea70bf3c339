package dev.deliverylab.experiment;

import dev.deliverylab.check.Position;
import dev.deliverylab.guarantee.Guarantees;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** What the watch last counted, as metrics by lane. An unknown count is NaN. */
@Component
final class LabMetrics implements MeterBinder {

  private final Watch watch;

  LabMetrics(Watch watch) {
    this.watch = watch;
  }

  @Override
  public void bindTo(MeterRegistry meters) {
    for (String lane : Guarantees.names()) {
      gauge(
          meters,
          lane,
          "lab.duplicates",
          "Effects beyond the first",
          s -> number(s.counts().duplicates()));
      gauge(
          meters, lane, "lab.lost", "Orders that will never come", s -> number(s.counts().lost()));
      gauge(
          meters,
          lane,
          "lab.pending",
          "Orders that may still come",
          s -> number(s.counts().pending()));
      gauge(
          meters,
          lane,
          "lab.lag",
          "Records between progress and the end of the log",
          s ->
              s.progress().isEmpty()
                  ? Double.NaN
                  : s.progress().stream().mapToLong(Position::lag).sum());
      FunctionCounter.builder("lab.crashes", watch, w -> of(w, lane, LaneSnapshot::crashes, 0))
          .tag("lane", lane)
          .description("Deaths in the current experiment")
          .register(meters);
      FunctionCounter.builder("lab.restarts", watch, w -> of(w, lane, LaneSnapshot::restarts, 0))
          .tag("lane", lane)
          .description("Lives begun after an earlier one")
          .register(meters);
      Gauge.builder("lab.uniqueness.alert", watch, w -> w.hasAlerted(lane) ? 1 : 0)
          .tag("lane", lane)
          .description("1 once an order has landed in the sink twice")
          .register(meters);
    }
  }

  private void gauge(
      MeterRegistry meters,
      String lane,
      String name,
      String description,
      ToDoubleFunction<LaneSnapshot> value) {
    Gauge.builder(name, watch, w -> of(w, lane, value, Double.NaN))
        .tag("lane", lane)
        .description(description)
        .register(meters);
  }

  private static double of(
      Watch watch, String lane, ToDoubleFunction<LaneSnapshot> value, double otherwise) {
    return watch.latest().stream()
        .filter(snapshot -> snapshot.lane().equals(lane))
        .mapToDouble(value)
        .findFirst()
        .orElse(otherwise);
  }

  private static double number(@Nullable Long count) {
    return count == null ? Double.NaN : count;
  }
}
