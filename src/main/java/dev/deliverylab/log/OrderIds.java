package dev.deliverylab.log;

import java.math.BigInteger;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Ids for generated orders: from 1, or from the highest id in the truth + 1. While a run of ids is
 * in use nobody else gets one of them, so a load and a generator at the same time make no
 * conflicts.
 */
public final class OrderIds {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Truth truth;
  private final Set<Run> inUse = new HashSet<>();

  public OrderIds(Truth truth) {
    this.truth = truth;
  }

  /**
   * Waits until the truth has read all of this log, and takes ids behind the highest.
   *
   * @throws LogUnreachable when the truth does not catch up
   */
  public synchronized Run take(OrderLog log, long count) {
    if (!truth.await(log.endOffsets(), PATIENCE)) {
      throw new LogUnreachable("the truth has not read all of it, so the highest id is unknown");
    }
    BigInteger known = truth.highestOrderId();
    BigInteger highest = known == null ? BigInteger.ZERO : known;
    for (Run run : inUse) {
      highest = highest.max(run.last);
    }
    Run run = new Run(highest.add(BigInteger.ONE), highest.add(BigInteger.valueOf(count)));
    inUse.add(run);
    return run;
  }

  private synchronized void release(Run run) {
    inUse.remove(run);
  }

  /**
   * Ids that are taken until it is closed, which is when their orders are acknowledged or given up.
   */
  public final class Run implements AutoCloseable {

    private final BigInteger first;
    private final BigInteger last;

    private Run(BigInteger first, BigInteger last) {
      this.first = first;
      this.last = last;
    }

    public BigInteger first() {
      return first;
    }

    @Override
    public void close() {
      release(this);
    }
  }
}
