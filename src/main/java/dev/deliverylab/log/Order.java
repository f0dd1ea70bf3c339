package dev.deliverylab.log;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a record of the log says. Two orders with the same id and the same content are one order,
 * sent twice; with other content they are a conflict.
 *
 * @param orderId whole number from 0, at most {@value #MAX_DIGITS} digits
 * @param amount at most two decimals, within ±{@link #MAX_AMOUNT}; always held with two
 * @param eventTime when it happened, from 1970 to 9999 (Kafka refuses earlier timestamps), held to
 *     the microsecond (what PostgreSQL keeps)
 * @param customer who ordered, or null
 */
public record Order(
    BigInteger orderId, BigDecimal amount, Instant eventTime, @Nullable String customer) {

  public static final int MAX_DIGITS = 64;
  public static final int MAX_CUSTOMER = 200;
  public static final BigDecimal MAX_AMOUNT = new BigDecimal("99999999.99");
  public static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");

  /**
   * @throws IllegalArgumentException naming the field and what it allows
   */
  public Order {
    if (orderId.signum() < 0 || orderId.toString().length() > MAX_DIGITS) {
      throw new IllegalArgumentException(
          "orderId is a whole number from 0 with at most " + MAX_DIGITS + " digits");
    }
    if (amount.abs().compareTo(MAX_AMOUNT) > 0) {
      throw new IllegalArgumentException(
          "amount lies between -" + MAX_AMOUNT + " and " + MAX_AMOUNT);
    }
    if (amount.stripTrailingZeros().scale() > 2) {
      throw new IllegalArgumentException("amount has at most two decimals");
    }
    if (eventTime.isBefore(Instant.EPOCH) || eventTime.isAfter(LAST)) {
      throw new IllegalArgumentException("eventTime lies between the years 1970 and 9999");
    }
    if (customer != null && (customer.isEmpty() || customer.length() > MAX_CUSTOMER)) {
      throw new IllegalArgumentException("customer has 1 to " + MAX_CUSTOMER + " characters");
    }
    amount = amount.setScale(2, RoundingMode.UNNECESSARY);
    eventTime = eventTime.truncatedTo(ChronoUnit.MICROS);
  }

  /** The name of the event, made of its content: the same on every attempt and every replay. */
  public String eventId() {
    return "orders:" + orderId;
  }

  /** The record's key in the log: orders of one customer keep their order. */
  public String key() {
    return customer == null ? orderId.toString() : customer;
  }
}
