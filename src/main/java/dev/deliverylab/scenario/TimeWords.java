package dev.deliverylab.scenario;

import dev.deliverylab.guarantee.Rule;
import dev.deliverylab.scenario.Source.Field;
import dev.deliverylab.scenario.Source.Scalar;
import dev.deliverylab.time.Arrival;
import dev.deliverylab.time.ClockChange;
import dev.deliverylab.time.DelayGenerator;
import dev.deliverylab.time.Generate;
import dev.deliverylab.time.LateEvents;
import dev.deliverylab.time.LateRule;
import dev.deliverylab.time.Policy;
import dev.deliverylab.time.PolicyChange;
import dev.deliverylab.time.TimeLab;
import dev.deliverylab.time.WindowLanes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a script says about window lanes. It knows what policy each follows at each step. */
final class TimeWords implements Words<WindowLanes> {

  private static final Map<String, WindowFigure> FIGURES = figures();

  private final int partitions;
  private final Map<String, Policy> policies = new HashMap<>();

  TimeWords(int partitions) {
    this.partitions = partitions;
  }

  private static Map<String, WindowFigure> figures() {
    Map<String, WindowFigure> figures = new LinkedHashMap<>();
    for (WindowFigure figure : WindowFigure.values()) {
      figures.put(figure.word(), figure);
    }
    return figures;
  }

  @Override
  public List<String> actions() {
    return List.of("append", "policy", "clock", "expect");
  }

  @Override
  public List<String> lanes() {
    return TimeLab.names();
  }

  @Override
  public Rule rule(String lane) {
    return LateRule.named(lane).loop(policy(lane).late());
  }

  private Policy policy(String lane) {
    return policies.getOrDefault(lane, LateRule.named(lane).first());
  }

  @Override
  public List<? extends Line<WindowLanes>> read(String action, ValueReader value) {
    return switch (action) {
      case "append" -> List.of(append(value.fields("append")));
      case "policy" -> follow(value.fields("policy"));
      case "clock" -> List.of(clock(value.fields("clock")));
      default -> expect(value.fields("expect"));
    };
  }

  private Arrive append(FieldReader fields) {
    fields.allow("dataset", "records", "generate");
    Field only =
        fields.only("append takes one of dataset, records (a list of orders) and generate");
    ValueReader value = new ValueReader(only.name(), only.value());
    return switch (only.name()) {
      case "dataset" ->
          arrive("dataset " + value.text(), value.checked(() -> LateEvents.named(value.text())));
      case "records" -> {
        List<Arrival> arrivals = value.items("records").stream().map(ValueReader::arrival).toList();
        if (arrivals.isEmpty()) {
          throw value.refuse("records: at least one order");
        }
        yield arrive(arrivals.size() == 1 ? "1 record" : arrivals.size() + " records", arrivals);
      }
      default -> generate(value);
    };
  }

  private static Arrive arrive(String what, List<Arrival> arrivals) {
    return new Arrive(what, arrivals, null, Generate.FROM);
  }

  private Arrive generate(ValueReader value) {
    FieldReader fields = value.fields("generate");
    fields.allow(
        "count",
        "seed",
        "keys",
        "delay",
        "delaySeconds",
        "outOfOrder",
        "idlePartition",
        "future",
        "start",
        "everySeconds");
    ValueReader delay = fields.optional("delay");
    ValueReader start = fields.optional("start");
    Instant from = start == null ? Generate.FROM : start.instant();
    Generate generate =
        new Generate(
            fields.whole("count", 1, DelayGenerator.MAX_COUNT, null),
            fields.number("seed", Long.MIN_VALUE, Long.MAX_VALUE, 1L),
            number(fields, "keys"),
            delay == null ? null : delay.text(),
            number(fields, "delaySeconds"),
            number(fields, "outOfOrder"),
            number(fields, "idlePartition"),
            number(fields, "future"),
            null,
            number(fields, "everySeconds"));
    DelayGenerator generator = fields.checked(() -> generate.generator(from, partitions));
    return new Arrive(
        "generate " + generator.count() + " with seed " + generator.seed(),
        List.of(),
        generate,
        from);
  }

  private static @Nullable Integer number(FieldReader fields, String name) {
    return fields.has(name)
        ? Integer.valueOf(fields.whole(name, 0, Integer.MAX_VALUE, null))
        : null;
  }

  private List<Follow> follow(FieldReader fields) {
    List<String> allowed = new ArrayList<>(List.of("lane"));
    allowed.addAll(PolicyChange.NAMES);
    fields.allow(allowed.toArray(String[]::new));
    Map<String, @Nullable Long> numbers = new HashMap<>();
    for (String name : PolicyChange.NUMBERS) {
      ValueReader value = fields.optional(name);
      if (value != null) {
        boolean none =
            value.source() instanceof Scalar scalar
                && scalar.isNull()
                && PolicyChange.NULLABLE.contains(name);
        Long number = none ? null : Long.valueOf(value.number(0, Policy.MAX_BOUND.toSeconds()));
        numbers.put(name, number);
      }
    }
    ValueReader late = fields.optional("late");
    PolicyChange change = new PolicyChange(numbers, late == null ? null : late.text());
    List<Follow> lines = new ArrayList<>();
    for (String lane : lanes(fields.required("lane"))) {
      Policy policy =
          fields.checked(
              () -> {
                Policy next = change.of(policy(lane));
                LateRule.named(lane).check(next);
                return next;
              });
      policies.put(lane, policy);
      lines.add(new Follow(lane, policy));
    }
    return lines;
  }

  private static SetClock clock(FieldReader fields) {
    fields.allow("advanceTo", "mode", "pace", "step");
    Field only = fields.only("clock takes one of advanceTo, mode, pace and step");
    ValueReader value = new ValueReader(only.name(), only.value());
    return new SetClock(
        value.checked(
            () ->
                switch (only.name()) {
                  case "advanceTo" -> new ClockChange(value.instant(), null, null, null);
                  case "mode" -> new ClockChange(null, value.text(), null, null);
                  case "pace" -> new ClockChange(null, null, value.text(), null);
                  default ->
                      new ClockChange(null, null, null, (int) value.number(1, Integer.MAX_VALUE));
                }));
  }

  private List<ExpectWindows> expect(FieldReader fields) {
    Map<WindowFigure, @Nullable Object> wanted =
        Words.wanted(fields, FIGURES, WindowFigure::shape, partitions);
    return lanes(fields.required("lane")).stream()
        .map(lane -> new ExpectWindows(lane, wanted))
        .toList();
  }
}
