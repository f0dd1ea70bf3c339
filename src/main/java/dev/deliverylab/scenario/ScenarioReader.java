package dev.deliverylab.scenario;

import dev.deliverylab.lane.Source;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tree in, scenario out. Whatever can be known before anything runs is checked here: words, lanes,
 * crash points, ranges.
 */
final class ScenarioReader {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  private final dev.deliverylab.scenario.Source root;

  ScenarioReader(dev.deliverylab.scenario.Source root) {
    this.root = root;
  }

  Scenario read() {
    FieldReader top = FieldReader.of(root, "a scenario");
    top.allow("name", "title", "text", "experiment", "time", "steps");
    String name = top.required("name").text();
    if (!NAME.matcher(name).matches()) {
      throw top.required("name")
          .refuse("a name has 1 to 100 letters, digits, dots, dashes and underscores");
    }
    ValueReader title = top.optional("title");
    ValueReader text = top.optional("text");
    ValueReader time = top.optional("time");
    ValueReader experiment = top.optional("experiment");
    if (time != null && experiment != null) {
      throw time.refuse("a scenario is about an experiment or about time, not about both");
    }
    Log log = time == null ? log("experiment", experiment) : log("time", time);
    ValueReader steps = top.required("steps");
    return new Scenario(
        name,
        title == null ? name : line(title),
        text == null ? "" : text.text().strip(),
        log.partitions(),
        log.batchSize(),
        time == null
            ? new Script.ForExperiment(
                new StepsReader<>(new ExperimentWords(log.partitions()), log).lines(steps))
            : new Script.ForTime(
                new StepsReader<>(new TimeWords(log.partitions()), log).lines(steps)));
  }

  /** What the run's log is made like. */
  record Log(int partitions, int batchSize) {}

  private static String line(ValueReader title) {
    String text = title.text().strip();
    if (text.isEmpty()
        || text.length() > Scenario.MAX_TITLE
        || text.chars().anyMatch(Character::isISOControl)) {
      throw title.refuse("'title' is one line of 1 to " + Scenario.MAX_TITLE + " characters");
    }
    return text;
  }

  private static Log log(String what, @Nullable ValueReader value) {
    if (value == null) {
      return new Log(Source.DEFAULT_PARTITIONS, Source.DEFAULT_BATCH_SIZE);
    }
    FieldReader fields = value.fields(what);
    fields.allow("partitions", "batchSize");
    return new Log(
        fields.whole("partitions", 1, Source.MAX_PARTITIONS, Source.DEFAULT_PARTITIONS),
        fields.whole("batchSize", 1, Source.MAX_BATCH_SIZE, Source.DEFAULT_BATCH_SIZE));
  }
}
