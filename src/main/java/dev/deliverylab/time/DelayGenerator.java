package dev.deliverylab.time;

import dev.deliverylab.log.Order;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Made-up orders that arrive late; the same seed gives the same ones.
 *
 * @param count 1 to {@value #MAX_COUNT}
 * @param keys how many customers, 1 to {@value #MAX_KEYS}
 * @param delaySeconds the scale of the delay, 0 to {@value #MAX_SECONDS}
 * @param outOfOrder in percent: orders whose event time is set back, half of them behind the order
 *     before, the others behind the same customer's order before
 * @param idlePartition brings nothing in the second half of the stream; null: none is idle
 * @param future in percent of the others: orders whose event time lies up to an hour after their
 *     arrival
 * @param start the first event, in the years 1971 to 2999
 * @param everySeconds from one event to the next, 1 to {@value #MAX_SECONDS}
 */
public record DelayGenerator(
    int count,
    long seed,
    int keys,
    Delay delay,
    int delaySeconds,
    int outOfOrder,
    @Nullable Integer idlePartition,
    int future,
    Instant start,
    int everySeconds) {

  public static final int MAX_COUNT = 100_000;
  public static final int MAX_KEYS = 100_000;
  public static final int MAX_SECONDS = 86_400;

  private static final Instant EARLIEST = Instant.parse("1971-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("3000-01-01T00:00:00Z");
  private static final int HOUR_MILLIS = 3_600_000;
  private static final int MOST_CENTS = 50_000;

  /**
   * @throws IllegalArgumentException naming the field and what it allows
   */
  public DelayGenerator {
    within("count", count, 1, MAX_COUNT);
    within("keys", keys, 1, MAX_KEYS);
    within("delaySeconds", delaySeconds, 0, MAX_SECONDS);
    within("outOfOrder", outOfOrder, 0, 100);
    within("future", future, 0, 100);
    within("everySeconds", everySeconds, 1, MAX_SECONDS);
    if (start.isBefore(EARLIEST) || !start.isBefore(LATEST)) {
      throw new IllegalArgumentException("start lies between the years 1971 and 2999");
    }
  }

  private static void within(String field, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(field + " lies between " + least + " and " + most);
    }
  }

  /**
   * The orders in the order of their arrival. Their ids count up from this one in the order of what
   * happened.
   *
   * @param partitions how many the log has
   * @throws IllegalArgumentException if the idle partition is not one of several
   */
  public List<Arrival> arrivals(BigInteger firstId, int partitions) {
    checkFor(partitions);
    List<Arrival> arrivals = inOrderOfEvents(firstId);
    arrivals.sort(Comparator.comparing(Arrival::arrivalTime));
    return idlePartition == null ? arrivals : placed(arrivals, partitions);
  }

  /**
   * @throws IllegalArgumentException if the idle partition is not one of several
   */
  void checkFor(int partitions) {
    if (idlePartition != null && partitions == 1) {
      throw new IllegalArgumentException(
          "idlePartition needs a log of several partitions; this one has 1");
    }
    if (idlePartition != null) {
      within("idlePartition", idlePartition, 0, partitions - 1);
    }
  }

  private List<Arrival> inOrderOfEvents(BigInteger firstId) {
    // java.util.Random, as the numbers it gives are part of its specification.
    Random random = new Random(seed);
    List<Arrival> arrivals = new ArrayList<>(count);
    Map<String, Instant> newest = new HashMap<>();
    Instant before = start;
    for (int i = 0; i < count; i++) {
      Instant happened = start.plusSeconds((long) i * everySeconds);
      String customer = customer(random.nextInt(keys));
      BigDecimal amount = BigDecimal.valueOf(1 + random.nextInt(MOST_CENTS), 2);
      Instant arrival = happened.plusMillis(delay.millis(random, delaySeconds * 1000L));
      Instant event = happened;
      if (random.nextInt(100) < outOfOrder) {
        event = random.nextBoolean() ? before : newest.getOrDefault(customer, before);
        event = event.minusMillis(1);
      } else if (random.nextInt(100) < future) {
        event = arrival.plusMillis(1 + random.nextInt(HOUR_MILLIS));
      }
      Order order = new Order(firstId.add(BigInteger.valueOf(i)), amount, event, customer);
      arrivals.add(new Arrival(order, arrival, null));
      newest.put(customer, happened);
      before = happened;
    }
    return arrivals;
  }

  /** A customer keeps its partition, unless that falls idle: then it goes to the next one. */
  private List<Arrival> placed(List<Arrival> arrivals, int partitions) {
    List<Arrival> placed = new ArrayList<>(count);
    for (Arrival arrival : arrivals) {
      int partition = Math.floorMod(arrival.order().key().hashCode(), partitions);
      boolean idle = Integer.valueOf(partition).equals(idlePartition) && placed.size() >= count / 2;
      placed.add(
          new Arrival(
              arrival.order(),
              arrival.arrivalTime(),
              idle ? (partition + 1) % partitions : partition));
    }
    return placed;
  }

  private static String customer(int number) {
    return "customer-" + (1 + number);
  }
}
