package dev.deliverylab.log;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one order as text, met one after the other in any order. JSON and CSV both fill it,
 * so what a field allows is said once. Numbers stay text until they are exact: nothing passes
 * through a double.
 */
final class OrderFields {

  static final String ORDER_ID = "orderId";
  static final String AMOUNT = "amount";
  static final String EVENT_TIME = "eventTime";
  static final String CUSTOMER = "customer";
  static final List<String> NAMES = List.of(ORDER_ID, AMOUNT, EVENT_TIME, CUSTOMER);

  static final List<String> REQUIRED = List.of(ORDER_ID, AMOUNT, EVENT_TIME);

  private static final Pattern DIGITS = Pattern.compile("[0-9]{1," + Order.MAX_DIGITS + "}");
  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,20}(\\.[0-9]{1,20})?");
  private static final int SHOWN = 40;

  private final List<String> names;
  private final List<String> seen = new ArrayList<>(NAMES.size());
  private final Map<String, String> others = new HashMap<>();
  private @Nullable String orderId;
  private @Nullable String amount;
  private @Nullable String eventTime;
  private @Nullable String customer;

  OrderFields() {
    this(List.of());
  }

  /**
   * @param others names of text fields that may stand beside the order's
   */
  OrderFields(List<String> others) {
    names = Stream.concat(NAMES.stream(), others.stream()).toList();
  }

  /** Refuses a name that is unknown or came before. */
  void name(String name) {
    if (!names.contains(name)) {
      throw new OrderRefused(
          shown(name), shown(name) + " is not a field of an order: " + String.join(", ", names));
    }
    if (seen.contains(name)) {
      throw new OrderRefused(name, name + " is given twice");
    }
    seen.add(name);
  }

  void value(String name, String text) {
    switch (name) {
      case ORDER_ID -> orderId = text;
      case AMOUNT -> amount = text;
      case EVENT_TIME -> eventTime = text;
      case CUSTOMER -> customer = text;
      default -> others.put(name, text);
    }
  }

  /** The text of the fields beside the order's, by name; absent where none was given. */
  Map<String, String> others() {
    return Map.copyOf(others);
  }

  Order order() {
    try {
      return new Order(id(), decimal(), instant(EVENT_TIME, eventTime), customer());
    } catch (OrderRefused e) {
      throw e;
    } catch (IllegalArgumentException e) {
      // Order's own sentences start with the field's name, too.
      String reason = String.valueOf(e.getMessage());
      throw new OrderRefused(reason.substring(0, reason.indexOf(' ')), reason);
    }
  }

  private BigInteger id() {
    String text = required(ORDER_ID, orderId);
    if (!DIGITS.matcher(text).matches()) {
      throw new OrderRefused(
          ORDER_ID,
          "orderId is a whole number from 0 with at most %d digits, not %s"
              .formatted(Order.MAX_DIGITS, shown(text)));
    }
    return new BigInteger(text);
  }

  private BigDecimal decimal() {
    String text = required(AMOUNT, amount);
    if (!DECIMAL.matcher(text).matches()) {
      throw new OrderRefused(AMOUNT, "amount is a decimal such as 25.50, not " + shown(text));
    }
    return new BigDecimal(text);
  }

  /**
   * A time as every field of the lab takes it.
   *
   * @throws OrderRefused naming the field
   */
  static Instant instant(String name, @Nullable String text) {
    String given = required(name, text);
    try {
      return OffsetDateTime.parse(given).toInstant();
    } catch (DateTimeException e) {
      throw new OrderRefused(
          name,
          name + " is a time with its offset such as 2026-01-04T09:14:02Z, not " + shown(given));
    }
  }

  /** Text that every store can keep, and that was UTF-8 on its way here. */
  private @Nullable String customer() {
    if (customer != null && customer.codePoints().anyMatch(OrderFields::unfit)) {
      throw new OrderRefused(
          CUSTOMER, "customer has no control characters and none that are not UTF-8");
    }
    return customer;
  }

  /**
   * PostgreSQL takes no NUL, UTF-8 no half of a pair; U+FFFD is what decoding made of a broken
   * byte.
   */
  private static boolean unfit(int character) {
    return Character.isISOControl(character)
        || Character.getType(character) == Character.SURROGATE
        || character == 0xFFFD;
  }

  private static String required(String name, @Nullable String text) {
    if (text == null) {
      throw new OrderRefused(name, name + " is missing");
    }
    return text;
  }

  static String shown(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }
}
