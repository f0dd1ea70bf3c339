package dev.deliverylab.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All that a rule remembers of the records before: enough to judge the next one, and nothing of the
 * windows.
 *
 * @param marks one for each partition of the log
 * @param first the first arrival of an order; null before it
 * @param clock the greatest arrival or reading so far; null before the first record
 * @param watermark never goes back; null while the rule has none
 */
public record Seen(
    List<Mark> marks,
    @Nullable Instant first,
    @Nullable Instant clock,
    @Nullable Instant watermark) {

  private static final String NONE = "-";

  /**
   * What one partition brought.
   *
   * @param greatest the greatest event time, each cut to what {@link Policy#maxAhead} allows; null
   *     while it brought no order
   * @param last the last arrival of an order
   */
  public record Mark(@Nullable Instant greatest, @Nullable Instant last) {

    private static final Mark BLANK = new Mark(null, null);

    private Mark after(ArrivedOrder record, @Nullable Duration maxAhead) {
      Instant event = record.order().eventTime();
      Instant limit = maxAhead == null ? event : record.arrivalTime().plus(maxAhead);
      return new Mark(
          later(greatest, event.isAfter(limit) ? limit : event), later(last, record.arrivalTime()));
    }
  }

  public Seen {
    marks = List.copyOf(marks);
  }

  /** Before the first record. */
  public static Seen nothing(int partitions) {
    return new Seen(Collections.nCopies(partitions, Mark.BLANK), null, null, null);
  }

  /** With this record seen, too. */
  public Seen after(TimeRecord record, LateRule rule, Policy policy) {
    Instant now = later(clock, record.arrivalTime());
    Seen next = new Seen(marks, first, now, watermark);
    if (record instanceof ArrivedOrder order) {
      List<Mark> moved = new ArrayList<>(marks);
      moved.set(order.partition(), moved.get(order.partition()).after(order, policy.maxAhead()));
      next = new Seen(moved, first == null ? order.arrivalTime() : first, now, watermark);
    }
    Instant reached = rule.reached(next, policy);
    return reached == null ? next : next.with(later(watermark, reached.minus(policy.bound())));
  }

  private Seen with(Instant moved) {
    return new Seen(marks, first, clock, moved);
  }

  /**
   * The lowest of the partitions' greatest event times, idle partitions left out; null while one of
   * the others brought no order yet, or all are idle.
   */
  @Nullable Instant lowest(Policy policy) {
    Integer slowest = slowest(policy);
    return slowest == null ? null : marks.get(slowest).greatest();
  }

  /** The partition behind all others that are not idle; null if nothing was seen or all are. */
  @Nullable Integer slowest(Policy policy) {
    Integer slowest = null;
    for (int partition = 0; partition < marks.size() && first != null; partition++) {
      if (!idle(partition, policy) && (slowest == null || behind(partition, slowest))) {
        slowest = partition;
      }
    }
    return slowest;
  }

  private boolean behind(int partition, int other) {
    Instant greatest = marks.get(partition).greatest();
    Instant others = marks.get(other).greatest();
    return others != null && (greatest == null || greatest.isBefore(others));
  }

  /** Whether the partition brought nothing for so long that it holds the watermark back no more. */
  boolean idle(int partition, Policy policy) {
    Instant from = idleFrom(partition, policy);
    return from != null && clock != null && !clock.isBefore(from);
  }

  /** The time on the clock from which the partition is idle, if it stays silent; null: never. */
  @Nullable Instant idleFrom(int partition, Policy policy) {
    Instant last = marks.get(partition).last();
    Instant since = last == null ? first : last;
    return policy.idleAfter() == null || since == null ? null : since.plus(policy.idleAfter());
  }

  /** All of it in one line, which {@link #parse} reads; empty if nothing was seen. */
  public String text() {
    if (clock == null) {
      return "";
    }
    List<String> words = new ArrayList<>(List.of(text(first), text(clock), text(watermark)));
    for (Mark mark : marks) {
      words.add(text(mark.greatest()));
      words.add(text(mark.last()));
    }
    return String.join(" ", words);
  }

  /**
   * @param partitions how many the log has
   * @throws IllegalArgumentException if the text was written for another number of partitions
   */
  public static Seen parse(String text, int partitions) {
    if (text.isEmpty()) {
      return nothing(partitions);
    }
    String[] words = text.split(" ", -1);
    if (words.length != 3 + 2 * partitions) {
      throw new IllegalArgumentException(
          "No state of a log with " + partitions + " partitions: " + text);
    }
    List<Mark> marks = new ArrayList<>();
    for (int i = 3; i < words.length; i += 2) {
      marks.add(new Mark(instant(words[i]), instant(words[i + 1])));
    }
    return new Seen(marks, instant(words[0]), instant(words[1]), instant(words[2]));
  }

  private static String text(@Nullable Instant time) {
    return Objects.toString(time, NONE);
  }

  private static @Nullable Instant instant(String word) {
    return word.equals(NONE) ? null : Instant.parse(word);
  }

  private static Instant later(@Nullable Instant one, Instant other) {
    return one == null || other.isAfter(one) ? other : one;
  }
}
