package dev.deliverylab.log;

/**
 * How many orders are due at each look at the clock. After a stall it catches up at twice the rate
 * and no faster.
 */
final class Pace {

  /** Longest stretch of time that one look makes up for. */
  static final long MOST_NANOS = 500_000_000L;

  private static final double NANOS_PER_SECOND = 1e9;

  private final int ratePerSecond;
  private final long target;
  private final long start;
  private long last;
  private long given;

  Pace(int ratePerSecond, long target, long now) {
    this.ratePerSecond = ratePerSecond;
    this.target = target;
    this.start = now;
    this.last = now;
  }

  long due(long now) {
    // The first order is due at once, the second a period later.
    long wanted = Math.min(target, 1 + (long) ((now - start) / NANOS_PER_SECOND * ratePerSecond));
    double stretch = Math.min(now - last, MOST_NANOS) / NANOS_PER_SECOND;
    long allowed = 1 + (long) (2 * ratePerSecond * stretch);
    long due = Math.max(0, Math.min(wanted - given, allowed));
    last = now;
    given += due;
    return due;
  }
}
