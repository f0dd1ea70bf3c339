package dev.deliverylab.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What several rounds measured: the median speaks, the least and the greatest say how far to trust
 * it.
 */
record Figures(double[] sorted) {

  static Figures of(List<Double> rounds) {
    double[] sorted = rounds.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return new Figures(sorted);
  }

  double median() {
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /** The median and the spread, each with this format: {@code 0.91 (0.88 to 0.95)}. */
  String shown(String format) {
    String one = "%" + format;
    return String.format(
        Locale.ROOT,
        one + " (" + one + " to " + one + ")",
        median(),
        sorted[0],
        sorted[sorted.length - 1]);
  }
}
