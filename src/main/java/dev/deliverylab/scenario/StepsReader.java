package dev.deliverylab.scenario;

import dev.deliverylab.fault.CrashPoint;
import dev.deliverylab.lane.Lane;
import dev.deliverylab.lane.Rewind;
import dev.deliverylab.scenario.ScenarioReader.Log;
import dev.deliverylab.scenario.Source.Field;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the steps of a script: what every room has, and what its room adds. */
final class StepsReader<P> {

  private final Words<P> words;
  private final int partitions;
  private final int batchSize;

  StepsReader(Words<P> words, Log log) {
    this.words = words;
    this.partitions = log.partitions();
    this.batchSize = log.batchSize();
  }

  /** All actions of a room. */
  static List<String> actions(Words<?> words) {
    return Stream.of(
            words.actions().stream(),
            Stream.of("arm", "disarm", "await", "replay"),
            Arrays.stream(Command.Kind.values()).map(Command.Kind::word))
        .flatMap(each -> each)
        .toList();
  }

  List<Line<P>> lines(ValueReader steps) {
    List<Line<P>> lines = new ArrayList<>();
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

  private List<? extends Line<P>> step(ValueReader step) {
    FieldReader fields = step.fields("a step");
    Field only = fields.only("a step is one action with its details, as in 'start: all'");
    ValueReader value = new ValueReader(only.name(), only.value());
    for (Command.Kind kind : Command.Kind.values()) {
      if (kind.word().equals(only.name())) {
        List<String> lanes = words.bareLanes(value);
        String whom = lanes.equals(words.lanes()) ? "all" : String.join(", ", lanes);
        return List.of(new Command<P>(kind, lanes, whom));
      }
    }
    if (words.actions().contains(only.name())) {
      return words.read(only.name(), value);
    }
    return switch (only.name()) {
      case "arm" -> arm(value.fields("arm"));
      case "disarm" -> words.bareLanes(value).stream().map(lane -> new Arm<P>(lane, null)).toList();
      case "await" -> await(value.fields("await"));
      case "replay" -> replay(value.fields("replay"));
      default ->
          throw only.mark()
              .refuse(
                  "there is no action '"
                      + Source.cut(only.name())
                      + "'; the actions are "
                      + String.join(", ", actions(words)));
    };
  }

  private List<Arm<P>> arm(FieldReader fields) {
    fields.allow("lane", "after", "record", "batch");
    ValueReader after = fields.required("after");
    Integer record =
        fields.has("record")
            ? fields.whole("record", 1, dev.deliverylab.lane.Source.MAX_BATCH_SIZE, null)
            : null;
    int batch = fields.whole("batch", 1, CrashPoint.MAX_BATCH, 1);
    List<Arm<P>> lines = new ArrayList<>();
    for (String lane : words.lanes(fields.required("lane"))) {
      boolean known =
          words.rule(lane).steps().stream().anyMatch(step -> step.label().equals(after.text()));
      ValueReader blamed = known && record != null ? fields.required("record") : after;
      lines.add(
          new Arm<>(
              lane,
              blamed.checked(
                  () -> CrashPoint.in(words.rule(lane), batchSize, after.text(), record, batch))));
    }
    return lines;
  }

  private List<Await<P>> await(FieldReader fields) {
    fields.allow("lane", "condition", "timeoutSeconds");
    Lane.Condition condition = fields.required("condition").oneOf(Lane.Condition.values());
    Duration timeout =
        Duration.ofSeconds(
            fields.whole("timeoutSeconds", 1, Await.MAX_SECONDS, Await.DEFAULT_SECONDS));
    return words.lanes(fields.required("lane")).stream()
        .map(lane -> new Await<P>(lane, condition, timeout))
        .toList();
  }

  private List<Replay<P>> replay(FieldReader fields) {
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
    List<Replay<P>> lines = new ArrayList<>();
    for (String lane : words.lanes(fields.required("lane"))) {
      lines.add(new Replay<>(lane, rewind, positions, records));
    }
    return lines;
  }
}
