package dev.deliverylab.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DelayGeneratorTest {

  private static final Instant START = TimeLogs.DAY;

  @Property(tries = 200)
  void theSameSeedGivesTheSameStreamInOrderOfArrival(
      @ForAll @IntRange(min = 1, max = 300) int count,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 20) int keys,
      @ForAll Delay delay,
      @ForAll @IntRange(min = 0, max = 100) int outOfOrder,
      @ForAll @IntRange(min = 0, max = 100) int future) {
    DelayGenerator generator =
        new DelayGenerator(count, seed, keys, delay, 60, outOfOrder, 1, future, START, 2);
    List<Arrival> arrivals = generator.arrivals(BigInteger.TEN, 3);
    assertThat(generator.arrivals(BigInteger.TEN, 3)).isEqualTo(arrivals);
    assertThat(arrivals).isSortedAccordingTo(Comparator.comparing(Arrival::arrivalTime));
    assertThat(arrivals.stream().map(a -> a.order().orderId().intValueExact()).sorted())
        .containsExactlyElementsOf(Stream.iterate(10, id -> id + 1).limit(count).toList());
    assertThat(arrivals.subList(count / 2, count))
        .noneMatch(arrival -> Integer.valueOf(1).equals(arrival.partition()));
  }

  @Test
  void anotherSeedGivesAnotherStream() {
    assertThat(stream(Delay.UNIFORM, 60, 10, 10, 1))
        .isNotEqualTo(stream(Delay.UNIFORM, 60, 10, 10, 2));
  }

  @Test
  void theDistributionsAreWhatTheyAreCalled() {
    assertThat(latenesses(Delay.NONE)).allMatch(Duration::isZero);
    // Of a uniform delay a quarter lies below a quarter of the scale; the mean is half of it.
    assertThat(share(Delay.UNIFORM, 15)).isBetween(24.0, 26.0);
    assertThat(share(Delay.UNIFORM, 60)).isEqualTo(100);
    // Half below (2^(2/3) − 1) × 60 = 35 s; all but one in 100 below (100^(2/3) − 1) × 60 = 1233 s.
    assertThat(share(Delay.HEAVY_TAIL, 35)).isBetween(49.0, 51.0);
    assertThat(share(Delay.HEAVY_TAIL, 1233)).isBetween(98.7, 99.3);
    assertThat(share(Delay.HEAVY_TAIL, 6000)).isBetween(99.8, 99.999);
  }

  @Test
  void outOfOrderIsAShareWithinAndAcrossCustomers() {
    List<Arrival> arrivals = stream(Delay.NONE, 0, 30, 0, 7);
    long across = 0;
    long within = 0;
    for (int i = 1; i < arrivals.size(); i++) {
      Arrival arrival = arrivals.get(i);
      boolean behind = arrivals.get(i - 1).arrivalTime().isAfter(arrival.order().eventTime());
      across += behind ? 1 : 0;
      within += behind && behindItsOwn(arrivals.subList(0, i), arrival) ? 1 : 0;
    }
    assertThat(across).isBetween(5_700L, 6_300L);
    // Half by intent; and, with 10 customers, one in ten of the others by chance.
    assertThat(within).isBetween(3_000L, 3_600L);
    assertThat(stream(Delay.NONE, 0, 0, 0, 7))
        .isSortedAccordingTo(Comparator.comparing(arrival -> arrival.order().eventTime()));
  }

  private static boolean behindItsOwn(List<Arrival> before, Arrival arrival) {
    for (int i = before.size() - 1; i >= 0; i--) {
      if (before.get(i).order().key().equals(arrival.order().key())) {
        return before.get(i).arrivalTime().isAfter(arrival.order().eventTime());
      }
    }
    return false;
  }

  @Test
  void someEventsClaimToBeFromTheFuture() {
    List<Arrival> ahead =
        stream(Delay.UNIFORM, 60, 0, 20, 7).stream()
            .filter(arrival -> arrival.order().eventTime().isAfter(arrival.arrivalTime()))
            .toList();
    assertThat(ahead)
        .hasSizeBetween(3_800, 4_200)
        .allMatch(
            arrival ->
                Duration.between(arrival.arrivalTime(), arrival.order().eventTime()).toHours()
                    <= 1);
  }

  @Test
  void aPartitionFallsIdleAfterHalfOfTheStream() {
    List<Arrival> arrivals =
        new DelayGenerator(1000, 3, 50, Delay.NONE, 0, 0, 2, 0, START, 1)
            .arrivals(BigInteger.ONE, 3);
    assertThat(arrivals.subList(0, 500)).extracting(Arrival::partition).contains(0, 1, 2);
    assertThat(arrivals.subList(500, 1000))
        .extracting(Arrival::partition)
        .contains(0, 1)
        .doesNotContain(2);
    assertThat(stream(Delay.NONE, 0, 0, 0, 3)).allMatch(arrival -> arrival.partition() == null);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 0, 0, 0, 1, count lies between 1 and 100000",
    "100001, 1, 0, 0, 0, 1, count lies between 1 and 100000",
    "1, 0, 0, 0, 0, 1, keys lies between 1 and 100000",
    "1, 1, -1, 0, 0, 1, delaySeconds lies between 0 and 86400",
    "1, 1, 0, 101, 0, 1, outOfOrder lies between 0 and 100",
    "1, 1, 0, 0, -1, 1, future lies between 0 and 100",
    "1, 1, 0, 0, 0, 0, everySeconds lies between 1 and 86400"
  })
  void saysWhatItAllows(
      int count, int keys, int delay, int outOfOrder, int future, int every, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new DelayGenerator(
                    count, 1, keys, Delay.NONE, delay, outOfOrder, null, future, START, every))
        .withMessage(message);
  }

  @Test
  void saysWhatItAllowsOfDelayStartAndIdlePartition() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Delay.of("gauss"))
        .withMessage("delay is one of none, uniform, heavy-tail");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DelayGenerator(1, 1, 1, Delay.NONE, 0, 0, null, 0, Instant.EPOCH, 1))
        .withMessage("start lies between the years 1971 and 2999");
    DelayGenerator idle = new DelayGenerator(1, 1, 1, Delay.NONE, 0, 0, 3, 0, START, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> idle.arrivals(BigInteger.ONE, 3))
        .withMessage("idlePartition lies between 0 and 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> idle.arrivals(BigInteger.ONE, 1))
        .withMessageStartingWith("idlePartition needs a log of several partitions");
  }

  @Test
  void theLongestStreamFitsInWhatAnOrderAllows() {
    Instant last = Instant.parse("2999-12-31T23:59:59Z");
    DelayGenerator longest =
        new DelayGenerator(100_000, 1, 1, Delay.HEAVY_TAIL, 86_400, 50, null, 50, last, 86_400);
    assertThat(longest.arrivals(BigInteger.ONE, 1)).hasSize(100_000);
  }

  private static List<Arrival> stream(
      Delay delay, int scale, int outOfOrder, int future, long seed) {
    return new DelayGenerator(20_000, seed, 10, delay, scale, outOfOrder, null, future, START, 1)
        .arrivals(BigInteger.ONE, 1);
  }

  private static List<Duration> latenesses(Delay delay) {
    return stream(delay, 60, 0, 0, 1).stream()
        .map(arrival -> Duration.between(arrival.order().eventTime(), arrival.arrivalTime()))
        .toList();
  }

  /** In percent: how many arrive within so many seconds. */
  private static double share(Delay delay, long seconds) {
    List<Duration> all = latenesses(delay);
    return 100.0
        * all.stream().filter(d -> d.compareTo(Duration.ofSeconds(seconds)) <= 0).count()
        / all.size();
  }
}
