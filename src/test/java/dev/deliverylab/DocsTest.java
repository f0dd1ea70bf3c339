package dev.deliverylab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deliverylab.guarantee.Guarantee;
import dev.deliverylab.guarantee.Guarantees;
import dev.deliverylab.guarantee.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the pages of the documentation say about the code and about each other. */
class DocsTest {

  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern SETTING = Pattern.compile("`(lab\\.[a-z.-]+)`");
  private static final Pattern METRIC = Pattern.compile("`(lab_[a-z_]+)`");

  @Test
  void everyLinkLeadsSomewhere() {
    assertThat(broken(documents())).isEmpty();
  }

  @Test
  void aBrokenLinkIsFound() {
    Map<Path, String> wrong =
        Map.of(Path.of("README.md"), "see [a](docs/nowhere.md), [b](https://example.org), [c](#x)");
    assertThat(broken(wrong)).containsExactly("README.md: docs/nowhere.md");
  }

  @Test
  void theTableOfGuaranteesHasTheirSteps() {
    Map<String, List<String>> told = new LinkedHashMap<>();
    documents()
        .get(Path.of("docs", "guarantees.md"))
        .lines()
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.split("\\|", -1))
        .forEach(
            columns ->
                told.put(columns[1].strip().replace("`", ""), List.of(columns[2].split("·", -1))));

    assertThat(told.keySet()).containsExactlyElementsOf(Guarantees.names());
    for (Guarantee guarantee : Guarantees.all()) {
      List<String> steps = guarantee.rule().steps().stream().map(Step::label).toList();
      assertThat(told.get(guarantee.rule().name()))
          .as(guarantee.rule().name())
          .hasSameSizeAs(steps)
          .allSatisfy(
              step ->
                  assertThat(steps)
                      .anyMatch(label -> step.strip().matches(Pattern.quote(label) + "\\b.*")));
    }
  }

  /** By their words in the code: a setting that was renamed is no longer there under this name. */
  @Test
  void settingsAndMetricsAreThoseOfTheCode() {
    String text = documents().get(Path.of("docs", "running.md"));
    String code = code();
    for (String setting : found(SETTING, text)) {
      String last = setting.substring(setting.lastIndexOf('.') + 1);
      assertThat(code).as(setting).containsAnyOf(camel(last), setting);
    }
    for (String metric : found(METRIC, text)) {
      String meter = metric.replaceAll("_total$", "").replace('_', '.');
      assertThat(code).as(metric).contains('"' + meter + '"');
    }
  }

  private static List<String> broken(Map<Path, String> documents) {
    List<String> broken = new ArrayList<>();
    documents.forEach(
        (document, text) -> {
          for (String link : found(LINK, text)) {
            String file = link.replaceAll("#.*$", "");
            if (file.isEmpty() || file.matches("(https?|mailto):.*")) {
              continue;
            }
            if (!Files.exists(document.toAbsolutePath().resolveSibling(file).normalize())) {
              broken.add(document + ": " + link);
            }
          }
        });
    return broken;
  }

  private static Map<Path, String> documents() {
    try (Stream<Path> top = Files.list(Path.of(""));
        Stream<Path> docs = Files.walk(Path.of("docs"))) {
      return Stream.concat(top, docs)
          .filter(path -> path.toString().endsWith(".md"))
          .collect(Collectors.toMap(path -> path, DocsTest::read));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String code() {
    try (Stream<Path> files = Files.walk(Path.of("src", "main"))) {
      return files
          .filter(path -> path.toString().matches(".*\\.(java|yaml)"))
          .map(DocsTest::read)
          .collect(Collectors.joining());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult each) -> each.group(1)).toList();
  }

  /** {@code data-dir} as {@code dataDir}. */
  private static String camel(String words) {
    return Pattern.compile("-([a-z])")
        .matcher(words)
        .replaceAll(letter -> letter.group(1).toUpperCase(java.util.Locale.ROOT));
  }
}
