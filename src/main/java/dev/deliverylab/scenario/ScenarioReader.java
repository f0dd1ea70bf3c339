package dev.deliverylab.scenario;

import dev.deliverylab.fault.CrashPoint;
import dev.deliverylab.guarantee.Guarantee;
import dev.deliverylab.guarantee.Guarantees;
import dev.deliverylab.guarantee.Rule;
import dev.deliverylab.lane.Lane;
import dev.deliverylab.lane.Rewind;
import dev.deliverylab.log.Dataset;
import dev.deliverylab.log.Generator;
import dev.deliverylab.log.Order;
import dev.deliverylab.log.OrderLogs;
import dev.deliverylab.scenario.Source.Field;
import dev.deliverylab.scenario.Source.Items;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tree in, scenario out. Whatever can be known before anything runs is checked here: words, lanes,
 * crash points, ranges.
 */
final class ScenarioReader {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
  static final List<String> ACTIONS =
      Stream.concat(
              Stream.of("append", "arm", "disarm", "await", "replay", "recount", "expect"),
              Arrays.stream(Command.Kind.values()).map(Command.Kind::word))
          .toList();

  private final Source root;
  private int partitions = dev.deliverylab.lane.Source.DEFAULT_PARTITIONS;
  private int batchSize = dev.deliverylab.lane.Source.DEFAULT_BATCH_SIZE;

  ScenarioReader(Source root) {
    this.root = root;
  }

  Scenario read() {
    FieldReader top = FieldReader.of(root, "a scenario");
    top.allow("name", "title", "text", "experiment", "steps");
    String name = top.required("name").text();
    if (!NAME.matcher(name).matches()) {
      throw top.required("name")
          .refuse("a name has 1 to 100 letters, digits, dots, dashes and underscores");
    }
    ValueReader title = top.optional("title");
    ValueReader text = top.optional("text");
    experiment(top.optional("experiment"));
    return new Scenario(
        name,
        title == null ? name : line(title),
        text == null ? "" : text.text().strip(),
        partitions,
        batchSize,
        lines(top.required("steps")));
  }

  private static String line(ValueReader title) {
    String text = title.text().strip();
    if (text.isEmpty()
        || text.length() > Scenario.MAX_TITLE
        || text.chars().anyMatch(Character::isISOControl)) {
      throw title.refuse("'title' is one line of 1 to " + Scenario.MAX_TITLE + " characters");
    }
    return text;
  }

  private void experiment(@Nullable ValueReader value) {
    if (value == null) {
      return;
    }
    FieldReader fields = value.fields("experiment");
    fields.allow("partitions", "batchSize");
    partitions = fields.whole("partitions", 1, OrderLogs.MAX_PARTITIONS, partitions);
    batchSize = fields.whole("batchSize", 1, dev.deliverylab.lane.Source.MAX_BATCH_SIZE, batchSize);
  }

  private List<Line> lines(ValueReader steps) {
    List<Line> lines = new ArrayList<>();
    for (ValueReader step : steps.items("steps")) {
      lines.addAll(step(step));
      if (lines.size() > Scenario.MAX_LINES) {
        throw step.refuse(
            "a scenario has at most "
                + Scenario.MAX_LINES
                + " steps; a step for several lanes counts once for each");
      }
    }
    if (lines.isEmpty()) {
      throw steps.refuse("steps: at least one");
    }
    return lines;
  }

  private List<? extends Line> step(ValueReader step) {
    FieldReader fields = step.fields("a step");
    Field only = fields.only("a step is one action with its details, as in 'start: all'");
    ValueReader value = new ValueReader(only.name(), only.value());
    for (Command.Kind kind : Command.Kind.values()) {
      if (kind.word().equals(only.name())) {
        return List.of(new Command(kind, bareLanes(value)));
      }
    }
    return switch (only.name()) {
      case "append" -> List.of(append(value.fields("append")));
      case "arm" -> arm(value.fields("arm"));
      case "disarm" -> bareLanes(value).stream().map(lane -> new Arm(lane, null)).toList();
      case "await" -> await(value.fields("await"));
      case "replay" -> replay(value.fields("replay"));
      case "recount" -> bareLanes(value).stream().map(RecountLanes::new).toList();
      case "expect" -> expect(value.fields("expect"));
      default ->
          throw only.mark()
              .refuse(
                  "there is no action '"
                      + Source.cut(only.name())
                      + "'; the actions are "
                      + String.join(", ", ACTIONS));
    };
  }

  // --- actions ---

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

  private List<Arm> arm(FieldReader fields) {
    fields.allow("lane", "after", "record", "batch");
    ValueReader after = fields.required("after");
    Integer record =
        fields.has("record")
            ? fields.whole("record", 1, dev.deliverylab.lane.Source.MAX_BATCH_SIZE, null)
            : null;
    int batch = fields.whole("batch", 1, CrashPoint.MAX_BATCH, 1);
    List<Arm> lines = new ArrayList<>();
    for (String lane : lanes(fields.required("lane"))) {
      boolean known =
          rule(lane).steps().stream().anyMatch(step -> step.label().equals(after.text()));
      ValueReader blamed = known && record != null ? fields.required("record") : after;
      lines.add(
          new Arm(
              lane,
              blamed.checked(
                  () -> CrashPoint.in(rule(lane), batchSize, after.text(), record, batch))));
    }
    return lines;
  }

  private List<Await> await(FieldReader fields) {
    fields.allow("lane", "condition", "timeoutSeconds");
    Lane.Condition condition = fields.required("condition").oneOf(Lane.Condition.values());
    Duration timeout =
        Duration.ofSeconds(
            fields.whole("timeoutSeconds", 1, Await.MAX_SECONDS, Await.DEFAULT_SECONDS));
    return lanes(fields.required("lane")).stream()
        .map(lane -> new Await(lane, condition, timeout))
        .toList();
  }

  private List<Replay> replay(FieldReader fields) {
    fields.allow("lane", "to", "value", "partition", "group", "expect");
    Rewind.Target to = fields.required("to").oneOf(Rewind.Target.values());
    Integer partition =
        fields.has("partition") ? fields.whole("partition", 0, partitions - 1, null) : null;
    ValueReader group = fields.optional("group");
    if (group != null && !List.of("same", "new").contains(group.text())) {
      throw group.refuse("group: same or new; it was '" + Source.cut(group.text()) + "'");
    }
    boolean newGroup = group != null && group.text().equals("new");
    Rewind rewind =
        switch (to) {
          case EARLIEST, LATEST -> {
            if (fields.has("value")) {
              throw fields
                  .required("value")
                  .refuse("'" + to.name().toLowerCase(Locale.ROOT) + "' takes no value");
            }
            yield new Rewind(to, null, null, partition, newGroup);
          }
          case OFFSET ->
              new Rewind(
                  to, fields.number("value", 0, Long.MAX_VALUE, null), null, partition, newGroup);
          case SHIFT ->
              new Rewind(
                  to,
                  fields.number("value", -Integer.MAX_VALUE, Integer.MAX_VALUE, null),
                  null,
                  partition,
                  newGroup);
          case TIMESTAMP -> {
            Instant at = fields.required("value").instant();
            yield new Rewind(to, null, at, partition, newGroup);
          }
        };
    ValueReader expect = fields.optional("expect");
    int moved = partition == null ? partitions : 1;
    List<@Nullable Long> positions = null;
    Long records = null;
    if (expect != null) {
      FieldReader expected = expect.fields("expect of a replay");
      expected.allow("positions", "records");
      positions =
          expected.has("positions") ? expected.required("positions").positions(moved) : null;
      records =
          expected.has("records")
              ? (Long) expected.number("records", 0, Long.MAX_VALUE, null)
              : null;
    }
    List<Replay> lines = new ArrayList<>();
    for (String lane : lanes(fields.required("lane"))) {
      lines.add(new Replay(lane, rewind, positions, records));
    }
    return lines;
  }

  private List<Expect> expect(FieldReader fields) {
    List<String> words = Arrays.stream(Figure.values()).map(Figure::word).toList();
    fields.allow(Stream.concat(Stream.of("lane"), words.stream()).toArray(String[]::new));
    Map<Figure, @Nullable Object> wanted = new LinkedHashMap<>();
    for (Field field : fields.all()) {
      for (Figure figure : Figure.values()) {
        if (figure.word().equals(field.name())) {
          wanted.put(
              figure, new ValueReader(field.name(), field.value()).figure(figure, partitions));
        }
      }
    }
    List<String> lanes = lanes(fields.required("lane"));
    if (wanted.isEmpty()) {
      throw fields.refuse("expect names at least one of " + String.join(", ", words));
    }
    return lanes.stream().map(lane -> new Expect(lane, wanted)).toList();
  }

  // --- lanes ---

  /** {@code all}, a name, a list of names, or one of these behind {@code lane:}. */
  private static List<String> bareLanes(ValueReader value) {
    if (value.isFields()) {
      FieldReader fields = value.fields(value.name());
      fields.allow("lane");
      return lanes(fields.required("lane"));
    }
    return lanes(value);
  }

  private static List<String> lanes(ValueReader value) {
    LinkedHashSet<String> lanes = new LinkedHashSet<>();
    List<ValueReader> named =
        value.source() instanceof Items ? value.items("lane") : List.of(value);
    for (ValueReader each : named) {
      String lane = each.text();
      if (lane.equals("all") && named.size() == 1) {
        return Guarantees.names();
      }
      if (!Guarantees.names().contains(lane)) {
        throw each.refuse(
            "there is no lane '"
                + Source.cut(lane)
                + "'; the lanes are "
                + String.join(", ", Guarantees.names())
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

  private static Rule rule(String lane) {
    return Guarantees.all().stream()
        .map(Guarantee::rule)
        .filter(rule -> rule.name().equals(lane))
        .findFirst()
        .orElseThrow();
  }
}
