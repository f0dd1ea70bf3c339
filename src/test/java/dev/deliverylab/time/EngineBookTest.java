package dev.deliverylab.time;

import static dev.deliverylab.time.TimeLogs.DAY;
import static dev.deliverylab.time.TimeLogs.at;
import static dev.deliverylab.time.TimeLogs.policy;
import static dev.deliverylab.time.TimeLogs.window;
import static org.assertj.core.api.Assertions.assertThat;

import dev.deliverylab.sink.Fate;
import dev.deliverylab.sink.LedgerRow;
import dev.deliverylab.sink.Revision;
import dev.deliverylab.sink.WindowBook;
import dev.deliverylab.sink.WindowRow;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class EngineBookTest {

  private static final Policy TEN_MINUTES =
      new Policy(Duration.ofMinutes(5), Duration.ofMinutes(10), Late.DROP, null, null);

  private final EngineBook book = new EngineBook(3, TEN_MINUTES, 1);

  @Test
  void aWindowIsOpenUntilTheStreamTimeHasPassedItsEndAndTheGrace() {
    TimeLogs log =
        new TimeLogs()
            .order(1002, "12.00", "09:07:00", "09:07:01")
            .order(1006, "1.00", "09:19:59", "09:20:01")
            .order(1007, "2.00", "09:20:00", "09:20:02");
    put(book, TEN_MINUTES, log.records().subList(0, 2));
    assertThat(book.totals())
        .isEqualTo(
            new WindowBook.Totals(2, 2, new BigDecimal("13.00"), new BigDecimal("0.00"), null));
    EngineBook further = new EngineBook(3, TEN_MINUTES, 1);
    put(further, TEN_MINUTES, log.records());
    assertThat(further.totals())
        .isEqualTo(
            new WindowBook.Totals(2, 2, new BigDecimal("15.00"), new BigDecimal("12.00"), 602L));
    assertThat(further.windows(Instant.EPOCH, 10))
        .first()
        .isEqualTo(
            new WindowRow(
                at("09:05:00"),
                at("09:10:00"),
                1,
                new BigDecimal("12.00"),
                Duration.ofSeconds(1),
                1,
                true,
                at("09:20:02")));
    assertThat(further.revisions(Instant.EPOCH, 10))
        .containsExactly(
            new Revision(at("09:05:00"), 1, 1, new BigDecimal("12.00"), at("09:20:02")));
  }

  @Test
  void aResultThatIsSaidAgainAfterARestartIsNoNews() {
    WindowResult result =
        WindowResult.first(
            (ArrivedOrder) TimeLogs.fiveLateEvents().records().get(0),
            Fate.ACCEPTED,
            window("09:00:00", "09:05:00"),
            at("08:54:00"));
    book.add(result);
    book.add(result);
    assertThat(book.sums(0).byFate())
        .isEqualTo(Map.of(Fate.ACCEPTED, new WindowBook.Sum(1, new BigDecimal("25.50"))));
    assertThat(book.ledger(0, 10)).extracting(LedgerRow::seq).containsExactly(1L);
    assertThat(book.ledger(1, 10)).isEmpty();
    assertThat(book.run().number()).isEqualTo(3);
  }

  /** Also the result of a window that nobody knew before it was too late. */
  @Test
  void aRestatedWindowIsPublishedAgain() {
    Policy restate = new Policy(Duration.ofMinutes(5), Duration.ZERO, Late.RESTATE, null, null);
    EngineBook restated = new EngineBook(1, restate, 1);
    put(
        restated,
        restate,
        new TimeLogs()
            .order(1, "12.00", "09:07:00", "09:07:01")
            .order(2, "1.00", "09:20:00", "09:20:01")
            .order(3, "63.20", "09:06:00", "09:41:00")
            .order(4, "2.00", "08:00:00", "09:42:00")
            .records());
    assertThat(restated.revisions(Instant.EPOCH, 10))
        .extracting(each -> each.windowStart() + " " + each.revision() + " " + each.revenue())
        .containsExactly(
            "2026-01-04T08:00:00Z 1 2.00",
            "2026-01-04T09:05:00Z 1 12.00",
            "2026-01-04T09:05:00Z 2 75.20");
    assertThat(restated.windows(Instant.EPOCH, 10))
        .extracting(row -> row.revision() + " " + row.isFinal())
        .containsExactly("1 true", "2 true", "0 false");
    assertThat(restated.late(0, 10)).extracting(LedgerRow::seq).containsExactly(3L, 4L);
    assertThat(restated.late(3, 10)).extracting(LedgerRow::seq).containsExactly(4L);
  }

  /** Whatever comes: the same sums as judging the log, and each order is in one line. */
  @Property(tries = 200)
  void addsUpToWhatTheLogHolds(
      @ForAll("logs") TimeLogs log, @ForAll @IntRange(max = 5) int bound, @ForAll Late late) {
    Policy policy = new Policy(Duration.ofSeconds(10), Duration.ofSeconds(bound), late, null, null);
    EngineBook sums = new EngineBook(1, policy, 3);
    put(sums, policy, log.records());
    List<Judgement> judged = TimeLogs.judge(LateRule.STREAMS_WINDOW, policy, 3, log);
    Map<Fate, Long> fates = new TreeMap<>();
    BigDecimal counted = new BigDecimal("0.00");
    for (Judgement each : judged) {
      if (each.record() instanceof ArrivedOrder order) {
        fates.merge(each.fate(), 1L, Long::sum);
        counted =
            each.fate() == Fate.ACCEPTED || each.fate() == Fate.RESTATED
                ? counted.add(order.order().amount())
                : counted;
      }
    }
    Map<Fate, Long> found = new TreeMap<>();
    sums.sums(0).byFate().forEach((fate, sum) -> found.put(fate, sum.events()));
    assertThat(found).isEqualTo(fates);
    assertThat(sums.totals().emitted()).isEqualByComparingTo(counted);
    assertThat(sums.windows(Instant.EPOCH, 1000).stream().mapToLong(WindowRow::events).sum())
        .isEqualTo(fates.getOrDefault(Fate.ACCEPTED, 0L) + fates.getOrDefault(Fate.RESTATED, 0L));
    Instant watermark = Seen.parse(sums.run().state(), 3).watermark();
    assertThat(sums.windows(Instant.EPOCH, 1000))
        .allSatisfy(
            row ->
                assertThat(row.isFinal())
                    .isEqualTo(new Window(row.start(), row.end()).passedBy(watermark)));
  }

  @Provide
  Arbitrary<TimeLogs> logs() {
    return TimeLogs.any(3);
  }

  /** What the topology would have put out for these records. */
  private static void put(EngineBook book, Policy policy, List<TimeRecord> records) {
    Map<List<Object>, WindowResult> windows = new java.util.HashMap<>();
    Seen seen = Seen.nothing(3);
    for (TimeRecord record : records) {
      seen = seen.after(record, LateRule.STREAMS_WINDOW, policy);
      Judgement judged = LateRule.STREAMS_WINDOW.judge(record, seen, policy);
      if (!(record instanceof ArrivedOrder order)) {
        continue;
      }
      if (judged.fate() == Fate.DROPPED || judged.fate() == Fate.SIDE) {
        book.add(judged);
      } else {
        book.add(
            windows.merge(
                List.of(order.partition(), judged.window()),
                WindowResult.first(order, judged.fate(), judged.window(), judged.watermark()),
                (before, now) -> before.plus(order, judged.fate(), judged.watermark())));
      }
    }
  }

  @Test
  void thePolicyOfTheRunIsSaid() {
    assertThat(Policy.parse(book.run().policy())).isEqualTo(TEN_MINUTES);
    assertThat(book.run().state()).isEmpty();
    put(book, TEN_MINUTES, new TimeLogs().order(0, 1, "1.00", DAY, DAY).records());
    assertThat(Seen.parse(book.run().state(), 1).watermark())
        .isEqualTo(DAY.minus(policy(300, 600).bound()));
  }
}
