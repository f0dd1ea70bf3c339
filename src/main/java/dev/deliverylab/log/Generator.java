package dev.deliverylab.log;

import java.math.BigInteger;
import java.util.stream.Stream;

/**
 * A fixed number of made-up orders; the same seed gives the same ones.
 *
 * @param count 1 to {@value #MAX_COUNT}
 * @param keys how many customers, 1 to {@value #MAX_KEYS}: {@code customer-1} and so on
 */
public record Generator(int count, long seed, int keys) {

  public static final int MAX_COUNT = 1_000_000;
  public static final int MAX_KEYS = 1_000_000;

  /**
   * @throws IllegalArgumentException naming the field and what it allows
   */
  public Generator {
    if (count < 1 || count > MAX_COUNT) {
      throw new IllegalArgumentException("count lies between 1 and " + MAX_COUNT);
    }
    if (keys < 1 || keys > MAX_KEYS) {
      throw new IllegalArgumentException("keys lies between 1 and " + MAX_KEYS);
    }
  }

  /** The orders, made as they are asked for, with ids that count up from this one. */
  public Stream<Order> orders(BigInteger firstId) {
    OrderStream orders = new OrderStream(seed, keys, firstId);
    return Stream.generate(orders::next).limit(count);
  }
}
