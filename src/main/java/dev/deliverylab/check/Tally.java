package dev.deliverylab.check;

import dev.deliverylab.sink.Shape;
import java.math.BigDecimal;

/**
 * Counts and sums over a set of orders. Tallies of disjoint sets add up, and what was added can be
 * taken away again: that is what lets a running count replace one block and leave the others alone.
 *
 * @param orders distinct orders of the truth, and {@code truthTotal} the sum of their first
 *     contents
 * @param rows raw rows in the sink, stray ones included, and {@code total} their sum
 * @param distinct order ids with at least one row
 * @param viewRows rows that a reader sees, and {@code viewTotal} their sum; equal to the raw ones
 *     where there is no view
 * @param doubled orders with more than one row that a reader sees
 * @param conflict extra rows with new content; outside append-only tables also each order whose
 *     first visible row is {@code changed}
 * @param changed orders whose first visible row has other content than the truth
 * @param recognised second writes that changed no number
 * @param strays rows of orders that the truth does not know although it has read past them
 */
public record Tally(
    long orders,
    BigDecimal truthTotal,
    long rows,
    long distinct,
    BigDecimal total,
    long viewRows,
    BigDecimal viewTotal,
    long doubled,
    long reRead,
    long reSent,
    long conflict,
    long changed,
    long lost,
    long pending,
    long recognised,
    long strays) {

  static final BigDecimal NO_MONEY = new BigDecimal("0.00");

  /** The tally of no orders. */
  public static final Tally ZERO =
      new Tally(0, NO_MONEY, 0, 0, NO_MONEY, 0, NO_MONEY, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  public Tally plus(Tally other) {
    return new Tally(
        orders + other.orders,
        truthTotal.add(other.truthTotal),
        rows + other.rows,
        distinct + other.distinct,
        total.add(other.total),
        viewRows + other.viewRows,
        viewTotal.add(other.viewTotal),
        doubled + other.doubled,
        reRead + other.reRead,
        reSent + other.reSent,
        conflict + other.conflict,
        changed + other.changed,
        lost + other.lost,
        pending + other.pending,
        recognised + other.recognised,
        strays + other.strays);
  }

  public Tally minus(Tally other) {
    return plus(other.negated());
  }

  private Tally negated() {
    return new Tally(
        -orders,
        truthTotal.negate(),
        -rows,
        -distinct,
        total.negate(),
        -viewRows,
        viewTotal.negate(),
        -doubled,
        -reRead,
        -reSent,
        -conflict,
        -changed,
        -lost,
        -pending,
        -recognised,
        -strays);
  }

  /**
   * Effects beyond the first that a reader sees. Through a view, and on a balance, there are none
   * to see.
   */
  public long duplicates() {
    return viewRows - distinct;
  }

  /** Null for a balance, which has no rows to tell apart. */
  Counts counts(Shape shape) {
    return shape == Shape.BALANCE
        ? new Counts(null, null, pending)
        : new Counts(duplicates(), lost, pending);
  }
}
