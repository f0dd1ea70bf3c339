package dev.deliverylab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deliverylab.experiment.LaneModel.Crash;
import dev.deliverylab.experiment.LaneModel.End;
import dev.deliverylab.experiment.LaneModel.Gap;
import dev.deliverylab.experiment.LaneModel.Row;
import dev.deliverylab.experiment.LaneModel.State;
import dev.deliverylab.guarantee.Guarantee;
import dev.deliverylab.guarantee.Guarantees;
import dev.deliverylab.guarantee.Step;
import dev.deliverylab.log.Dataset;
import dev.deliverylab.log.LogRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The model itself, held against numbers worked out by hand: five orders of 25.50, 12.00, 40.00,
 * 8.75 and 63.20 (149.45), batches of two.
 */
class LaneModelTest {

  private static final Crash AFTER_EFFECT_1 = new Gap("effect", 1).in(1);
  private static final Crash AFTER_EFFECT_2 = new Gap("effect", 2).in(1);

  private static LaneModel five(String lane) {
    return new LaneModel(lane, 5, 2);
  }

  private static State only(Set<End> ends, boolean crashed) {
    assertThat(ends).hasSize(1);
    End end = ends.iterator().next();
    assertThat(end.crashed()).isEqualTo(crashed);
    return end.state();
  }

  private static State state(@Nullable Long progress, Row... rows) {
    return new State(List.of(rows), progress);
  }

  /** Rows of one life, each written once. */
  private static Row[] rows(int life, long... offsets) {
    return Arrays.stream(offsets).mapToObj(at -> new Row(0, at, life, 1)).toArray(Row[]::new);
  }

  private static Row[] both(Row[] first, Row[] second) {
    List<Row> all = new ArrayList<>(List.of(first));
    all.addAll(List.of(second));
    return all.toArray(Row[]::new);
  }

  static List<LogRecord> fiveOrders() {
    List<LogRecord> log = new ArrayList<>();
    for (var order : Dataset.FIVE_ORDERS.orders()) {
      log.add(new LogRecord(0, log.size(), order));
    }
    return log;
  }

  @Test
  void theLoopsHaveTheStepsThatTheLanesHave() {
    assertThat(LaneModel.lanes()).containsExactlyInAnyOrderElementsOf(Guarantees.names());
    for (Guarantee each : Guarantees.all()) {
      assertThat(LaneModel.steps(each.rule().name()))
          .isEqualTo(each.rule().steps().stream().map(Step::label).toList());
    }
    assertThat(LaneModel.gaps("transactional", 2))
        .extracting(Gap::toString)
        .containsExactly("poll", "begin", "effect 1", "effect 2", "store-offset", "commit-tx");
  }

  @ParameterizedTest
  @CsvSource({"at-least-once", "dedup-on-read", "random-key", "increment-in-place"})
  void effectsBeforeTheCommitAreRepeated(String lane) {
    State crashed = only(five(lane).life(State.EMPTY, 1, AFTER_EFFECT_2), true);
    assertThat(crashed).isEqualTo(state(null, rows(1, 0, 1)));
    State restarted = only(five(lane).life(crashed, 2, null), false);
    assertThat(restarted).isEqualTo(state(5L, both(rows(1, 0, 1), rows(2, 0, 1, 2, 3, 4))));
  }

  @Test
  void atMostOnceHasCommittedWhatItDidNotApply() {
    State crashed = only(five("at-most-once").life(State.EMPTY, 1, AFTER_EFFECT_1), true);
    assertThat(crashed).isEqualTo(state(2L, rows(1, 0)));
    State restarted = only(five("at-most-once").life(crashed, 2, null), false);
    assertThat(restarted).isEqualTo(state(5L, both(rows(1, 0), rows(2, 2, 3, 4))));
  }

  @Test
  void transactionalLeavesNothingOfAnOpenTransaction() {
    for (Gap gap : LaneModel.gaps("transactional", 2)) {
      State crashed = only(five("transactional").life(State.EMPTY, 1, gap.in(1)), true);
      boolean kept = gap.after().equals("commit-tx");
      assertThat(crashed).isEqualTo(kept ? state(2L, rows(1, 0, 1)) : State.EMPTY);
      assertThat(only(five("transactional").life(crashed, 2, null), false).rows())
          .extracting(Row::offset)
          .containsExactly(0L, 1L, 2L, 3L, 4L);
    }
  }

  @Test
  void aKeyMadeOfTheContentMeetsItsRowAgain() {
    Row[] crashed = rows(1, 0, 1);
    State last = only(five("idempotent-key").life(State.EMPTY, 1, AFTER_EFFECT_2), true);
    assertThat(last).isEqualTo(state(null, crashed));
    assertThat(only(five("idempotent-key").life(last, 2, null), false))
        .isEqualTo(
            state(
                5L, both(new Row[] {new Row(0, 0, 2, 2), new Row(0, 1, 2, 2)}, rows(2, 2, 3, 4))));
    State first = only(five("insert-ignore").life(State.EMPTY, 1, AFTER_EFFECT_2), true);
    assertThat(only(five("insert-ignore").life(first, 2, null), false))
        .isEqualTo(
            state(
                5L, both(new Row[] {new Row(0, 0, 1, 2), new Row(0, 1, 1, 2)}, rows(2, 2, 3, 4))));
  }

  @Test
  void anAutoCommitMayHaveArrivedForTheBatchesBeforeTheCrash() {
    Set<End> first = five("auto-commit").life(State.EMPTY, 1, AFTER_EFFECT_2);
    assertThat(first)
        .containsExactlyInAnyOrder(
            new End(true, state(null, rows(1, 0, 1))), new End(true, state(0L, rows(1, 0, 1))));
    Set<End> third = five("auto-commit").life(State.EMPTY, 1, new Gap("poll", null).in(3));
    assertThat(third)
        .extracting(end -> end.state().progress())
        .containsExactlyInAnyOrder(null, 0L, 2L, 4L);
    // Had the lane closed politely in that gap, it would have committed what it had polled.
    assertThat(first).extracting(end -> end.state().progress()).doesNotContain(2L);
    assertThat(five("auto-commit").life(State.EMPTY, 1, null))
        .containsExactly(new End(false, state(5L, rows(1, 0, 1, 2, 3, 4))));
  }

  @Test
  void workHandedOverIsOvertakenByTheCommit() {
    Set<End> worker = five("auto-commit-handoff").life(State.EMPTY, 1, AFTER_EFFECT_1);
    assertThat(worker).extracting(end -> end.state().rows()).containsOnly(List.of(rows(1, 0)));
    assertThat(worker)
        .extracting(end -> end.state().progress())
        .containsExactlyInAnyOrder(null, 0L, 2L, 4L, 5L);
    // 1002 to 1005 are lost where all five were committed: one row, for good.
    State overtaken = state(5L, rows(1, 0));
    assertThat(five("auto-commit-handoff").life(overtaken, 2, null))
        .containsExactly(new End(false, overtaken));
    // The polling thread dies with batch 2 polled: the worker had batch 1 or a part of it.
    Set<End> poller = five("auto-commit-handoff").life(State.EMPTY, 1, new Gap("poll", null).in(2));
    assertThat(poller).extracting(end -> end.state().rows().size()).containsOnly(0, 1, 2);
    assertThat(poller).extracting(end -> end.state().progress()).containsOnly(null, 0L, 2L);
    Set<End> handedOver =
        five("auto-commit-handoff").life(State.EMPTY, 1, new Gap("hand-over", null).in(2));
    assertThat(handedOver).extracting(end -> end.state().rows().size()).containsOnly(0, 1, 2, 3, 4);
  }

  @Test
  void aCrashThatIsNeverReachedLetsTheLifeDrainTheLog() {
    // Batch 3 of five orders has one record, and there is no batch 4.
    for (Crash crash : List.of(new Gap("effect", 2).in(3), new Gap("poll", null).in(4))) {
      assertThat(only(five("at-least-once").life(State.EMPTY, 1, crash), false))
          .isEqualTo(state(5L, rows(1, 0, 1, 2, 3, 4)));
    }
    assertThat(new LaneModel("at-least-once", 0, 2).life(State.EMPTY, 1, AFTER_EFFECT_1))
        .containsExactly(new End(false, State.EMPTY));
    assertThat(new LaneModel("auto-commit", 0, 2).life(State.EMPTY, 1, AFTER_EFFECT_1))
        .containsExactlyInAnyOrder(new End(false, State.EMPTY), new End(false, state(0L)));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // lane, record of the crash; rows, distinct, total, duplicates, lost, kept, right
        "at-least-once, 2, 7, 5, 186.95, 2, 0, true, false",
        "at-most-once, 1, 4, 4, 137.45, 0, 1, true, false",
        "transactional, 2, 5, 5, 149.45, 0, 0, true, true",
        "idempotent-key, 2, 5, 5, 149.45, 0, 0, true, true",
        "insert-ignore, 2, 5, 5, 149.45, 0, 0, true, true",
        "dedup-on-read, 2, 7, 5, 186.95, 0, 0, true, true",
        "random-key, 2, 7, 5, 186.95, 2, 0, false, false",
        "increment-in-place, 2, 1, -, 186.95, -, -, false, false"
      })
  void theFiguresOfFiveOrdersAfterOneCrashAndARestart(
      String lane,
      int record,
      long rows,
      @Nullable Long distinct,
      String total,
      @Nullable Long duplicates,
      @Nullable Long lost,
      boolean kept,
      boolean right) {
    State crashed = only(five(lane).life(State.EMPTY, 1, new Gap("effect", record).in(1)), true);
    State after = only(five(lane).life(crashed, 2, null), false);
    NaiveCount count = NaiveCount.of(lane, fiveOrders(), after.rows(), Map.of(0, 5L));
    assertThat(count.rows()).isEqualTo(rows);
    assertThat(count.distinct()).isEqualTo(distinct);
    assertThat(count.total()).isEqualByComparingTo(total);
    assertThat(count.duplicates()).isEqualTo(duplicates);
    assertThat(count.lost()).isEqualTo(lost);
    assertThat(count.pending()).isZero();
    assertThat(count.promiseKept()).isEqualTo(kept);
    assertThat(count.numberRight()).isEqualTo(right);
  }
}
