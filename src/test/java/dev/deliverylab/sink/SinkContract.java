package dev.deliverylab.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What every database must do as a sink. One subclass for each. */
abstract class SinkContract {

  private static final Set<Shape> OF_ORDERS = EnumSet.complementOf(EnumSet.of(Shape.WINDOWS));

  private static final Instant NOON = Instant.parse("2026-01-04T12:00:00Z");
  private static final Instant T = Instant.parse("2026-01-04T09:14:02.123456Z");
  private static final String PREFIX = "contract_lab_";
  private static final long EXPERIMENT = 7;

  private Sinks sinks;
  private final List<SinkTable.Connected> lives = new ArrayList<>();

  abstract SinkAddress address();

  @BeforeEach
  void open() {
    sinks = Sinks.at(address(), PREFIX, Clock.fixed(NOON, ZoneOffset.UTC));
    sinks.experiments().forEach(sinks::drop);
    sinks.windowLogs().forEach(sinks::dropWindows);
  }

  @AfterEach
  void leaveNothing() {
    lives.forEach(life -> life.sink().close());
    sinks.experiments().forEach(sinks::drop);
    sinks.windowLogs().forEach(sinks::dropWindows);
    jdbc().sql("DROP TABLE " + PREFIX + "tables").update();
    jdbc().sql("DROP TABLE " + PREFIX + "offsets").update();
    sinks.close();
  }

  @Test
  void anAppendIsReadBackAsItWasWritten() {
    SinkTable table = sinks.open(EXPERIMENT, "at-least-once", Shape.APPEND_ONLY);
    live(table, 3).append(record(1, 41, order(1001, "25.5", T, "Ada <b>")));

    assertThat(table.page(0, 10, false))
        .containsExactly(
            new SinkRow(
                1,
                1,
                "orders:1001",
                BigInteger.valueOf(1001),
                new BigDecimal("25.50"),
                T,
                "Ada <b>",
                1,
                41,
                NOON,
                3,
                1));
  }

  @Test
  void aSecondAppendIsASecondRow() {
    SinkTable table = sinks.open(EXPERIMENT, "at-least-once", Shape.APPEND_ONLY);
    Sink sink = live(table, 1);
    sink.append(record(0, 0, order(1001, "25.50")));
    sink.append(record(0, 0, order(1001, "25.50")));

    List<SinkRow> rows = table.rowsOf(List.of(BigInteger.valueOf(1001)));
    assertThat(rows).hasSize(2).isSortedAccordingTo(Comparator.comparingLong(SinkRow::row));
    assertThat(rows).allSatisfy(row -> assertThat(row.writes()).isEqualTo(1));
  }

  @Test
  void theLastUpsertWinsAndKeepsTheRow() {
    SinkTable table = sinks.open(EXPERIMENT, "idempotent-key", Shape.KEYED);
    Sink first = live(table, 1);
    first.upsert("orders:1001", record(0, 0, order(1001, "25.50", T, "Ada")));
    first.upsert("orders:1002", record(0, 1, order(1002, "12.00")));
    Sink second = live(table, 2);
    second.upsert("orders:1001", record(1, 5, order(1001, "99.00", T.plusSeconds(1), null)));

    List<SinkRow> rows = table.page(0, 10, false);
    assertThat(rows).extracting(SinkRow::key).containsExactly("orders:1001", "orders:1002");
    SinkRow row = rows.get(0);
    assertThat(row.amount()).isEqualByComparingTo("99.00");
    assertThat(row.eventTime()).isEqualTo(T.plusSeconds(1));
    assertThat(row.customer()).isNull();
    assertThat(row.partition()).isEqualTo(1);
    assertThat(row.offset()).isEqualTo(5);
    assertThat(row.life()).isEqualTo(2);
    assertThat(row.writes()).isEqualTo(2);
    assertThat(row.change()).isGreaterThan(rows.get(1).change());
  }

  @Test
  void anUpsertIsOnlyAsGoodAsItsKey() {
    SinkTable table = sinks.open(EXPERIMENT, "random-key", Shape.KEYED);
    Sink sink = live(table, 1);
    sink.upsert("orders:1001#a", record(0, 0, order(1001, "25.50")));
    sink.upsert("orders:1001#b", record(0, 0, order(1001, "25.50")));

    assertThat(table.rowsOf(List.of(BigInteger.valueOf(1001)))).hasSize(2);
  }

  @Test
  void theFirstInsertWinsAndTheSecondIsCounted() {
    SinkTable table = sinks.open(EXPERIMENT, "insert-ignore", Shape.FIRST_WINS);
    Sink first = live(table, 1);
    first.insertUnlessKnown(record(0, 0, order(1001, "25.50", T, "Ada")));
    SinkRow before = table.page(0, 1, false).get(0);
    live(table, 2).insertUnlessKnown(record(1, 9, order(1001, "99.00", T.plusSeconds(1), null)));

    SinkRow after = table.page(0, 10, false).get(0);
    assertThat(after)
        .usingRecursiveComparison()
        .ignoringFields("change", "writes")
        .isEqualTo(before);
    assertThat(after.writes()).isEqualTo(2);
    assertThat(after.change()).isGreaterThan(before.change());
  }

  @Test
  void aBalanceAddsAndLeavesNothingToCount() {
    SinkTable table = sinks.open(EXPERIMENT, "increment-in-place", Shape.BALANCE);
    Sink sink = live(table, 1);
    sink.add(record(0, 0, order(1001, "25.50")));
    sink.add(record(0, 0, order(1001, "25.50")));
    sink.add(record(0, 1, order(1002, "-1.25", T, "Ada")));

    assertThat(table.balances())
        .isEqualTo(Map.of("all", new BigDecimal("51.00"), "Ada", new BigDecimal("-1.25")));
    assertThat(table.page(0, 10, false)).isEmpty();
    assertThat(table.changedAfter(0, 10)).isEmpty();
    assertThat(table.rowsOf(List.of(BigInteger.valueOf(1001)))).isEmpty();
  }

  @Test
  void idsThatADoubleWouldRoundStayApart() {
    SinkTable table = sinks.open(EXPERIMENT, "idempotent-key", Shape.KEYED);
    Sink sink = live(table, 1);
    List<BigInteger> ids =
        List.of(
            new BigInteger("9007199254740992"),
            new BigInteger("9007199254740993"),
            new BigInteger("9223372036854775807"),
            new BigInteger("18446744073709551616"),
            new BigInteger("9".repeat(Order.MAX_DIGITS)));
    for (BigInteger id : ids) {
      LogRecord record = record(0, 0, new Order(id, new BigDecimal("1.00"), T, null));
      sink.upsert(record.order().eventId(), record);
    }

    assertThat(table.page(0, 10, false)).extracting(SinkRow::orderId).isEqualTo(ids);
    assertThat(table.rowsOf(ids)).extracting(SinkRow::orderId).isEqualTo(ids);
    assertThat(table.rowsOf(List.of(ids.get(1))))
        .extracting(SinkRow::key)
        .containsExactly("orders:9007199254740993");
  }

  @Test
  void theEdgesOfAnOrderFit() {
    SinkTable table = sinks.open(EXPERIMENT, "at-least-once", Shape.APPEND_ONLY);
    Sink sink = live(table, 1);
    Instant last = Instant.parse("9999-12-31T23:59:59.999999Z");
    sink.append(record(0, 0, order(0, "-99999999.99", Instant.EPOCH, "é".repeat(200))));
    sink.append(record(15, Long.MAX_VALUE - 1, order(1, "99999999.99", last, null)));

    assertThat(table.page(0, 10, false))
        .extracting(SinkRow::eventTime)
        .containsExactly(Instant.EPOCH, last);
  }

  @Test
  void aShapeRefusesTheWritesOfAnother() {
    Sink sink = live(sinks.open(EXPERIMENT, "at-least-once", Shape.APPEND_ONLY), 1);

    assertThatIllegalStateException().isThrownBy(() -> sink.add(record(0, 0, order(1, "1.00"))));
    assertThatIllegalStateException()
        .isThrownBy(() -> sink.upsert("k", record(0, 0, order(1, "1.00"))));
    assertThatIllegalStateException()
        .isThrownBy(() -> sink.insertUnlessKnown(record(0, 0, order(1, "1.00"))));
    assertThatIllegalStateException()
        .isThrownBy(() -> sinks.open(EXPERIMENT, "at-least-once", Shape.KEYED));
  }

  @Test
  void rowsAndPositionAreKeptTogether() {
    SinkTable table = sinks.open(EXPERIMENT, "transactional", Shape.APPEND_ONLY);
    Sink sink = live(table, 1);
    List<LogRecord> batch =
        List.of(
            record(0, 4, order(1, "1.00")),
            record(1, 0, order(2, "1.00")),
            record(0, 5, order(3, "1.00")));
    sink.begin();
    batch.forEach(sink::append);
    sink.storeOffset(batch);
    assertThat(table.page(0, 10, false)).isEmpty();
    assertThat(table.storedOffsets()).isEmpty();

    sink.commit();
    assertThat(table.page(0, 10, false)).hasSize(3);
    assertThat(table.storedOffsets()).isEqualTo(Map.of(0, 6L, 1, 1L));

    sink.begin();
    sink.storeOffset(List.of(record(0, 6, order(4, "1.00"))));
    sink.commit();
    assertThat(table.storedOffsets()).isEqualTo(Map.of(0, 7L, 1, 1L));
  }

  @Test
  void aPositionIsStoredInATransactionOnly() {
    Sink sink = live(sinks.open(EXPERIMENT, "transactional", Shape.APPEND_ONLY), 1);

    assertThatIllegalStateException()
        .isThrownBy(() -> sink.storeOffset(List.of(record(0, 0, order(1, "1.00")))));
    assertThatIllegalStateException().isThrownBy(sink::commit);
    sink.begin();
    assertThatIllegalStateException().isThrownBy(sink::begin);
  }

  @Test
  void aRewindMovesWhatItNamesAndNothingElse() {
    SinkTable table = sinks.open(EXPERIMENT, "transactional", Shape.APPEND_ONLY);
    SinkTable other = sinks.open(EXPERIMENT + 1, "transactional", Shape.APPEND_ONLY);
    other.rewind(Map.of(0, 50L));
    table.rewind(Map.of(0, 5L, 1, 3L));
    table.rewind(Map.of(0, 0L));

    assertThat(table.storedOffsets()).isEqualTo(Map.of(0, 0L, 1, 3L));
    assertThat(other.storedOffsets()).isEqualTo(Map.of(0, 50L));
  }

  @Test
  void aCutInAnOpenTransactionLeavesNothing() {
    SinkTable table = sinks.open(EXPERIMENT, "transactional", Shape.APPEND_ONLY);
    SinkTable.Connected life = connect(table, 1);
    LogRecord record = record(0, 0, order(1001, "25.50"));
    life.sink().begin();
    life.sink().append(record);
    life.sink().storeOffset(List.of(record));
    life.cut();

    assertThat(table.page(0, 10, false)).isEmpty();
    assertThat(table.storedOffsets()).isEmpty();
    // Nothing is locked either: the next life does the same work at once.
    Sink next = live(table, 2);
    next.begin();
    next.append(record);
    next.storeOffset(List.of(record));
    next.commit();
    assertThat(table.page(0, 10, false)).hasSize(1);
  }

  /** Control: were everything of a cut life to vanish, the test above would prove nothing. */
  @Test
  void aCutAfterTheCommitLeavesTheRows() {
    SinkTable table = sinks.open(EXPERIMENT, "transactional", Shape.APPEND_ONLY);
    SinkTable.Connected life = connect(table, 1);
    LogRecord record = record(0, 0, order(1001, "25.50"));
    life.sink().begin();
    life.sink().append(record);
    life.sink().storeOffset(List.of(record));
    life.sink().commit();
    life.cut();

    assertThat(table.page(0, 10, false)).hasSize(1);
    assertThat(table.storedOffsets()).isEqualTo(Map.of(0, 1L));
  }

  @Test
  void nothingIsWrittenAfterACut() {
    SinkTable table = sinks.open(EXPERIMENT, "at-least-once", Shape.APPEND_ONLY);
    SinkTable.Connected life = connect(table, 1);
    life.sink().append(record(0, 0, order(1001, "25.50")));
    life.cut();

    assertThatThrownBy(() -> life.sink().append(record(0, 1, order(1002, "12.00"))))
        .isInstanceOf(SinkUnreachable.class);
    assertThatThrownBy(() -> life.sink().begin()).isInstanceOf(SinkUnreachable.class);
    life.sink().close();
    life.cut();
    assertThat(table.page(0, 10, false)).hasSize(1);
  }

  @Test
  void aCutInMidWriteLeavesWhatWasAcknowledgedAndAtMostOneMore() throws Exception {
    SinkTable table = sinks.open(EXPERIMENT, "at-least-once", Shape.APPEND_ONLY);
    SinkTable.Connected life = connect(table, 1);
    CountDownLatch busy = new CountDownLatch(50);
    Future<Integer> acknowledged =
        inThread(
            () -> {
              int count = 0;
              try {
                while (true) {
                  life.sink().append(record(0, count, order(count, "1.00")));
                  count++;
                  busy.countDown();
                }
              } catch (SinkUnreachable cut) {
                return count;
              }
            });
    busy.await();
    life.cut();
    int rows = table.page(0, 1_000_000, false).size();

    assertThat(rows).isBetween(acknowledged.get(), acknowledged.get() + 1);
    assertThat(table.page(0, 1_000_000, false)).hasSize(rows);
  }

  @Test
  void anInterruptedThreadCanCutAndStaysInterrupted() {
    SinkTable table = sinks.open(EXPERIMENT, "transactional", Shape.APPEND_ONLY);
    SinkTable.Connected life = connect(table, 1);
    life.sink().begin();
    life.sink().append(record(0, 0, order(1001, "25.50")));
    Thread.currentThread().interrupt();
    life.cut();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(table.page(0, 10, false)).isEmpty();
  }

  @Test
  void aPoliteEndRollsBackWhatIsOpenAndEndsTheSession() {
    SinkTable table = sinks.open(EXPERIMENT, "transactional", Shape.APPEND_ONLY);
    Sink sink = live(table, 1);
    sink.append(record(0, 0, order(1001, "25.50")));
    sink.begin();
    sink.append(record(0, 1, order(1002, "12.00")));
    sink.close();
    sink.close();

    assertThat(table.page(0, 10, false)).hasSize(1);
    assertThatThrownBy(sink::begin).isInstanceOf(SinkUnreachable.class);
  }

  @Test
  void changesComeInOrderAndEachOnce() {
    SinkTable table = sinks.open(EXPERIMENT, "idempotent-key", Shape.KEYED);
    Sink sink = live(table, 1);
    for (int id : new int[] {1, 2, 3, 1, 4, 2}) {
      LogRecord record = record(0, id, order(id, "1.00"));
      sink.upsert(record.order().eventId(), record);
    }

    List<SinkRow> first = table.changedAfter(0, 3);
    assertThat(first).extracting(row -> row.orderId().intValue()).containsExactly(3, 1, 4);
    List<SinkRow> rest = table.changedAfter(first.get(2).change(), 3);
    assertThat(rest).extracting(row -> row.orderId().intValue()).containsExactly(2);
    assertThat(table.changedAfter(rest.get(0).change(), 3)).isEmpty();
  }

  @Test
  void changesOfAnAppendTableAreItsRows() {
    SinkTable table = sinks.open(EXPERIMENT, "at-least-once", Shape.APPEND_ONLY);
    Sink sink = live(table, 1);
    LongStream.range(0, 5).forEach(id -> sink.append(record(0, id, order(id, "1.00"))));

    List<SinkRow> first = table.changedAfter(0, 3);
    assertThat(first).hasSize(3).allSatisfy(row -> assertThat(row.change()).isEqualTo(row.row()));
    assertThat(table.changedAfter(first.get(2).change(), 3)).hasSize(2);
    assertThat(table.page(first.get(1).row(), 2, false))
        .extracting(row -> row.orderId().intValue())
        .containsExactly(2, 3);
  }

  @Test
  void rowsOfManyOrdersAreFoundInChunks() {
    SinkTable table = sinks.open(EXPERIMENT, "at-least-once", Shape.APPEND_ONLY);
    Sink sink = live(table, 1);
    sink.begin();
    LongStream.range(0, 600).forEach(id -> sink.append(record(0, id, order(600 - id, "1.00"))));
    sink.commit();
    List<BigInteger> asked = LongStream.range(0, 2_000).mapToObj(BigInteger::valueOf).toList();

    assertThat(table.rowsOf(asked))
        .hasSize(600)
        .isSortedAccordingTo(Comparator.comparingLong(SinkRow::row));
    assertThat(table.rowsOf(List.of(BigInteger.ONE, BigInteger.ONE))).hasSize(1);
    assertThat(table.rowsOf(List.of())).isEmpty();
  }

  @Test
  void theViewShowsTheNewestEventTime() {
    SinkTable table = sinks.open(EXPERIMENT, "dedup-on-read", Shape.DEDUPLICATED_ON_READ);
    Sink sink = live(table, 1);
    sink.append(record(0, 0, order(1001, "25.50", T, null)));
    sink.append(record(0, 1, order(1002, "12.00", T, null)));
    sink.append(record(0, 2, order(1001, "30.00", T.plusSeconds(1), null)));
    sink.append(record(0, 3, order(1002, "99.00", T.minusSeconds(1), null)));

    assertThat(table.page(0, 10, true))
        .extracting(row -> row.orderId() + " " + row.amount())
        .containsExactly("1002 12.00", "1001 30.00");
    assertThat(table.page(0, 10, false)).hasSize(4);
  }

  @Test
  void equalEventTimesAreSettledByTheLogAndAReplayChangesNothing() {
    SinkTable table = sinks.open(EXPERIMENT, "dedup-on-read", Shape.DEDUPLICATED_ON_READ);
    Sink sink = live(table, 1);
    LogRecord a = record(0, 0, order(1001, "25.50"));
    LogRecord b = record(0, 1, order(1001, "30.00"));
    sink.append(a);
    sink.append(b);
    List<SinkRow> before = table.page(0, 10, true);
    assertThat(before).extracting(SinkRow::row).hasSize(1);
    assertThat(before.get(0).amount()).isEqualByComparingTo("30.00");

    sink.append(a);
    assertThat(table.page(0, 10, true)).isEqualTo(before);
    sink.append(b);
    assertThat(table.page(0, 10, true)).isEqualTo(before);
  }

  @Test
  void theViewIsPagedLikeTheTable() {
    SinkTable table = sinks.open(EXPERIMENT, "dedup-on-read", Shape.DEDUPLICATED_ON_READ);
    Sink sink = live(table, 1);
    Random random = new Random(42);
    sink.begin();
    for (int offset = 0; offset < 200; offset++) {
      Instant time = T.plusSeconds(random.nextInt(4));
      sink.append(record(0, offset / 2, order(random.nextInt(40), "1.00", time, null)));
    }
    sink.commit();
    List<SinkRow> inOne = table.page(0, 1000, true);
    List<SinkRow> paged = new ArrayList<>();
    for (List<SinkRow> page = table.page(0, 7, true);
        !page.isEmpty();
        page = table.page(page.get(page.size() - 1).row(), 7, true)) {
      paged.addAll(page);
    }

    assertThat(paged).isEqualTo(inOne);
    assertThat(inOne).extracting(SinkRow::orderId).doesNotHaveDuplicates();
    List<SinkRow> expected =
        table.page(0, 1000, false).stream()
            .collect(
                java.util.stream.Collectors.toMap(
                    SinkRow::orderId,
                    row -> row,
                    java.util.function.BinaryOperator.minBy(SinkRow.AS_THE_VIEW_PREFERS)))
            .values()
            .stream()
            .sorted(Comparator.comparingLong(SinkRow::row))
            .toList();
    assertThat(inOne).isEqualTo(expected);
  }

  @Test
  void anExperimentOpenedAgainHasItsRows() {
    SinkTable table = sinks.open(EXPERIMENT, "at-least-once", Shape.APPEND_ONLY);
    live(table, 1).append(record(0, 0, order(1001, "25.50")));
    try (Sinks again = Sinks.at(address(), PREFIX, Clock.systemUTC())) {
      SinkTable reopened = again.open(EXPERIMENT, "at-least-once", Shape.APPEND_ONLY);
      assertThat(reopened.page(0, 10, false)).hasSize(1);
    }
  }

  @Test
  void aDropTakesOneExperimentAndNothingElse() {
    for (Shape shape : OF_ORDERS) {
      sinks.open(1, lane(shape), shape).rewind(Map.of(0, 9L));
      sinks.open(11, lane(shape), shape).rewind(Map.of(0, 9L));
    }
    jdbc().sql("CREATE TABLE " + PREFIX + "1_mine (x INT)").update();
    jdbc().sql("CREATE TABLE contract_other (x INT)").update();
    try {
      assertThat(sinks.experiments()).containsExactly(1L, 11L);
      sinks.drop(1);
      assertThat(sinks.experiments()).containsExactly(11L);
      assertThat(jdbc().sql("SELECT x FROM " + PREFIX + "1_mine").query().listOfRows()).isEmpty();
      assertThat(jdbc().sql("SELECT x FROM contract_other").query().listOfRows()).isEmpty();
      for (Shape shape : OF_ORDERS) {
        assertThat(sinks.open(11, lane(shape), shape).storedOffsets()).containsEntry(0, 9L);
        assertThat(sinks.open(1, lane(shape), shape).storedOffsets()).isEmpty();
      }
      assertThatIllegalStateException()
          .isThrownBy(() -> sinks.open(1, "mine", Shape.APPEND_ONLY))
          .withMessageContaining("did not create");
    } finally {
      jdbc().sql("DROP TABLE " + PREFIX + "1_mine").update();
      jdbc().sql("DROP TABLE contract_other").update();
    }
  }

  /** Case C23: eight connections meet each new key at the same time. */
  @Test
  void eightWritersOfOneKeyMakeOneRow() throws Exception {
    SinkTable keyed = sinks.open(EXPERIMENT, "idempotent-key", Shape.KEYED);
    SinkTable first = sinks.open(EXPERIMENT, "insert-ignore", Shape.FIRST_WINS);
    SinkTable balance = sinks.open(EXPERIMENT, "increment-in-place", Shape.BALANCE);
    int keys = 1_000;
    int writers = 8;
    List<Callable<@Nullable Void>> work = new ArrayList<>();
    for (int writer = 1; writer <= writers; writer++) {
      Sink upserting = live(keyed, writer);
      Sink inserting = live(first, writer);
      Sink adding = live(balance, writer);
      List<Integer> shuffled = new ArrayList<>();
      for (int key = 0; key < keys; key++) {
        // Nearly in order, so that the writers do meet.
        shuffled.add(key);
      }
      for (int from = 0; from < keys; from += 10) {
        Collections.shuffle(shuffled.subList(from, from + 10), new Random(writer));
      }
      work.add(
          () -> {
            for (int key : shuffled) {
              LogRecord record = record(0, key, order(key, "1.00", T, "customer-" + key % 100));
              upserting.upsert(record.order().eventId(), record);
              inserting.insertUnlessKnown(record);
              adding.add(record);
            }
            return null;
          });
    }
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    try {
      for (Future<?> done : threads.invokeAll(work)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }

    for (SinkTable table : List.of(keyed, first)) {
      assertThat(table.page(0, keys + 1, false))
          .hasSize(keys)
          .allSatisfy(row -> assertThat(row.writes()).isEqualTo(writers));
    }
    assertThat(balance.balances())
        .hasSize(100)
        .allSatisfy((account, total) -> assertThat(total).isEqualByComparingTo("80.00"));
  }

  @Test
  void itSaysThatItIsThere() {
    assertThat(sinks.available()).isTrue();
  }

  @Test
  void anAddressThatNobodyAnswersIsSaidInWords() throws Exception {
    SinkAddress nobody =
        new SinkAddress(
            address().url().replaceFirst(":\\d+/", ":" + freePort() + "/"), "lab", "secret-word");
    try (Sinks dead = Sinks.at(nobody, PREFIX, Clock.systemUTC())) {
      assertThat(dead.available()).isFalse();
      assertThatThrownBy(() -> dead.open(1, "at-least-once", Shape.APPEND_ONLY))
          .isInstanceOf(SinkUnreachable.class)
          .hasMessageContaining("does not answer")
          .hasMessageNotContaining("secret-word");
    }
  }

  private JdbcClient jdbc() {
    return JdbcClient.create(
        new DriverManagerDataSource(address().url(), address().user(), address().password()));
  }

  private Sink live(SinkTable table, int life) {
    return connect(table, life).sink();
  }

  private SinkTable.Connected connect(SinkTable table, int life) {
    SinkTable.Connected connected = table.connect(life);
    lives.add(connected);
    return connected;
  }

  private static int freePort() throws Exception {
    try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static <T> Future<T> inThread(Callable<T> work) {
    java.util.concurrent.FutureTask<T> task = new java.util.concurrent.FutureTask<>(work);
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  private static String lane(Shape shape) {
    return shape.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }

  static LogRecord record(int partition, long offset, Order order) {
    return new LogRecord(partition, offset, order);
  }

  static Order order(long id, String amount) {
    return order(id, amount, T, null);
  }

  static Order order(long id, String amount, Instant time, @Nullable String customer) {
    return new Order(BigInteger.valueOf(id), new BigDecimal(amount), time, customer);
  }

  // --- windows ---

  private static final Instant NINE = Instant.parse("2026-01-04T09:00:00Z");
  private static final Instant FIVE_PAST = NINE.plusSeconds(300);
  private static final Instant TEN_PAST = NINE.plusSeconds(600);

  private static LedgerRow line(long offset, long orderId, Fate fate) {
    Order order = fate == Fate.CLOCK ? null : order(orderId, "10.00", T, "Ada <b>");
    return new LedgerRow(
        0,
        0,
        offset,
        T,
        order,
        order == null ? null : NINE,
        order == null ? null : FIVE_PAST,
        fate == Fate.ACCEPTED ? null : TEN_PAST,
        fate);
  }

  private static void take(WindowSink sink, long offset, long orderId) {
    sink.enter(line(offset, orderId, Fate.ACCEPTED));
    sink.count(NINE, FIVE_PAST, new BigDecimal("10.00"), Duration.ofSeconds(offset), false);
  }

  /** Two orders of 10.00 in the first window, one of them 1 s late; then it closes. */
  private static void twoAndAClose(WindowSink sink) {
    sink.begin();
    take(sink, 0, 1);
    take(sink, 1, 2);
    sink.closeUpTo(FIVE_PAST, TEN_PAST);
    sink.saveState("seen");
    sink.storeOffset(List.of(record(0, 1, order(2, "10.00"))));
    sink.commit();
  }

  @Test
  void aWindowIsCountedClosedAndRestated() {
    WindowTable table = sinks.openWindows(EXPERIMENT, "per-record");
    var life = table.connect(1);
    try (WindowSink sink = life.sink()) {
      twoAndAClose(sink);
      WindowRow closed =
          new WindowRow(
              NINE,
              FIVE_PAST,
              2,
              new BigDecimal("20.00"),
              Duration.ofSeconds(1),
              1,
              true,
              TEN_PAST);
      assertThat(table.windows(Instant.EPOCH, 10)).containsExactly(closed);

      sink.begin();
      sink.enter(line(2, 3, Fate.RESTATED));
      sink.restate(NINE, FIVE_PAST, new BigDecimal("5.50"), Duration.ofSeconds(9), TEN_PAST, true);
      sink.enter(line(3, 4, Fate.DROPPED));
      sink.enter(line(4, 0, Fate.CLOCK));
      sink.commit();
    }
    assertThat(table.revisions(Instant.EPOCH, 10))
        .containsExactly(
            new Revision(NINE, 1, 2, new BigDecimal("20.00"), TEN_PAST),
            new Revision(NINE, 2, 3, new BigDecimal("25.50"), TEN_PAST));
    assertThat(table.totals())
        .isEqualTo(
            new WindowBook.Totals(0, 0, new BigDecimal("25.50"), new BigDecimal("25.50"), 300L));
    assertThat(table.late(0, 10))
        .extracting(LedgerRow::fate)
        .containsExactly(Fate.RESTATED, Fate.DROPPED);
    assertThat(table.ledger(0, 10)).hasSize(5);
    LedgerRow first = table.ledger(0, 1).get(0);
    assertThat(first)
        .isEqualTo(
            new LedgerRow(
                first.seq(),
                0,
                0,
                T,
                order(1, "10.00", T, "Ada <b>"),
                NINE,
                FIVE_PAST,
                null,
                Fate.ACCEPTED));
    WindowBook.Ledger sums = table.sums(0);
    assertThat(sums.byFate().get(Fate.ACCEPTED))
        .isEqualTo(new WindowBook.Sum(2, new BigDecimal("20.00")));
    assertThat(table.sums(sums.upTo()).byFate()).isEmpty();
    assertThat(table.run().state()).isEqualTo("seen");
    assertThat(table.storedOffsets()).containsExactly(Map.entry(0, 2L));
  }

  @Test
  void aCutLeavesNothingOfAnOpenTransactionInAnyOfTheTables() {
    WindowTable table = sinks.openWindows(EXPERIMENT, "per-record");
    var life = table.connect(1);
    life.sink().begin();
    take(life.sink(), 0, 1);
    life.sink().closeUpTo(FIVE_PAST, TEN_PAST);
    life.sink().saveState("seen");
    life.sink().storeOffset(List.of(record(0, 0, order(1, "10.00"))));
    life.cut();

    assertThat(table.ledger(0, 10)).isEmpty();
    assertThat(table.windows(Instant.EPOCH, 10)).isEmpty();
    assertThat(table.revisions(Instant.EPOCH, 10)).isEmpty();
    assertThat(table.run().state()).isEmpty();
    assertThat(table.storedOffsets()).isEmpty();
  }

  /** If position and state ever parted, a record would come a second time. */
  @Test
  void theLedgerRefusesARecordThatIsInIt() {
    WindowTable table = sinks.openWindows(EXPERIMENT, "per-record");
    try (WindowSink sink = table.connect(1).sink()) {
      twoAndAClose(sink);
      sink.begin();
      assertThatIllegalStateException()
          .isThrownBy(() -> sink.enter(line(1, 2, Fate.ACCEPTED)))
          .withMessageContaining("0@1");
    }
    assertThat(table.ledger(0, 10)).hasSize(2);
  }

  @Test
  void aNewRunCountsAgainWhatLiesBelowTheNewPosition() {
    WindowTable table = sinks.openWindows(EXPERIMENT, "per-record");
    try (WindowSink sink = table.connect(1).sink()) {
      twoAndAClose(sink);
    }
    table.beginRun(
        Map.of(0, 1L),
        "policy",
        sink ->
            lines -> {
              for (LedgerRow line : lines) {
                sink.enter(line);
                sink.count(NINE, FIVE_PAST, new BigDecimal("10.00"), Duration.ZERO, true);
              }
              sink.saveState("again");
            });
    assertThat(table.run().number()).isEqualTo(2);
    assertThat(table.run().policy()).isEqualTo("policy");
    assertThat(table.run().state()).isEqualTo("again");
    assertThat(table.storedOffsets()).containsExactly(Map.entry(0, 1L));
    assertThat(table.ledger(0, 10)).extracting(LedgerRow::offset).containsExactly(0L);
    assertThat(table.revisions(Instant.EPOCH, 10)).isEmpty();
    assertThat(table.windows(Instant.EPOCH, 10))
        .extracting(WindowRow::events, WindowRow::revision, WindowRow::isFinal)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(1L, 1, false));

    // One that fails on its way changes nothing.
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                table.beginRun(
                    Map.of(0, 1L),
                    "other",
                    sink -> {
                      throw new IllegalStateException("half way");
                    }));
    assertThat(table.run().number()).isEqualTo(2);
    assertThat(table.ledger(0, 10)).hasSize(1);
  }

  @Test
  void timeLogsAreDroppedApartFromExperiments() {
    sinks.openWindows(1, "per-record");
    sinks.open(1, "at-least-once", Shape.APPEND_ONLY);
    sinks.drop(1);
    assertThat(sinks.experiments()).isEmpty();
    assertThat(sinks.windowLogs()).containsExactly(1L);
    sinks.dropWindows(1);
    assertThat(sinks.windowLogs()).isEmpty();
  }
}
