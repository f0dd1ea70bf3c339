package dev.deliverylab.time;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What REST and scenarios say of a {@link DelayGenerator}; what is left out has a default.
 *
 * @param start for REST: a time, {@code now}, or null for {@link #FROM}
 */
public record Generate(
    @Nullable Integer count,
    @Nullable Long seed,
    @Nullable Integer keys,
    @Nullable String delay,
    @Nullable Integer delaySeconds,
    @Nullable Integer outOfOrder,
    @Nullable Integer idlePartition,
    @Nullable Integer future,
    @Nullable String start,
    @Nullable Integer everySeconds) {

  /** When the first event happens, unless somebody says otherwise. */
  public static final Instant FROM = Instant.parse("2026-01-04T09:00:00Z");

  /**
   * @param from when the first event happens
   * @param first the first order's id
   * @throws IllegalArgumentException naming the field and what it allows
   */
  public List<Arrival> arrivals(Instant from, BigInteger first, int partitions) {
    return generator(from, partitions).arrivals(first, partitions);
  }

  /**
   * All that can be wrong is found here; nothing is generated yet.
   *
   * @param from when the first event happens
   * @throws IllegalArgumentException naming the field and what it allows
   */
  public DelayGenerator generator(Instant from, int partitions) {
    if (count == null) {
      throw new IllegalArgumentException(
          "generate: \"count\" from 1 to " + DelayGenerator.MAX_COUNT + ", and more if you like");
    }
    DelayGenerator generator =
        new DelayGenerator(
            count,
            seed == null ? 1 : seed,
            or(keys, 1),
            Delay.of(delay == null ? "uniform" : delay),
            or(delaySeconds, 600),
            or(outOfOrder, 0),
            idlePartition,
            or(future, 0),
            from,
            or(everySeconds, 1));
    generator.checkFor(partitions);
    return generator;
  }

  private static int or(@Nullable Integer given, int otherwise) {
    return given == null ? otherwise : given;
  }
}
