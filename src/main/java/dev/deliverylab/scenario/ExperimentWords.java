package dev.deliverylab.scenario;

import dev.deliverylab.experiment.Experiment;
import dev.deliverylab.guarantee.Guarantee;
import dev.deliverylab.guarantee.Guarantees;
import dev.deliverylab.guarantee.Rule;
import dev.deliverylab.log.Dataset;
import dev.deliverylab.log.Generator;
import dev.deliverylab.log.Order;
import dev.deliverylab.scenario.Source.Field;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a script says about an experiment. */
record ExperimentWords(int partitions) implements Words<Experiment> {

  private static final Map<String, Figure> FIGURES = figures();

  private static Map<String, Figure> figures() {
    Map<String, Figure> figures = new LinkedHashMap<>();
    for (Figure figure : Figure.values()) {
      figures.put(figure.word(), figure);
    }
    return figures;
  }

  @Override
  public List<String> actions() {
    return List.of("append", "recount", "expect");
  }

  @Override
  public List<String> lanes() {
    return Guarantees.names();
  }

  @Override
  public Rule rule(String lane) {
    return Guarantees.all().stream()
        .map(Guarantee::rule)
        .filter(rule -> rule.name().equals(lane))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public List<? extends Line<Experiment>> read(String action, ValueReader value) {
    return switch (action) {
      case "append" -> List.of(append(value.fields("append")));
      case "recount" -> bareLanes(value).stream().map(RecountLanes::new).toList();
      default -> expect(value.fields("expect"));
    };
  }

  private static Append append(FieldReader fields) {
    fields.allow("dataset", "records", "generate");
    Field only =
        fields.only("append takes one of dataset, records (a list of orders) and generate");
    ValueReader value = new ValueReader(only.name(), only.value());
    return switch (only.name()) {
      case "dataset" -> {
        Dataset dataset = value.checked(() -> Dataset.named(value.text()));
        yield new Append("dataset " + dataset.title(), dataset.orders(), null);
      }
      case "records" -> {
        List<Order> orders = value.items("records").stream().map(ValueReader::order).toList();
        if (orders.isEmpty()) {
          throw value.refuse("records: at least one order");
        }
        yield new Append(
            orders.size() == 1 ? "1 record" : orders.size() + " records", orders, null);
      }
      default -> {
        FieldReader details = value.fields("generate");
        details.allow("count", "seed", "keys");
        int count = details.whole("count", 1, Generator.MAX_COUNT, null);
        long seed = details.number("seed", Long.MIN_VALUE, Long.MAX_VALUE, 1L);
        int keys = details.whole("keys", 1, Generator.MAX_KEYS, 1);
        yield new Append(
            "generate " + count + " with seed " + seed,
            List.of(),
            new Generator(count, seed, keys));
      }
    };
  }

  private List<Expect> expect(FieldReader fields) {
    Map<Figure, @Nullable Object> wanted = Words.wanted(fields, FIGURES, Figure::shape, partitions);
    return lanes(fields.required("lane")).stream().map(lane -> new Expect(lane, wanted)).toList();
  }
}
