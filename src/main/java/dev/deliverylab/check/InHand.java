package dev.deliverylab.check;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The records that a living lane has polled and not finished: their effects may still come although
 * progress has passed them. A dead lane has nothing in hand.
 */
public final class InHand {

  /**
   * Far above a batch and what waits for a second thread: a lane that holds more has lost count.
   */
  public static final int MAX = 65_536;

  public static final InHand NOTHING = new InHand(new TreeMap<>());

  private final Map<Integer, NavigableSet<Long>> offsets;

  private InHand(Map<Integer, NavigableSet<Long>> offsets) {
    this.offsets = offsets;
  }

  /** One record's place in the log. */
  public record Place(int partition, long offset) {}

  /**
   * @throws IllegalArgumentException for more than {@value #MAX} places
   */
  public static InHand of(Collection<Place> places) {
    if (places.size() > MAX) {
      throw new IllegalArgumentException("a lane has at most " + MAX + " records in hand");
    }
    var offsets = new TreeMap<Integer, NavigableSet<Long>>();
    for (var place : places) {
      offsets.computeIfAbsent(place.partition(), p -> new TreeSet<>()).add(place.offset());
    }
    return new InHand(offsets);
  }

  boolean holds(int partition, long offset) {
    return offsetsOf(partition).contains(offset);
  }

  NavigableSet<Long> offsetsOf(int partition) {
    return offsets.getOrDefault(partition, Collections.emptyNavigableSet());
  }

  Collection<Integer> partitions() {
    return offsets.keySet();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof InHand that && offsets.equals(that.offsets);
  }

  @Override
  public int hashCode() {
    return offsets.hashCode();
  }

  @Override
  public String toString() {
    return offsets.toString();
  }
}
