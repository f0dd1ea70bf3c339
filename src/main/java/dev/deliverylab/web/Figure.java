package dev.deliverylab.web;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Numbers as the pages write them. Nothing is rounded: an id that is too long for its box is cut in
 * the middle.
 */
final class Figure {

  private static final int ROOM = 7;

  private record Unit(long seconds, String word) {}

  private static final List<Unit> UNITS =
      List.of(new Unit(86_400, "d"), new Unit(3600, "h"), new Unit(60, "min"), new Unit(1, "s"));

  private Figure() {}

  static String money(BigDecimal amount) {
    return format("#,##0.00").format(amount).replace('-', '−');
  }

  /** With its sign, so that too much and too little look different. */
  static String difference(BigDecimal amount) {
    return (amount.signum() > 0 ? "+" : "") + money(amount);
  }

  static String count(long number) {
    return format("#,##0").format(number);
  }

  /** "1 order", "2 orders". */
  static String count(long number, String what) {
    return count(number) + " " + what + (number == 1 ? "" : "s");
  }

  /** "35 min", "6 min 20 s", "1 h 5 min", "−10 s". */
  static String duration(long seconds) {
    long rest = Math.abs(seconds);
    List<String> parts = new ArrayList<>();
    for (Unit unit : UNITS) {
      if (rest >= unit.seconds()) {
        parts.add(count(rest / unit.seconds()) + " " + unit.word());
        rest %= unit.seconds();
      }
    }
    return parts.isEmpty() ? "0 s" : (seconds < 0 ? "−" : "") + String.join(" ", parts);
  }

  static String shortened(BigInteger orderId) {
    String digits = orderId.toString();
    return digits.length() <= ROOM
        ? digits
        : digits.substring(0, 2) + "…" + digits.substring(digits.length() - 3);
  }

  static String bytes(long bytes) {
    if (bytes < 1_000_000) {
      return count((bytes + 999) / 1000) + " kB";
    }
    return bytes < 1_000_000_000
        ? format("0.0").format(bytes / 1e6) + " MB"
        : format("0.0").format(bytes / 1e9) + " GB";
  }

  private static DecimalFormat format(String pattern) {
    return new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT));
  }
}
