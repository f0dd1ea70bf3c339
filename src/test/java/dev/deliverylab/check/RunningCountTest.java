package dev.deliverylab.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deliverylab.guarantee.Promise;
import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import dev.deliverylab.sink.Shape;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a running count does beside counting: cost, doubt, slices, alerts. */
class RunningCountTest {

  private final LogInMemory log = new LogInMemory(256);
  private final SinkInMemory sink = new SinkInMemory(Shape.APPEND_ONLY);
  private final RunningCount running = new RunningCount(Promise.NO_LOSS, log, sink);

  private LogRecord append(long id) {
    return log.append(
        0, new Order(BigInteger.valueOf(id), new BigDecimal("1.00"), Instant.EPOCH, null));
  }

  private Count refresh(long position) {
    return running.refresh(Map.of(0, position), () -> InHand.NOTHING, false);
  }

  private Recount recount(long position) {
    return running.recount(Map.of(0, position), () -> InHand.NOTHING, false);
  }

  private Count settle(long position) {
    var count = refresh(position);
    while (count.more()) {
      count = refresh(position);
    }
    return count;
  }

  @Test
  void aRefreshAfterOneNewOrderReadsNoMoreInALongExperiment() {
    // The last block has 232 orders of 1,000, and 160 of 100,000; both stay within one block with
    // the new one.
    var shortOne = readAfterOneNewOrder(1_000);
    var longOne = readAfterOneNewOrder(100_000);
    assertThat(longOne.entries()).isPositive().isLessThanOrEqualTo(shortOne.entries());
    assertThat(longOne.rows()).isPositive().isLessThanOrEqualTo(shortOne.rows());
    assertThat(longOne.questions()).isEqualTo(shortOne.questions());
  }

  private record Cost(long entries, long rows, long questions) {}

  private static Cost readAfterOneNewOrder(int orders) {
    var test = new RunningCountTest();
    for (int id = 0; id < orders; id++) {
      test.sink.apply(test.append(id));
    }
    assertThat(test.settle(orders).verdict().numberRight()).isTrue();
    long entries = test.log.entriesRead;
    long rows = test.sink.rowsRead;
    long questions = test.sink.questions;
    test.sink.apply(test.append(orders));
    assertThat(test.refresh(orders + 1).verdict().numberRight()).isTrue();
    return new Cost(
        test.log.entriesRead - entries, test.sink.rowsRead - rows, test.sink.questions - questions);
  }

  @Test
  void aRefreshWithNothingNewReadsNothing() {
    for (int id = 0; id < 1_000; id++) {
      sink.apply(append(id));
    }
    settle(1_000);
    long entries = log.entriesRead;
    long rows = sink.rowsRead;
    refresh(1_000);
    assertThat(log.entriesRead).isEqualTo(entries);
    assertThat(sink.rowsRead).isEqualTo(rows);
  }

  @Test
  void ordersAheadOfALaneThatWroteNothingCostTheSinkNoQuestion() {
    for (int id = 0; id < 1_000; id++) {
      append(id);
    }
    assertThat(settle(0).counts().pending()).isEqualTo(1_000);
    // One question for changes and none for the four blocks.
    assertThat(sink.questions).isEqualTo(1);
  }

  @Test
  void muchThatIsNewComesInSlicesThatClaimNothing() {
    for (int id = 0; id < 100_000; id++) {
      sink.apply(append(id));
    }
    var count = refresh(100_000);
    assertThat(count.more()).isTrue();
    assertThat(count.verdict().promiseKept()).isNull();
    assertThat(count.verdict().numberRight()).isNull();
    assertThat(count.verdict().why()).startsWith("Counting: ");
    // 10,000 changes, and 64 blocks of 256 rows at the most
    assertThat(sink.rowsRead).isLessThanOrEqualTo(10_000 + 64 * 256);
    assertThat(settle(100_000).verdict().numberRight()).isTrue();
    assertThat(recount(100_000).agrees()).isTrue();
  }

  @Test
  void theFirstOrderThatLandsTwiceIsToldOnceAndNeverChanges() {
    var one = append(1);
    var two = append(2);
    sink.apply(one);
    sink.apply(two);
    assertThat(refresh(2).firstDoubled()).isEmpty();
    sink.apply(two);
    sink.apply(one);
    var alarm = refresh(2);
    assertThat(alarm.firstDoubled()).contains(BigInteger.TWO);
    assertThat(alarm.newlyDoubled()).isEqualTo(2);
    sink.apply(one);
    var later = refresh(2);
    assertThat(later.firstDoubled()).contains(BigInteger.TWO);
    assertThat(later.newlyDoubled()).isZero();
    assertThat(later.verdict().why()).startsWith("2 orders applied more than once: 1, 2;");
  }

  @Test
  void listsOfIdsAreBoundedAndFillUpAgainAfterARewind() {
    for (int id = 0; id < 1_000; id++) {
      append(id);
    }
    var lost = settle(1_000);
    assertThat(lost.counts().lost()).isEqualTo(1_000);
    assertThat(lost.lost()).hasSize(Count.IDS).startsWith(BigInteger.ZERO);
    for (int id = 0; id < 50; id++) {
      sink.apply(log.met().get(id).record());
    }
    var fewer = settle(1_000);
    assertThat(fewer.lost()).hasSize(Count.IDS).startsWith(BigInteger.valueOf(50));
    var rewound = settle(300);
    assertThat(rewound.counts()).isEqualTo(new Counts(0L, 250L, 700L));
    assertThat(rewound.lost()).hasSize(Count.IDS).startsWith(BigInteger.valueOf(50));
  }

  @Test
  void aRowThatTheTruthHasNotMetYetIsLeftForTheNextRefresh() {
    sink.apply(append(1));
    log.heldBack = true;
    sink.apply(append(2));
    var behind = refresh(1);
    assertThat(behind.tally().rows()).isEqualTo(1);
    assertThat(behind.tally().strays()).isZero();
    assertThat(behind.verdict().promiseKept()).isNull();
    assertThat(behind.verdict().why()).isEqualTo("The truth is still reading the log.");
    log.heldBack = false;
    assertThat(refresh(2).verdict().numberRight()).isTrue();
  }

  @Test
  void aTruthThatGoesOnDuringARefreshHidesNoRow() {
    log.heldBack = true;
    sink.apply(append(1));
    log.meetsAfterTotals = true;
    // The row was seen, and its order lies beyond the totals of this refresh.
    assertThat(refresh(0).tally()).isEqualTo(Tally.ZERO);
    assertThat(refresh(0).tally().rows()).isEqualTo(1);
  }

  @Test
  void aRowOfAnOrderThatIsNotInTheLogMakesTheNumberWrong() {
    var known = append(1);
    sink.apply(known);
    var other = new Order(BigInteger.TEN, new BigDecimal("5.00"), Instant.EPOCH, null);
    sink.apply(new LogRecord(0, 0, other));
    var count = refresh(1);
    assertThat(count.sink()).isEqualTo(new SinkSummary(2, 2L, new BigDecimal("6.00"), null));
    assertThat(count.verdict().promiseKept()).isTrue();
    assertThat(count.verdict().numberRight()).isFalse();
    assertThat(count.verdict().why())
        .isEqualTo(
            "1 row belongs to an order that is not in the log; the total is 6.00 instead of 1.00.");
    // The order gets into the log after all: no stray any more.
    log.append(0, other);
    assertThat(refresh(2).tally().strays()).isZero();
    assertThat(recount(2).agrees()).isTrue();
  }

  @Test
  void aSinkThatIsDownLeavesNothingButTheQuestionOpen() {
    sink.apply(append(1));
    refresh(1);
    sink.down = true;
    var count = refresh(1);
    assertThat(count.sink()).isNull();
    assertThat(count.counts()).isEqualTo(new Counts(null, null, null));
    assertThat(count.verdict().promiseKept()).isNull();
    assertThat(count.verdict().numberRight()).isNull();
    assertThat(count.verdict().why()).isEqualTo("The sink cannot be read: connection refused.");
    var recount = recount(1);
    assertThat(recount.agrees()).isNull();
    sink.down = false;
    assertThat(refresh(1).verdict().numberRight()).isTrue();
  }

  @Test
  void aSpoiledBlockIsFoundByTheRecount() {
    sink.apply(append(1));
    refresh(1);
    var spoiled = new BlockCount(Tally.ZERO, new BitSet(), new BitSet());
    running.blocks.put(0, spoiled, List.of());
    // The next refresh has no reason to look at the block again.
    assertDoubtAndRepair();
  }

  @Test
  void aChangeThatTheSinkHidesIsFoundByTheRecount() {
    var one = append(1);
    sink.apply(one);
    refresh(1);
    sink.apply(one);
    sink.hideLastChange();
    assertThat(refresh(1).counts().duplicates()).isZero();
    var recount = recount(1);
    assertThat(recount.agrees()).isFalse();
    assertThat(recount.count().counts().duplicates()).isEqualTo(1);
    assertThat(recount.count().newlyDoubled()).isEqualTo(1);
    assertThat(recount.count().verdict().promiseKept()).isNull();
    assertThat(recount(1).agrees()).isTrue();
    assertThat(refresh(1).verdict().numberRight()).isFalse();
  }

  @Test
  void aStrayThatTheSinkHidesIsFoundByTheRecount() {
    sink.apply(append(1));
    refresh(1);
    sink.apply(
        new LogRecord(
            0, 0, new Order(BigInteger.TEN, new BigDecimal("5.00"), Instant.EPOCH, null)));
    sink.hideLastChange();
    assertThat(refresh(1).verdict().numberRight()).isTrue();
    assertDoubtAndRepair();
  }

  private void assertDoubtAndRepair() {
    var recount = recount(1);
    assertThat(recount.agrees()).isFalse();
    assertThat(recount.difference()).startsWith("The recount differs: ");
    assertThat(recount.count().verdict().numberRight()).isNull();
    assertThat(refresh(1).verdict().promiseKept()).isNull();
    assertThat(refresh(1).verdict().why())
        .startsWith("A recount did not agree with the running count: ");
    // The running count took over what was found; trust comes back with a recount that agrees.
    assertThat(recount(1).agrees()).isTrue();
    assertThat(refresh(1).verdict().promiseKept()).isTrue();
  }

  @Test
  void progressThatCannotBeReadLeavesTheVerdictUnknown() {
    var count = running.unreadable("The broker does not answer.");
    assertThat(count.verdict().promiseKept()).isNull();
    assertThat(count.verdict().why()).isEqualTo("The broker does not answer.");
    assertThat(running.latest()).isSameAs(count);
  }

  @Test
  void anEmptyLogIsRightAndEmpty() {
    var count = running.refresh(Map.of(), () -> InHand.NOTHING, false);
    assertThat(count.verdict().promiseKept()).isTrue();
    assertThat(count.verdict().numberRight()).isTrue();
    assertThat(count.verdict().why()).isEqualTo("The log is empty and so is the sink.");
  }
}
