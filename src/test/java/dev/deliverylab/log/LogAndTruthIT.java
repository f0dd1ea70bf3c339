package dev.deliverylab.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.deliverylab.log.Truth.Entry;
import dev.deliverylab.log.Truth.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

/** The log on a real broker, and the truth derived from it in a real database file. */
class LogAndTruthIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir static Path brokerFolder;
  private static TestBroker broker;
  private static OrderLogs logs;
  private static long lastExperiment;

  @TempDir Path databaseFolder;
  private final long experiment = ++lastExperiment;
  private JdbcConnectionPool database;
  private StoredTruth truth;

  @BeforeAll
  static void startBroker() throws Exception {
    broker = new TestBroker(brokerFolder);
    logs = new OrderLogs(broker);
  }

  @AfterAll
  static void stopBroker() {
    logs.close();
    broker.close();
  }

  @BeforeEach
  void openDatabase() {
    database =
        JdbcConnectionPool.create(
            "jdbc:h2:file:" + databaseFolder.resolve("lab") + ";WRITE_DELAY=0;RETENTION_TIME=0",
            "sa",
            "");
    truth = new StoredTruth(database, broker);
  }

  @AfterEach
  void closeDatabase() {
    truth.close();
    database.dispose();
    logs.delete(experiment);
  }

  @Test
  void fiveOrdersReachTheLogOneByOneAndTheTruthKnowsThem() {
    OrderLog log = logs.create(experiment, 1);
    List<LogRecord> appended = log.appendEach(Dataset.FIVE_ORDERS.orders());
    assertThat(appended).extracting(LogRecord::offset).containsExactly(0L, 1L, 2L, 3L, 4L);
    assertThat(log.read(0, 1, 3)).isEqualTo(appended.subList(1, 4));
    assertThat(log.startOffsets()).isEqualTo(Map.of(0, 0L));

    caughtUp(log);
    // 25.50 + 12.00 + 40.00 + 8.75 + 63.20
    assertThat(truth.totals())
        .isEqualTo(new Truth.Totals(5, new BigDecimal("149.45"), 5, 0, 0, Map.of(0, 5L)));
    assertThat(truth.entries(0, 0, 10)).extracting(Entry::record).isEqualTo(appended);
    assertThat(truth.block(0)).hasSize(5);
    assertThat(truth.highestOrderId()).isEqualTo(1005);
    assertThat(truth.problem()).isEmpty();
  }

  @Test
  void everyDigitOfAnIdSurvives() {
    OrderLog log = logs.create(experiment, 3);
    List<Order> orders =
        Stream.of(
                "9007199254740992",
                "9007199254740993",
                "9223372036854775807",
                "18446744073709551616",
                "9".repeat(64))
            .map(id -> order(id, "1.00", null))
            .toList();
    log.appendEach(orders);
    caughtUp(log);
    assertThat(truth.totals().orders()).isEqualTo(5);
    for (Order order : orders) {
      assertThat(truth.entriesOf(order.orderId()))
          .singleElement()
          .extracting(entry -> entry.record().order())
          .isEqualTo(order);
    }
    assertThat(truth.highestOrderId()).isEqualTo("9".repeat(64));
  }

  @Test
  void aCopyIsResentAndOtherContentIsAConflictWhicheverBatchItComesIn() {
    OrderLog log = logs.create(experiment, 1);
    Order first = order("7", "5.00", "a");
    log.appendBatched(Stream.of(first, first, order("7", "6.00", "a"))); // in one batch, likely
    caughtUp(log);
    log.appendEach(List.of(first, order("7", "5.00", "b"), order("3", "1.00", "a")));
    await().atMost(LONG).until(() -> truth.await(log.endOffsets(), LONG));

    assertThat(truth.totals())
        .isEqualTo(new Truth.Totals(2, new BigDecimal("6.00"), 6, 2, 2, Map.of(0, 6L)));
    assertThat(truth.entriesOf(BigInteger.valueOf(7)))
        .extracting(Entry::kind)
        .containsExactly(Kind.FIRST, Kind.RESENT, Kind.CONFLICT, Kind.RESENT, Kind.CONFLICT);
    assertThat(truth.conflicts(10))
        .extracting(entry -> entry.record().offset())
        .containsExactly(2L, 4L);
    assertThat(truth.conflicts(1)).extracting(entry -> entry.record().offset()).containsExactly(2L);
    assertThat(truth.blocksOf(List.of(BigInteger.valueOf(7), BigInteger.valueOf(8))))
        .isEqualTo(Map.of(BigInteger.valueOf(7), 0));
  }

  @Test
  void timesFarFromTodayAreKept() {
    OrderLog log = logs.create(experiment, 1);
    List<Order> orders =
        Stream.of("1970-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "2026-01-04T09:14:02Z")
            .map(Instant::parse)
            .map(
                time ->
                    new Order(
                        BigInteger.valueOf(time.hashCode() & 0xffff), BigDecimal.ONE, time, null))
            .toList();
    log.appendEach(orders);
    caughtUp(log);
    assertThat(truth.entries(0, 0, 10))
        .extracting(entry -> entry.record().order())
        .isEqualTo(orders);
  }

  @Test
  void aRecordThatIsNoOrderIsCountedAndPassed() {
    OrderLog log = logs.create(experiment, 1);
    log.appendEach(List.of(order("1", "1.00", null)));
    outsider(log, null, "no json", "{\"orderId\":1}", "{\"orderId\":NaN}");
    log.appendEach(List.of(order("2", "2.00", null)));
    caughtUp(log);
    assertThat(truth.unreadable()).isEqualTo(4);
    assertThat(truth.totals())
        .isEqualTo(new Truth.Totals(2, new BigDecimal("3.00"), 2, 0, 0, Map.of(0, 6L)));
    assertThat(log.read(0, 0, 10)).extracting(LogRecord::offset).containsExactly(0L, 5L);
  }

  @Test
  void aKilledDatabaseInTheMiddleOfALoadLosesAndDoublesNothing() throws Exception {
    OrderLog log = logs.create(experiment, 4);
    int count = 60_000;
    log.appendBatched(new Generator(count, 42, 50).orders(BigInteger.ONE));
    for (int kill = 0; kill < 3; kill++) {
      CountDownLatch some = new CountDownLatch(2 + kill);
      truth.onAdvance(some::countDown);
      truth.open(experiment);
      assertThat(some.await(30, TimeUnit.SECONDS)).isTrue();
      killDatabase();
      truth.close();
      database.dispose();
      openDatabase();
    }
    caughtUp(log);
    whole(log, count);
  }

  /** The negative control of the check above: it notices a doubled and a missing entry. */
  @Test
  void theCheckForLossAndDoublesCanFail() {
    OrderLog log = logs.create(experiment, 2);
    log.appendBatched(new Generator(100, 42, 50).orders(BigInteger.ONE));
    caughtUp(log);
    whole(log, 100);
    JdbcTemplate jdbc = new JdbcTemplate(database);
    jdbc.update("DELETE FROM truth_entry_%d WHERE met = 50".formatted(experiment));
    assertThatThrownBy(() -> whole(log, 100)).isInstanceOf(AssertionError.class);
  }

  @Test
  void theReaderWaitsForABrokerThatIsAwayAndGoesOn() {
    OrderLog log = logs.create(experiment, 1);
    log.appendEach(List.of(order("1", "1.00", null)));
    caughtUp(log);
    broker.stopServer();
    assertThat(truth.await(Map.of(0, 2L), Duration.ofMillis(300))).isFalse();
    broker.startServer();
    log.appendEach(List.of(order("2", "2.00", null)));
    assertThat(truth.await(Map.of(0, 2L), LONG)).isTrue();
    assertThat(truth.totals().total()).isEqualTo("3.00");
  }

  @Test
  void whatRetentionRemovedStaysInTheTruth() throws Exception {
    OrderLog log = logs.create(experiment, 1);
    log.appendBatched(new Generator(100, 1, 3).orders(BigInteger.ONE));
    caughtUp(log);
    removeBelow(log, 60);
    assertThat(log.startOffsets()).isEqualTo(Map.of(0, 60L));
    assertThat(log.read(0, 10, 5)).extracting(LogRecord::offset).first().isEqualTo(60L);
    assertThat(truth.entries(0, 0, 1000)).hasSize(100);
    assertThat(truth.totals().records()).isEqualTo(100);
  }

  @Test
  void whatRetentionRemovedBeforeItWasReadIsPassed() throws Exception {
    OrderLog log = logs.create(experiment, 1);
    log.appendBatched(new Generator(100, 1, 3).orders(BigInteger.ONE));
    removeBelow(log, 100);
    caughtUp(log);
    assertThat(truth.totals().records()).isZero();
    log.appendEach(List.of(order("500", "2.00", null)));
    assertThat(truth.await(log.endOffsets(), LONG)).isTrue();
    assertThat(truth.totals().orders()).isEqualTo(1);
  }

  @Test
  void anEarlierExperimentIsForgotten() {
    OrderLog log = logs.create(experiment, 1);
    log.appendEach(Dataset.FIVE_ORDERS.orders());
    caughtUp(log);
    assertThatThrownBy(() -> truth.drop(experiment)).hasMessageContaining("current");
    long next = ++lastExperiment;
    OrderLog second = logs.create(next, 1);
    truth.open(next);
    assertThat(truth.experiments()).containsExactly(experiment, next);
    truth.drop(experiment);
    assertThat(truth.experiments()).containsExactly(next);
    second.appendEach(List.of(order("1", "1.00", null)));
    assertThat(truth.await(second.endOffsets(), LONG)).isTrue();
    assertThat(truth.totals().orders()).isEqualTo(1);
    assertThat(
            new JdbcTemplate(database)
                .queryForObject(
                    "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = ?",
                    Integer.class,
                    "TRUTH_ENTRY_" + experiment))
        .isZero();
    logs.delete(next);
  }

  @Test
  void speed() {
    OrderLog log = logs.create(experiment, 1);
    int count = Integer.getInteger("log.speed.count", 100_000);
    long start = System.nanoTime();
    log.appendBatched(new Generator(count, 42, 50).orders(BigInteger.ONE));
    long appended = System.nanoTime();
    truth.open(experiment);
    assertThat(truth.await(log.endOffsets(), Duration.ofMinutes(5))).isTrue();
    long known = System.nanoTime();
    List<Long> delays = new ArrayList<>();
    for (int i = 1; i <= 50; i++) {
      Order order = order("" + (count + i), "1.00", null);
      long before = System.nanoTime();
      LogRecord place = log.appendEach(List.of(order)).get(0);
      assertThat(truth.await(Map.of(0, place.offset() + 1), LONG)).isTrue();
      delays.add((System.nanoTime() - before) / 1_000);
    }
    delays.sort(null);
    System.out.printf(
        "%d orders: appended in %d ms, in the truth after %d ms; one order, append to truth:"
            + " median %d us, worst %d us%n",
        count,
        (appended - start) / 1_000_000,
        (known - appended) / 1_000_000,
        delays.get(25),
        delays.get(49));
    whole(log, count + 50);
  }

  private void caughtUp(OrderLog log) {
    truth.open(experiment);
    assertThat(truth.await(log.endOffsets(), LONG)).isTrue();
  }

  /** Ids 1 to count, each once, with ordinals without a gap, and totals that say the same. */
  private void whole(OrderLog log, int count) {
    Map<String, Object> row =
        new JdbcTemplate(database)
            .queryForMap(
                """
                SELECT COUNT(*) AS n, COUNT(DISTINCT order_id) AS ids, MIN(order_id) AS low,
                  MAX(order_id) AS high, COUNT(DISTINCT ordinal) AS ordinals, MAX(ordinal) AS last,
                  SUM(amount) AS total
                FROM truth_entry_%d
                """
                    .formatted(experiment));
    assertThat(row)
        .containsEntry("N", (long) count)
        .containsEntry("IDS", (long) count)
        .containsEntry("LOW", BigDecimal.ONE)
        .containsEntry("HIGH", BigDecimal.valueOf(count))
        .containsEntry("ORDINALS", (long) count)
        .containsEntry("LAST", count - 1L)
        .containsEntry("TOTAL", truth.totals().total());
    assertThat(truth.totals().orders()).isEqualTo(count);
    assertThat(truth.totals().records()).isEqualTo(count);
    assertThat(truth.totals().positions()).isEqualTo(log.endOffsets());
  }

  private void killDatabase() {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN IMMEDIATELY");
    } catch (SQLException e) {
      assertThat(e.getMessage()).contains("closed");
    }
  }

  private static void removeBelow(OrderLog log, long offset) throws Exception {
    broker
        .admin()
        .deleteRecords(
            Map.of(new TopicPartition(log.topic(), 0), RecordsToDelete.beforeOffset(offset)))
        .all()
        .get();
  }

  private static void outsider(OrderLog log, String... values) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (String value : values) {
        byte[] bytes = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
        Future<?> unused =
            producer.send(new ProducerRecord<>(log.topic(), bytes)); // close() flushes
      }
    }
  }

  private static Order order(String id, String amount, String customer) {
    return new Order(
        new BigInteger(id),
        new BigDecimal(amount),
        Instant.parse("2026-01-04T09:14:02Z"),
        customer);
  }
}
