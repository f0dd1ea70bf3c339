package dev.deliverylab.scenario;

import dev.deliverylab.guarantee.Rule;
import dev.deliverylab.scenario.Source.Field;
import dev.deliverylab.scenario.Source.Items;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a script can say in one room that it cannot say in another. */
interface Words<P> {

  /** The actions that only this room has, or has in its own form. */
  List<String> actions();

  List<String> lanes();

  /** The loop of a lane, as the script has left it up to here. */
  Rule rule(String lane);

  /** Reads one of {@link #actions}. */
  List<? extends Line<P>> read(String action, ValueReader value);

  /** {@code all}, a name, a list of names, or one of these behind {@code lane:}. */
  default List<String> bareLanes(ValueReader value) {
    if (value.isFields()) {
      FieldReader fields = value.fields(value.name());
      fields.allow("lane");
      return lanes(fields.required("lane"));
    }
    return lanes(value);
  }

  /** {@code all}, a name, or a list of names. */
  default List<String> lanes(ValueReader value) {
    LinkedHashSet<String> lanes = new LinkedHashSet<>();
    List<ValueReader> named =
        value.source() instanceof Items ? value.items("lane") : List.of(value);
    for (ValueReader each : named) {
      String lane = each.text();
      if (lane.equals("all") && named.size() == 1) {
        return lanes();
      }
      if (!lanes().contains(lane)) {
        throw each.refuse(
            "there is no lane '"
                + Source.cut(lane)
                + "'; the lanes are "
                + String.join(", ", lanes())
                + ", or all");
      }
      if (!lanes.add(lane)) {
        throw each.refuse("the lane '" + lane + "' is named twice");
      }
    }
    if (lanes.isEmpty()) {
      throw value.refuse("lane: at least one");
    }
    return List.copyOf(lanes);
  }

  /** The figures that an expectation names, each read as its name wants it. */
  static <F> Map<F, @Nullable Object> wanted(
      FieldReader fields, Map<String, F> figures, Function<F, Figure.Shape> shape, int partitions) {
    List<String> allowed = new ArrayList<>(List.of("lane"));
    allowed.addAll(figures.keySet());
    fields.allow(allowed.toArray(String[]::new));
    Map<F, @Nullable Object> wanted = new LinkedHashMap<>();
    for (Field field : fields.all()) {
      F figure = figures.get(field.name());
      if (figure != null) {
        ValueReader value = new ValueReader(field.name(), field.value());
        wanted.put(figure, value.figure(shape.apply(figure), partitions));
      }
    }
    if (wanted.isEmpty()) {
      throw fields.refuse("expect names at least one of " + String.join(", ", figures.keySet()));
    }
    return wanted;
  }
}
