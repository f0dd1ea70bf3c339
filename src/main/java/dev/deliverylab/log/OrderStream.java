package dev.deliverylab.log;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Iterator;
import java.util.Random;

/**
 * Made-up orders without end; the same seed gives the same ones. Ids count up, event times ascend
 * by up to a second from a fixed base, amounts lie between 0.01 and 500.00.
 */
final class OrderStream implements Iterator<Order> {

  private static final Instant BASE = Instant.parse("2026-01-01T00:00:00Z");
  private static final int MOST_CENTS = 50_000;
  private static final int LONGEST_GAP_MILLIS = 1_000;

  // java.util.Random, as the numbers it gives are part of its specification.
  private final Random random;
  private final int keys;
  private BigInteger nextId;
  private Instant time = BASE;

  OrderStream(long seed, int keys, BigInteger firstId) {
    this.random = new Random(seed);
    this.keys = keys;
    this.nextId = firstId;
  }

  @Override
  public boolean hasNext() {
    return true;
  }

  @Override
  public Order next() {
    BigInteger id = nextId;
    nextId = nextId.add(BigInteger.ONE);
    time = time.plusMillis(1 + random.nextInt(LONGEST_GAP_MILLIS));
    BigDecimal amount = BigDecimal.valueOf(1 + random.nextInt(MOST_CENTS), 2);
    return new Order(id, amount, time, "customer-" + (1 + random.nextInt(keys)));
  }
}
