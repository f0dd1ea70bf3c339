package dev.deliverylab.broker;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Which lives are over. One number per lane that ever died, so it does not grow with the number of
 * crashes.
 */
final class DeadLives {

  private final ConcurrentMap<String, Integer> highest = new ConcurrentHashMap<>();

  /** From now on this life and all before it are dead. */
  void bury(Life life) {
    highest.merge(life.lane(), life.number(), Math::max);
  }

  boolean includes(@Nullable Life life) {
    return life != null && life.number() <= highest.getOrDefault(life.lane(), 0);
  }
}
