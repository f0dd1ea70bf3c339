package dev.deliverylab.time;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants otherwise in a policy, in the words of REST and of scenarios; what is not
 * named stays as it is.
 *
 * @param numbers by name, one of {@link #NUMBERS}; null where the policy allows none
 * @param late a word, or null if it is not named
 */
public record PolicyChange(Map<String, @Nullable Long> numbers, @Nullable String late) {

  /** All names there are. */
  public static final List<String> NAMES =
      List.of(
          "boundMinutes",
          "boundSeconds",
          "idleSeconds",
          "late",
          "maxAheadSeconds",
          "windowMinutes",
          "windowSeconds");

  /** Those with a number. */
  public static final List<String> NUMBERS =
      NAMES.stream().filter(name -> !name.equals("late")).toList();

  /** Those that may be null. */
  public static final List<String> NULLABLE = List.of("idleSeconds", "maxAheadSeconds");

  /**
   * @throws IllegalArgumentException naming the field and what it allows
   */
  public Policy of(Policy before) {
    if (numbers.isEmpty() && late == null) {
      throw new IllegalArgumentException(
          "a policy has " + String.join(", ", NAMES) + "; name at least one");
    }
    return new Policy(
        duration("window", before.window()),
        duration("bound", before.bound()),
        late == null ? before.late() : Late.of(late),
        numbers.containsKey("idleSeconds") ? seconds("idleSeconds") : before.idleAfter(),
        numbers.containsKey("maxAheadSeconds") ? seconds("maxAheadSeconds") : before.maxAhead());
  }

  private Duration duration(String name, Duration otherwise) {
    Long minutes = numbers.get(name + "Minutes");
    Long seconds = numbers.get(name + "Seconds");
    if (minutes != null && seconds != null) {
      throw new IllegalArgumentException(
          "say " + name + "Minutes or " + name + "Seconds, not both");
    }
    if (minutes != null) {
      return whole(name + "Minutes", minutes, 60);
    }
    return seconds == null ? otherwise : whole(name + "Seconds", seconds, 1);
  }

  private @Nullable Duration seconds(String name) {
    Long seconds = numbers.get(name);
    return seconds == null ? null : whole(name, seconds, 1);
  }

  private static Duration whole(String name, long number, int factor) {
    if (number < 0 || number > Policy.MAX_BOUND.toSeconds() / factor) {
      throw new IllegalArgumentException(
          "\""
              + name
              + "\": 0 to "
              + Policy.MAX_BOUND.toSeconds() / factor
              + " (a year); it was "
              + number);
    }
    return Duration.ofSeconds(number * factor);
  }
}
