package dev.deliverylab.lane;

import static org.awaitility.Awaitility.await;

import dev.deliverylab.broker.BrokerInFolder;
import dev.deliverylab.guarantee.Guarantees;
import dev.deliverylab.history.History;
import dev.deliverylab.history.Journal;
import dev.deliverylab.log.Dataset;
import dev.deliverylab.log.Order;
import dev.deliverylab.log.OrderLog;
import dev.deliverylab.log.OrderLogs;
import dev.deliverylab.sink.LabDatabase;
import dev.deliverylab.sink.SinkTable;
import dev.deliverylab.sink.Sinks;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.MemberDescription;
import org.awaitility.core.ConditionFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * All that lanes need, and no Spring: a real broker, a real database, a history. Each test takes an
 * experiment of its own.
 */
final class LaneHouse implements AutoCloseable {

  static final String SINK_PREFIX = "proof_";

  final BrokerInFolder broker;
  final LabDatabase database;
  final Sinks sinks;
  final OrderLogs logs;
  final History history;
  final Pace pace = new Pace();
  private final RowsInMemory rows = new RowsInMemory();
  private final AtomicLong experiments = new AtomicLong();
  private final Collection<Lane> opened = new ArrayList<>();

  LaneHouse(Path folder) {
    broker = new BrokerInFolder(folder.resolve("kafka"));
    database = LabDatabase.open(folder.resolve("h2"));
    sinks = Sinks.at(database.address(), SINK_PREFIX, Clock.systemUTC());
    logs = new OrderLogs(broker);
    history =
        new History(
            new Journal(folder.resolve("history"), 8 << 20, JsonMapper.builder().build()),
            Clock.systemUTC());
  }

  /** Lanes' rows as the database would keep them. */
  private static final class RowsInMemory implements LaneRows {

    private final Map<String, LaneRow> rows = new ConcurrentHashMap<>();

    @Override
    public LaneRow find(String owner, String lane) {
      return rows.computeIfAbsent(LaneRow.id(owner, lane), ignored -> LaneRow.fresh(owner, lane));
    }

    @Override
    public void save(LaneRow row) {
      rows.put(row.id(), row);
    }
  }

  /** A log of its own, and lanes over it. */
  final class Stage {

    final long experiment = experiments.incrementAndGet();
    final int partitions;
    final int batchSize;
    final OrderLog log;

    private Stage(int partitions, int batchSize) {
      this.partitions = partitions;
      this.batchSize = batchSize;
      this.log = logs.create(experiment, partitions);
    }

    Lane lane(String guarantee) {
      return lane(guarantee, table -> table);
    }

    /**
     * @param disturbed puts something between the lane and its table
     */
    Lane lane(String guarantee, UnaryOperator<SinkTable> disturbed) {
      Lane lane =
          new Lane(
              source(),
              new HostedGuarantee(Guarantees.named(guarantee), disturbed.apply(table(guarantee))),
              surroundings());
      synchronized (opened) {
        opened.add(lane);
      }
      return lane;
    }

    private Source source() {
      return new Source(
          String.valueOf(experiment),
          experiment,
          broker.names().experiment(experiment),
          log.topic(),
          partitions,
          batchSize);
    }

    SinkTable table(String guarantee) {
      return sinks.open(experiment, guarantee, Guarantees.named(guarantee).rule().shape());
    }

    List<Lane> all() {
      return Guarantees.names().stream().map(this::lane).toList();
    }

    /** The first life of this lane, as it would be described to another process. */
    LaneDescription firstLife(String guarantee, String bootstrapServers) {
      return new LaneDescription(
          experiment,
          guarantee,
          1,
          bootstrapServers,
          log.topic(),
          partitions,
          batchSize,
          broker.names().group(experiment, guarantee, 1),
          broker.names().client(experiment, guarantee, 1),
          guarantee);
    }

    /** Remembered as a lane that ran when the lab was killed. */
    void remember(String guarantee) {
      rows.save(LaneRow.fresh(String.valueOf(experiment), guarantee).nextLife(false));
    }
  }

  Stage stage(int partitions, int batchSize) {
    return new Stage(partitions, batchSize);
  }

  /** One partition with the five orders in it, batches of two. */
  Stage fiveOrders() {
    Stage stage = stage(1, 2);
    stage.log.appendEach(Dataset.named("five-orders").orders());
    return stage;
  }

  Surroundings surroundings() {
    return new Surroundings(broker, history, pace, rows, Clock.systemUTC());
  }

  List<MemberDescription> members(String group) throws Exception {
    return List.copyOf(
        broker
            .admin()
            .describeConsumerGroups(List.of(group))
            .describedGroups()
            .get(group)
            .get(30, TimeUnit.SECONDS)
            .members());
  }

  /** Sessions in the database with a transaction that has written and is not committed. */
  int openTransactions() {
    var address = database.address();
    try (var connection =
            DriverManager.getConnection(address.url(), address.user(), address.password());
        var statement = connection.createStatement();
        var answer =
            statement.executeQuery(
                "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE CONTAINS_UNCOMMITTED")) {
      answer.next();
      return answer.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends every life that a test has left. */
  void discardLanes() {
    pace.set(Duration.ZERO);
    synchronized (opened) {
      opened.parallelStream().forEach(Lane::discard);
      opened.clear();
    }
  }

  @Override
  public void close() {
    discardLanes();
    history.close();
    logs.close();
    sinks.close();
    database.close();
    broker.close();
  }

  /** The machine may be slow; nothing is asserted about time here. */
  static ConditionFactory patiently() {
    return await().atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(20));
  }

  static void awaitState(Lane lane, LaneState state) {
    patiently().until(lane::state, state::equals);
  }

  static void awaitDrained(Lane lane) {
    patiently().until(() -> lane.is(Lane.Condition.DRAINED));
  }

  /** Threads of this life: its own, and its client's heartbeat, which is named by the group. */
  static List<String> threadsOf(Lane lane, int life) {
    String client = lane.groupId() + ".life-" + life + "-";
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.contains(client) || name.endsWith("| " + lane.groupId()))
        .toList();
  }

  static void awaitThreadsGone(Lane lane, int life) {
    patiently().until(() -> threadsOf(lane, life), List::isEmpty);
  }

  static List<Long> orderIds(SinkTable table) {
    return table.page(0, 10_000, false).stream().map(row -> row.orderId().longValue()).toList();
  }

  /** Orders from an id on, one second apart, their keys spread over the partitions. */
  static List<Order> orders(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(
            id ->
                new Order(
                    BigInteger.valueOf(id),
                    new BigDecimal("1.00"),
                    Instant.parse("2026-01-04T09:00:00Z").plusSeconds(id),
                    null))
        .toList();
  }

  /** Where this lane's effects land. */
  static SinkTable table(Lane lane) {
    return HostedGuarantee.in(lane).table();
  }
}
