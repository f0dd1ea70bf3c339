package dev.deliverylab.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deliverylab.guarantee.Promise;
import dev.deliverylab.log.Order;
import dev.deliverylab.sink.Shape;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Five orders, batches of two, one crash: what each lane's sink and progress say after the crash
 * and after the restart. 25.50 + 12.00 + 40.00 + 8.75 + 63.20 = 149.45; 1001 and 1002 once more are
 * 37.50, and 149.45 + 37.50 = 186.95.
 */
class FiveOrdersTest {

  private static final List<Order> FIVE =
      List.of(
          order(1001, "25.50", "2026-01-04T09:14:02Z"),
          order(1002, "12.00", "2026-01-04T09:15:41Z"),
          order(1003, "40.00", "2026-01-04T09:17:02Z"),
          order(1004, "8.75", "2026-01-04T09:19:30Z"),
          order(1005, "63.20", "2026-01-04T09:21:11Z"));

  private final LogInMemory log = new LogInMemory(256);

  static Order order(long id, String amount, String time) {
    return new Order(BigInteger.valueOf(id), new BigDecimal(amount), Instant.parse(time), null);
  }

  /** A lane as far as counting sees it: a sink, and progress in partition 0. */
  private final class Lane {
    final SinkInMemory sink;
    final RunningCount running;
    Map<Integer, Long> committed = Map.of();
    InHand inHand = InHand.NOTHING;
    boolean rewound;

    Lane(Promise promise, Shape shape) {
      if (log.met().isEmpty()) {
        FIVE.forEach(order -> log.append(0, order));
      }
      sink = new SinkInMemory(shape);
      running = new RunningCount(promise, log, sink);
    }

    Lane applied(int... offsets) {
      for (int offset : offsets) {
        sink.apply(log.met().get(offset).record());
      }
      return this;
    }

    Lane committed(long offset) {
      committed = Map.of(0, offset);
      return this;
    }

    Count count() {
      return running.refresh(committed, () -> inHand, rewound);
    }

    /** The running count, a recount and a count from the start must say the same. */
    Count checked() {
      var count = count();
      var recount = running.recount(committed, () -> inHand, rewound);
      assertThat(recount.agrees()).as(recount.difference()).isTrue();
      var anew =
          new RunningCount(Promise.NEITHER, log, sink).refresh(committed, () -> inHand, rewound);
      assertThat(anew.tally()).isEqualTo(count.tally()).isEqualTo(recount.count().tally());
      return count;
    }
  }

  private static void expect(
      Count count,
      long rows,
      long distinct,
      String total,
      long duplicates,
      long lost,
      long pending) {
    assertThat(count.sink())
        .extracting(SinkSummary::rows, SinkSummary::distinct, SinkSummary::total)
        .containsExactly(rows, distinct, new BigDecimal(total));
    assertThat(count.counts()).isEqualTo(new Counts(duplicates, lost, pending));
    assertThat(count.truth()).isEqualTo(new TruthSummary(5, new BigDecimal("149.45")));
    assertThat(count.more()).isFalse();
  }

  private static List<BigInteger> ids(long... ids) {
    return Arrays.stream(ids).mapToObj(BigInteger::valueOf).toList();
  }

  @Test
  void atLeastOnceKeepsItsPromiseAndHasTheWrongNumber() {
    var lane = new Lane(Promise.NO_LOSS, Shape.APPEND_ONLY).applied(0, 1);
    var crashed = lane.checked();
    expect(crashed, 2, 2, "37.50", 0, 0, 3);
    assertThat(crashed.verdict())
        .isEqualTo(new Verdict("no order is lost", true, null, "3 orders may still come."));

    var restarted = lane.applied(0, 1, 2, 3, 4).committed(5).checked();
    expect(restarted, 7, 5, "186.95", 2, 0, 0);
    assertThat(restarted.kinds()).isEqualTo(new Kinds(2, 0, 0));
    assertThat(restarted.doubled()).isEqualTo(ids(1001, 1002));
    assertThat(restarted.verdict())
        .isEqualTo(
            new Verdict(
                "no order is lost",
                true,
                false,
                "2 orders applied twice: 1001, 1002; the total is 186.95 instead of 149.45."));
  }

  @Test
  void atMostOnceLosesWhatItCommittedAndDidNotApply() {
    var lane = new Lane(Promise.NO_DUPLICATE, Shape.APPEND_ONLY).applied(0).committed(2);
    // While the lane lives, 1002 is in its hands: that is not a loss.
    lane.inHand = InHand.of(List.of(new InHand.Place(0, 1)));
    expect(lane.checked(), 1, 1, "25.50", 0, 0, 4);
    // The crash empties them.
    lane.inHand = InHand.NOTHING;
    var crashed = lane.checked();
    expect(crashed, 1, 1, "25.50", 0, 1, 3);
    assertThat(crashed.verdict().promiseKept()).isTrue();
    assertThat(crashed.verdict().numberRight()).isFalse();

    // 149.45 - 12.00 = 137.45
    var restarted = lane.applied(2, 3, 4).committed(5).checked();
    expect(restarted, 4, 4, "137.45", 0, 1, 0);
    assertThat(restarted.lost()).isEqualTo(ids(1002));
    assertThat(restarted.verdict().promiseKept()).isTrue();
    assertThat(restarted.verdict().numberRight()).isFalse();
    assertThat(restarted.verdict().why())
        .isEqualTo("1 order lost: 1002; the total is 137.45 instead of 149.45.");
  }

  @Test
  void transactionalIsRightAfterACrashAndDoubledByARewind() {
    var lane = new Lane(Promise.NEITHER, Shape.APPEND_ONLY);
    expect(lane.checked(), 0, 0, "0.00", 0, 0, 5);

    var restarted = lane.applied(0, 1, 2, 3, 4).committed(5).checked();
    expect(restarted, 5, 5, "149.45", 0, 0, 0);
    assertThat(restarted.verdict().promiseKept()).isTrue();
    assertThat(restarted.verdict().numberRight()).isTrue();
    assertThat(restarted.verdict().why())
        .isEqualTo("All 5 orders are there once, and the total is 149.45.");

    // 149.45 x 2 = 298.90
    lane.rewound = true;
    lane.committed(0);
    expect(lane.checked(), 5, 5, "149.45", 0, 0, 0);
    var replayed = lane.applied(0, 1, 2, 3, 4).committed(5).checked();
    expect(replayed, 10, 5, "298.90", 5, 0, 0);
    assertThat(replayed.verdict().promiseKept()).isFalse();
    assertThat(replayed.verdict().why())
        .isEqualTo(
            "5 orders applied twice: 1001, 1002, 1003 and 2 more; the total is 298.90 instead of 149.45; "
                + "this promise never covered a rewind, and the lane was rewound.");
  }

  @Test
  void idempotentKeyRecognisesWhatItWroteBefore() {
    var lane = new Lane(Promise.NEITHER, Shape.KEYED).applied(0, 1);
    expect(lane.checked(), 2, 2, "37.50", 0, 0, 3);
    var restarted = lane.applied(0, 1, 2, 3, 4).committed(5).checked();
    expect(restarted, 5, 5, "149.45", 0, 0, 0);
    assertThat(restarted.recognised()).isEqualTo(2);
    assertThat(restarted.verdict().numberRight()).isTrue();
  }

  @Test
  void insertIgnoreRecognisesWhatItWroteBefore() {
    var lane = new Lane(Promise.NEITHER, Shape.FIRST_WINS).applied(0, 1);
    expect(lane.checked(), 2, 2, "37.50", 0, 0, 3);
    var restarted = lane.applied(0, 1, 2, 3, 4).committed(5).checked();
    expect(restarted, 5, 5, "149.45", 0, 0, 0);
    assertThat(restarted.recognised()).isEqualTo(2);
    assertThat(restarted.verdict().numberRight()).isTrue();
  }

  @Test
  void aKeyMadePerAttemptFindsNothingAgain() {
    var lane = new Lane(Promise.NEITHER, Shape.KEYED);
    int attempt = 0;
    for (int offset : new int[] {0, 1, 0, 1, 2, 3, 4}) {
      lane.sink.apply(log.met().get(offset).record(), "attempt-" + attempt++);
    }
    var restarted = lane.committed(5).checked();
    expect(restarted, 7, 5, "186.95", 2, 0, 0);
    assertThat(restarted.kinds()).isEqualTo(new Kinds(2, 0, 0));
    assertThat(restarted.recognised()).isZero();
    assertThat(restarted.verdict().promiseKept()).isFalse();
  }

  @Test
  void dedupOnReadIsWrongRawAndRightThroughItsView() {
    var lane = new Lane(Promise.NEITHER, Shape.DEDUPLICATED_ON_READ).applied(0, 1);
    expect(lane.checked(), 2, 2, "37.50", 0, 0, 3);
    var restarted = lane.applied(0, 1, 2, 3, 4).committed(5).checked();
    expect(restarted, 7, 5, "186.95", 0, 0, 0);
    assertThat(restarted.sink().view()).isEqualTo(new ViewSummary(5, new BigDecimal("149.45")));
    assertThat(restarted.kinds()).isEqualTo(new Kinds(0, 0, 0));
    assertThat(restarted.recognised()).isEqualTo(2);
    assertThat(restarted.verdict().promiseKept()).isTrue();
    assertThat(restarted.verdict().numberRight()).isTrue();
    assertThat(lane.running.where(BigInteger.valueOf(1002)).orElseThrow().effects())
        .extracting(OrderInLane.Effect::hidden)
        .containsExactlyInAnyOrder(true, false);
  }

  @Test
  void autoCommitRepeatsWhatItDidNotCommit() {
    var lane = new Lane(Promise.NO_LOSS, Shape.APPEND_ONLY).applied(0, 1);
    expect(lane.checked(), 2, 2, "37.50", 0, 0, 3);
    expect(lane.applied(0, 1, 2, 3, 4).committed(5).checked(), 7, 5, "186.95", 2, 0, 0);
  }

  @Test
  void autoCommitWithAHandOverLosesWhatTheCommitOvertook() {
    var lane = new Lane(Promise.NO_LOSS, Shape.APPEND_ONLY).applied(0).committed(5);
    var crashed = lane.checked();
    expect(crashed, 1, 1, "25.50", 0, 4, 0);
    assertThat(crashed.lost()).isEqualTo(ids(1002, 1003, 1004, 1005));
    assertThat(crashed.verdict().promiseKept()).isFalse();
    assertThat(crashed.verdict().why())
        .isEqualTo(
            "4 orders lost: 1002, 1003, 1004 and 1 more; the total is 25.50 instead of 149.45.");
  }

  @Test
  void aBalanceIsOnlyWrong() {
    var lane = new Lane(Promise.NEITHER, Shape.BALANCE).applied(0, 1);
    var crashed = lane.checked();
    assertThat(crashed.sink().total()).isEqualTo("37.50");
    assertThat(crashed.sink().distinct()).isNull();
    assertThat(crashed.counts()).isEqualTo(new Counts(null, null, 5L));
    assertThat(crashed.verdict().promiseKept()).isNull();
    assertThat(crashed.verdict().numberRight()).isNull();

    var restarted = lane.applied(0, 1, 2, 3, 4).committed(5).checked();
    assertThat(restarted.sink().total()).isEqualTo("186.95");
    assertThat(restarted.counts()).isEqualTo(new Counts(null, null, 0L));
    assertThat(restarted.kinds()).isNull();
    assertThat(restarted.recognised()).isNull();
    assertThat(restarted.verdict())
        .isEqualTo(
            new Verdict(
                "no order is lost or applied twice",
                false,
                false,
                "The balance is 186.95 instead of 149.45; a balance cannot show single orders."));
  }

  @Test
  void aBalanceThatAgreesIsRightAndProvesNoPromise() {
    var lane = new Lane(Promise.NEITHER, Shape.BALANCE).applied(0, 1, 2, 3, 4).committed(5);
    assertThat(lane.checked().verdict().promiseKept()).isNull();
    assertThat(lane.checked().verdict().numberRight()).isTrue();
  }

  @Test
  void aProducersRetryIsReSentAndNotReRead() {
    var lane = new Lane(Promise.NEITHER, Shape.APPEND_ONLY);
    FIVE.subList(3, 5).forEach(order -> log.append(0, order));
    // 149.45 + 8.75 + 63.20 = 221.40
    var count = lane.applied(0, 1, 2, 3, 4, 5, 6).committed(7).checked();
    expect(count, 7, 5, "221.40", 2, 0, 0);
    assertThat(count.kinds()).isEqualTo(new Kinds(0, 2, 0));
  }

  @Test
  void aCopyAheadStillSavesAnOrderWhoseFirstRecordWasSkipped() {
    var lane = new Lane(Promise.NO_DUPLICATE, Shape.APPEND_ONLY);
    log.append(0, FIVE.get(1));
    expect(lane.applied(0, 2, 3, 4).committed(5).checked(), 4, 4, "137.45", 0, 0, 1);
    expect(lane.committed(6).checked(), 4, 4, "137.45", 0, 1, 0);
  }

  @Test
  void lastWinsKeepsOtherContentThanTheTruthAndSaysSo() {
    var lane = new Lane(Promise.NEITHER, Shape.KEYED);
    log.append(0, order(1002, "99.00", "2026-01-04T09:15:41Z"));
    // 149.45 - 12.00 + 99.00 = 236.45
    var count = lane.applied(0, 1, 2, 3, 4, 5).committed(6).checked();
    expect(count, 5, 5, "236.45", 0, 0, 0);
    assertThat(count.kinds()).isEqualTo(new Kinds(0, 0, 1));
    assertThat(count.verdict().promiseKept()).isTrue();
    assertThat(count.verdict().numberRight()).isFalse();
    assertThat(lane.running.cells(log.entries(0, 0, 10)))
        .extracting(Cell::outcome)
        .containsExactly(
            Outcome.ONCE,
            Outcome.CHANGED,
            Outcome.ONCE,
            Outcome.ONCE,
            Outcome.ONCE,
            Outcome.CHANGED);
  }

  @Test
  void inAnAppendOnlyTableAConflictIsADuplicateOfThatKind() {
    var lane = new Lane(Promise.NO_LOSS, Shape.APPEND_ONLY);
    log.append(0, order(1002, "99.00", "2026-01-04T09:15:41Z"));
    var count = lane.applied(0, 1, 2, 3, 4, 5).committed(6).checked();
    // 149.45 + 99.00 = 248.45
    expect(count, 6, 5, "248.45", 1, 0, 0);
    assertThat(count.kinds()).isEqualTo(new Kinds(0, 0, 1));
  }
}
