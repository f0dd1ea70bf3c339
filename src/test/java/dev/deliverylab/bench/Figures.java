package dev.deliverylab.bench;

import java.util.List;
import java.util.Locale;

/**
 * What several rounds measured: the median speaks, the least and the greatest say how far to trust
 * it.
 */
record Figures(List<Double> sorted) {

  static Figures of(List<Double> rounds) {
    return new Figures(rounds.stream().sorted().toList());
  }

  double median() {
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }

  /** The median and the spread, each with this format: {@code 0.91 (0.88 to 0.95)}. */
  String shown(String format) {
    String one = "%" + format;
    return String.format(
        Locale.ROOT,
        one + " (" + one + " to " + one + ")",
        median(),
        sorted.get(0),
        sorted.get(sorted.size() - 1));
  }
}
