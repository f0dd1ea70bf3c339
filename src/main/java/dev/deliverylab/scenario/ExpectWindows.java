package dev.deliverylab.scenario;

import dev.deliverylab.time.WindowLaneSnapshot;
import dev.deliverylab.time.WindowLanes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compares a window lane with numbers. Only what the script names is compared.
 *
 * @param wanted in the order of the script
 */
record ExpectWindows(String lane, Map<WindowFigure, @Nullable Object> wanted)
    implements Line<WindowLanes> {

  @Override
  public String action() {
    return "expect " + lane;
  }

  @Override
  public List<String> lanes() {
    return List.of(lane);
  }

  @Override
  public Run.Step on(Stage<WindowLanes> stage) {
    WindowLaneSnapshot now = stage.with(lanes -> lanes.fresh(lane));
    long records = stage.mine().records();
    Map<String, @Nullable Object> expected = new LinkedHashMap<>();
    Map<String, @Nullable Object> observed = new LinkedHashMap<>();
    wanted.forEach(
        (figure, value) -> {
          expected.put(figure.word(), value);
          observed.put(figure.word(), Figure.named(value, figure.observe(now, records)));
        });
    return Run.Step.compared(action(), expected, observed);
  }
}
