package dev.deliverylab.scenario;

import dev.deliverylab.experiment.Experiment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compares a lane with numbers. Only what the script names is compared; null is expected where the
 * lab must say that it does not know.
 *
 * @param wanted in the order of the script
 */
record Expect(String lane, Map<Figure, @Nullable Object> wanted) implements Line<Experiment> {

  @Override
  public String action() {
    return "expect " + lane;
  }

  @Override
  public List<String> lanes() {
    return List.of(lane);
  }

  @Override
  public Run.Step on(Stage<Experiment> stage) {
    Counted counted = Counted.of(stage, lane);
    Map<String, @Nullable Object> expected = new LinkedHashMap<>();
    Map<String, @Nullable Object> observed = new LinkedHashMap<>();
    for (Map.Entry<Figure, @Nullable Object> each : wanted.entrySet()) {
      Object value = each.getValue();
      Object seen = Figure.named(value, each.getKey().observe(counted));
      expected.put(each.getKey().word(), value);
      observed.put(each.getKey().word(), seen);
    }
    return Run.Step.compared(action(), expected, observed);
  }
}
