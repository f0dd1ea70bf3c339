package dev.deliverylab.log;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * What was meant to be in the result, derived from the log by one reader that stores its rows and
 * its position in one transaction. Distinct orders are numbered in the order in which the reader
 * met them and kept in blocks of {@value #BLOCK}, so that counting can look at the blocks that
 * changed and leave the others alone.
 */
public interface Truth {

  /** Distinct orders in a block. */
  int BLOCK = 256;

  /** Counts and sums so far, kept as running values and stored with the reader's position. */
  Totals totals();

  /**
   * Waits until the reader has passed these positions (next offset by partition); false when time
   * ran out first.
   */
  boolean await(Map<Integer, Long> positions, Duration timeout);

  /**
   * Every reading in this block: each distinct order's first record and all its later copies, by
   * ordinal and offset.
   */
  List<Entry> block(int block);

  /** The blocks of these orders; an order the truth does not know is not in the answer. */
  Map<BigInteger, Integer> blocksOf(Collection<BigInteger> orderIds);

  /**
   * The blocks with a record of this partition at an offset from {@code from} to below {@code to}.
   */
  SortedSet<Integer> blocksIn(int partition, long from, long to);

  /** The entries of one partition from an offset on, in offset order; at most {@code limit}. */
  List<Entry> entries(int partition, long from, int limit);

  /** All records of one order in the log, in the order in which they were met. */
  List<Entry> entriesOf(BigInteger orderId);

  /** Records whose id was known with other content: the losers, oldest first. */
  List<Entry> conflicts(int limit);

  /** The highest order id seen, or null for an empty log. */
  @Nullable BigInteger highestOrderId();

  /**
   * @param orders distinct order ids
   * @param total sum of the first content of each
   * @param records records in the log, copies included
   * @param resent records with a known id and the same content
   * @param conflicts records with a known id and other content
   * @param positions the next offset to read, by partition
   */
  record Totals(
      long orders,
      BigDecimal total,
      long records,
      long resent,
      long conflicts,
      Map<Integer, Long> positions) {}

  /** How a record relates to the first one with its id. */
  enum Kind {
    FIRST,
    /** Same content: a producer sent it again. */
    RESENT,
    /** Other content. The truth keeps the first; what each lane keeps is its own rule. */
    CONFLICT
  }

  /**
   * One record of the log as the truth holds it. {@code block} and {@code ordinal} are those of its
   * order.
   */
  record Entry(LogRecord record, Kind kind, long ordinal, int block) {}
}
