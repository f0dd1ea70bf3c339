package dev.deliverylab.time;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The window lanes as gauges. Before anybody has asked for the time room they show no number. */
final class TimeMetrics implements MeterBinder {

  private static final String LANE = "lane";

  private final TimeLab time;

  TimeMetrics(TimeLab time) {
    this.time = time;
  }

  @Override
  public void bindTo(MeterRegistry meters) {
    for (String lane : TimeLab.names()) {
      Tags tags = Tags.of(LANE, lane);
      gauge(meters, "lab.time.accepted", "Records that came in time", tags, s -> s.accepted());
      late(meters, tags, "dropped", s -> s.late().dropped());
      late(meters, tags, "side", s -> s.late().side());
      late(meters, tags, "restated", s -> s.late().restated());
      gauge(
          meters,
          "lab.time.emitted",
          "Revenue in windows, open ones included",
          tags,
          s -> s.emitted().doubleValue());
      gauge(
          meters,
          "lab.time.true",
          "Revenue of all orders of the log",
          tags,
          s -> s.trueRevenue().doubleValue());
      gauge(
          meters,
          "lab.time.missing.percent",
          "Share of the true revenue that was dropped",
          tags,
          s -> number(s.missingShare()));
      gauge(meters, "lab.time.open.windows", "Windows not final", tags, s -> s.openWindows());
      gauge(meters, "lab.time.open.events", "Orders held in those", tags, s -> s.openEvents());
      gauge(
          meters,
          "lab.time.engine.dropped",
          "Late records by Kafka Streams' own count, in this life; no number for our own rules",
          tags,
          s -> number(s.engineDropped()));
      gauge(
          meters,
          "lab.time.answered.after.seconds",
          "Longest time from a window's end to its result, by the clock",
          tags,
          s -> number(s.answeredAfterSeconds()));
    }
  }

  private void late(
      MeterRegistry meters, Tags tags, String fate, ToDoubleFunction<WindowLaneSnapshot> value) {
    gauge(meters, "lab.time.late", "Records that came too late", tags.and("fate", fate), value);
  }

  private void gauge(
      MeterRegistry meters,
      String name,
      String description,
      Tags tags,
      ToDoubleFunction<WindowLaneSnapshot> value) {
    String lane =
        tags.stream().filter(tag -> tag.getKey().equals(LANE)).findFirst().orElseThrow().getValue();
    Gauge.builder(name, time, lab -> of(lab, lane, value))
        .tags(tags)
        .description(description)
        .register(meters);
  }

  private static double of(TimeLab lab, String lane, ToDoubleFunction<WindowLaneSnapshot> value) {
    TimeSnapshot latest = lab.latest();
    return latest == null
        ? Double.NaN
        : latest.lanes().stream()
            .filter(known -> known.lane().equals(lane))
            .mapToDouble(value)
            .findFirst()
            .orElse(Double.NaN);
  }

  private static double number(@Nullable Number value) {
    return value == null ? Double.NaN : value.doubleValue();
  }
}
