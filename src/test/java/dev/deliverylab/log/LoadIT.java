package dev.deliverylab.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path folder;
  private TestBroker broker;
  private JdbcConnectionPool database;
  private OrderLogs logs;
  private OrderLog log;
  private StoredTruth truth;
  private OrderIds ids;
  private Load load;

  @BeforeEach
  void open() throws Exception {
    broker = new TestBroker(folder.resolve("kafka"));
    database = JdbcConnectionPool.create("jdbc:h2:mem:load", "sa", "");
    logs = new OrderLogs(broker);
    log = logs.create(1, 2);
    truth = new StoredTruth(database, broker);
    truth.open(1);
    ids = new OrderIds(truth);
    load = new Load(ids);
  }

  @AfterEach
  void close() {
    load.close();
    truth.close();
    logs.close();
    broker.close();
    database.dispose();
  }

  @Test
  void appendsWhatItPlannedWhileAGeneratorTakesOtherIds() {
    load.start(log, new Load.Plan(500, 2, 42));
    assertThatIllegalStateException()
        .isThrownBy(() -> load.start(log, new Load.Plan(1, 1, 1)))
        .withMessageContaining("running");
    try (OrderIds.Run run = ids.take(log, 100)) {
      assertThat(run.first()).isEqualTo(1001); // the load holds 1 to 1000
      log.appendBatched(new Generator(100, 1, 5).orders(run.first()));
    }
    await().atMost(LONG).until(() -> state() != Load.State.RUNNING);
    assertThat(load.progress()).contains(new Load.Progress(Load.State.DONE, 1000, 1000, null));
    assertThat(truth.await(log.endOffsets(), LONG)).isTrue();
    assertThat(truth.totals().orders()).isEqualTo(1100);
    assertThat(truth.totals().conflicts()).isZero();
  }

  @Test
  void stopsWhenToldAndItsUnusedIdsAreFreeAgain() {
    load.start(log, new Load.Plan(1000, 3600, 42));
    await().atMost(LONG).until(() -> load.progress().orElseThrow().appended() > 100);
    Load.Progress stopped = load.stop().orElseThrow();
    assertThat(stopped.state()).isEqualTo(Load.State.STOPPED);
    long inLog = log.endOffsets().values().stream().mapToLong(Long::longValue).sum();
    assertThat(stopped.appended()).isEqualTo(inLog);
    try (OrderIds.Run run = ids.take(log, 1)) {
      assertThat(run.first()).isEqualTo(BigInteger.valueOf(inLog + 1));
    }
  }

  @Test
  void anImportOfALargeFileReachesTheLog() {
    Imports imports = new Imports(folder);
    StringBuilder csv = new StringBuilder("orderId,amount,eventTime\n");
    for (int i = 1; i <= 20_000; i++) {
      csv.append(i).append(",0.01,2026-01-04T09:14:02Z\n");
    }
    InputStream body = new ByteArrayInputStream(csv.toString().getBytes(StandardCharsets.UTF_8));
    try (Imports.Checked checked = imports.csv(body)) {
      assertThat(checked.appendTo(log)).isEqualTo(20_000);
    }
    assertThat(truth.await(log.endOffsets(), LONG)).isTrue();
    assertThat(truth.totals().total()).isEqualTo("200.00");
  }

  @Test
  void failsWithAReasonWhenTheBrokerIsGoneAndAnotherOneCanStart() {
    load.start(log, new Load.Plan(100, 600, 42));
    await().atMost(LONG).until(() -> load.progress().orElseThrow().appended() > 0);
    broker.stopServer();
    await().atMost(Duration.ofSeconds(60)).until(() -> state() == Load.State.FAILED);
    assertThat(load.progress().orElseThrow().reason()).contains("acknowledged");
    broker.startServer();
    load.start(log, new Load.Plan(100, 1, 42));
    await().atMost(LONG).until(() -> state() == Load.State.DONE);
    assertThat(truth.await(log.endOffsets(), LONG)).isTrue();
    assertThat(truth.totals().conflicts()).isZero();
  }

  private Load.State state() {
    return load.progress().orElseThrow().state();
  }
}
