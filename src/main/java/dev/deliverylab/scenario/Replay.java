package dev.deliverylab.scenario;

import dev.deliverylab.lane.Rewind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Moves a lane's progress on purpose.
 *
 * @param positions where its partitions must stand afterwards, in their order; null if any will do
 * @param records how many records must lie between there and the end, in all; null if any will do
 */
record Replay<P>(
    String lane, Rewind rewind, @Nullable List<@Nullable Long> positions, @Nullable Long records)
    implements Line<P> {

  @Override
  public String action() {
    Object value = rewind.number() != null ? rewind.number() : rewind.timestamp();
    return "replay "
        + lane
        + " to "
        + rewind.to().name().toLowerCase(Locale.ROOT)
        + (value == null ? "" : " " + value)
        + (rewind.partition() == null ? "" : " in partition " + rewind.partition())
        + (rewind.newGroup() ? " by a new group" : "");
  }

  @Override
  public List<String> lanes() {
    return List.of(lane);
  }

  @Override
  public Run.Step on(Stage<P> stage) {
    Rewind.Plan plan = stage.with(place -> stage.lane(lane).replay(rewind));
    List<@Nullable Long> to = new ArrayList<>();
    long again = 0;
    for (Rewind.Move move : plan.partitions()) {
      to.add(move.to());
      again += move.records();
    }
    Map<String, @Nullable Object> expected = new LinkedHashMap<>();
    Map<String, @Nullable Object> observed = new LinkedHashMap<>();
    observed.put("positions", to);
    observed.put("records", again);
    if (positions != null) {
      expected.put("positions", positions);
    }
    if (records != null) {
      expected.put("records", records);
    }
    return Run.Step.compared(action(), expected, observed);
  }
}
