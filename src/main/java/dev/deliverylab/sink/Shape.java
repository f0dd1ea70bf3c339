package dev.deliverylab.sink;

/** The form of a sink's table: it decides what a second write of the same order does. */
public enum Shape {
  /** Every write is a new row. A second write is a duplicate. */
  APPEND_ONLY,
  /**
   * Every write is a new row; readers use a view that keeps the newest event time of each order.
   */
  DEDUPLICATED_ON_READ,
  /** One row a key, the last write wins. Only as good as the key. */
  KEYED,
  /** One row an event id, the first write wins: the founding document's payments table. */
  FIRST_WINS,
  /** A running balance an account. A second write is added, and leaves nothing to count. */
  BALANCE,
  /** Windows with their ledger, their published results and the lane's note of the time. */
  WINDOWS
}
