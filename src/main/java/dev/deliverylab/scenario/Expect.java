package dev.deliverylab.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compares a lane with numbers. Only what the script names is compared; null is expected where the
 * lab must say that it does not know.
 *
 * @param wanted in the order of the script
 */
record Expect(String lane, Map<Figure, @Nullable Object> wanted) implements Line {

  @Override
  public String action() {
    return "expect " + lane;
  }

  @Override
  public List<String> lanes() {
    return List.of(lane);
  }

  @Override
  public Run.Step on(Stage stage) {
    Stage.Counted counted = stage.counted(lane);
    Map<String, @Nullable Object> expected = new LinkedHashMap<>();
    Map<String, @Nullable Object> observed = new LinkedHashMap<>();
    boolean ok = true;
    for (Map.Entry<Figure, @Nullable Object> each : wanted.entrySet()) {
      Object value = each.getValue();
      Object seen = named(value, each.getKey().observe(counted));
      expected.put(each.getKey().word(), value);
      observed.put(each.getKey().word(), seen);
      ok &= Objects.equals(value, seen);
    }
    return new Run.Step(action(), expected, observed, ok);
  }

  /** Of a table only the columns that the script names. */
  private static @Nullable Object named(@Nullable Object value, @Nullable Object seen) {
    if (value instanceof Map<?, ?> columns && seen instanceof Map<?, ?> all) {
      Map<Object, @Nullable Object> some = new LinkedHashMap<>();
      columns.keySet().forEach(column -> some.put(column, all.get(column)));
      return some;
    }
    return seen;
  }
}
