package dev.deliverylab.web;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/**
 * Numbers as the pages write them. Nothing is rounded: an id that is too long for its box is cut in
 * the middle.
 */
final class Figure {

  private static final int ROOM = 7;

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
