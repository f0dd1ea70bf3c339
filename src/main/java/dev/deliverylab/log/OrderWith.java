package dev.deliverylab.log;

import java.time.Instant;
import java.util.Map;

/**
 * An order, and text fields that stood beside its own.
 *
 * @param others by name; absent where none was given
 */
public record OrderWith(Order order, Map<String, String> others) {

  /**
   * The field as a time.
   *
   * @throws OrderRefused if it is missing or no time
   */
  public Instant instant(String name) {
    return OrderFields.instant(name, others.get(name));
  }
}
