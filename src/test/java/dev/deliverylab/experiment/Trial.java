package dev.deliverylab.experiment;

import dev.deliverylab.experiment.LaneModel.Crash;
import dev.deliverylab.experiment.LaneModel.Gap;
import dev.deliverylab.log.Dataset;
import dev.deliverylab.log.Order;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * One log that all lanes read, and for each lane the crashes of its lives, one a life; a last life
 * without a crash follows.
 *
 * @param origin how to get this trial again
 */
record Trial(String origin, List<Order> orders, int batchSize, Map<String, List<Crash>> crashes) {

  private static final int[] BATCH_SIZES = {1, 2, 3, 5};
  private static final int MAX_ORDERS = 7;
  private static final int MAX_CRASHES = 3;

  /**
   * Every lane, every gap, once: trial {@code nth} of {@link #systematic()} crashes each lane in
   * its n-th gap (the lanes with fewer gaps start again with their first).
   */
  static List<Trial> systematic() {
    int longest =
        LaneModel.lanes().stream()
            .mapToInt(lane -> LaneModel.gaps(lane, 2).size())
            .max()
            .orElseThrow();
    List<Trial> trials = new ArrayList<>();
    for (int nth = 0; nth < longest; nth++) {
      Map<String, List<Crash>> crashes = new TreeMap<>();
      for (String lane : LaneModel.lanes()) {
        List<Gap> gaps = LaneModel.gaps(lane, 2);
        crashes.put(lane, List.of(gaps.get(nth % gaps.size()).in(1)));
      }
      trials.add(new Trial("systematic trial " + nth, orders(5, false), 2, crashes));
    }
    return trials;
  }

  /** One out of the whole space, the same for the same seed. */
  static Trial random(long seed) {
    Random random = new Random(seed);
    // The first value of neighbouring seeds is much alike.
    random.nextLong();
    int orders = random.nextInt(MAX_ORDERS + 1);
    int batchSize = BATCH_SIZES[random.nextInt(BATCH_SIZES.length)];
    boolean customers = random.nextBoolean();
    int batches = (orders + batchSize - 1) / batchSize;
    Map<String, List<Crash>> crashes = new TreeMap<>();
    for (String lane : LaneModel.lanes()) {
      List<Gap> gaps = LaneModel.gaps(lane, batchSize);
      List<Crash> ofLane = new ArrayList<>();
      for (int life = 1 + random.nextInt(MAX_CRASHES); life > 0; life--) {
        // Now and then a batch that does not come: that life drains the log.
        ofLane.add(gaps.get(random.nextInt(gaps.size())).in(1 + random.nextInt(batches + 1)));
      }
      crashes.put(lane, List.copyOf(ofLane));
    }
    return new Trial("-Dlab.model.seed=" + seed, orders(orders, customers), batchSize, crashes);
  }

  private static List<Order> orders(int count, boolean customers) {
    List<Order> all = new ArrayList<>(Dataset.FIVE_ORDERS.orders());
    // No two sums of these seven amounts that a wrong set of rows could have are alike.
    all.add(order(1006, "0.01"));
    all.add(order(1007, "-7.30"));
    List<Order> chosen = new ArrayList<>();
    for (Order each : all.subList(0, count)) {
      chosen.add(
          customers
              ? new Order(
                  each.orderId(),
                  each.amount(),
                  each.eventTime(),
                  each.orderId().testBit(0) ? "odd" : "even")
              : each);
    }
    return List.copyOf(chosen);
  }

  private static Order order(long id, String amount) {
    return new Order(
        BigInteger.valueOf(id),
        new BigDecimal(amount),
        Instant.parse("2026-01-04T09:22:00Z"),
        null);
  }

  /** The trial as one lane met it, up to one of its lives: what comes later played no part. */
  String upTo(String lane, int life) {
    List<Crash> ofLane = crashes.getOrDefault(lane, List.of());
    StringBuilder text =
        new StringBuilder(lane)
            .append(": ")
            .append(orders.size())
            .append(" orders, batches of ")
            .append(batchSize);
    for (int each = 1; each <= life; each++) {
      text.append("; life ")
          .append(each)
          .append(each <= ofLane.size() ? " crashes " + ofLane.get(each - 1) : " drains the log");
    }
    return text + " (again with " + origin + ")";
  }
}
