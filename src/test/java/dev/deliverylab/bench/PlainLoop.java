package dev.deliverylab.bench;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.experiment.Experiment;
import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import dev.deliverylab.log.OrderCodec;
import dev.deliverylab.sink.SinkAddress;
import dev.deliverylab.sink.SinkTable;
import dev.deliverylab.sink.Sinks;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What one would write without the lab: a consumer straight at the broker, a connection straight at
 * the database, one prepared statement a record, and a commit a batch.
 */
final class PlainLoop implements AutoCloseable {

  private final boolean transactional;
  private final String lane;
  private final Experiment experiment;
  private final SinkTable table;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Connection connection;
  private final PreparedStatement write;
  private final OrderCodec codec = new OrderCodec();

  PlainLoop(LabInside lab, Experiment experiment, String rival) throws SQLException {
    this.experiment = experiment;
    this.transactional = rival.equals("transactional");
    this.lane = "plain-" + rival;
    Sinks sinks = lab.part(Sinks.class);
    this.table = sinks.open(experiment.id(), lane, experiment.lane(rival).rule().shape());
    SinkAddress address = sinks.address();
    this.connection =
        DriverManager.getConnection(address.url(), address.user(), address.password());
    String name = LabInside.SINK_PREFIX + experiment.id() + "_" + lane.replace('-', '_');
    this.write =
        connection.prepareStatement(rival.equals("idempotent-key") ? upsert(name) : insert(name));
    this.consumer = consumer(lab.part(Broker.class));
  }

  SinkTable table() {
    return table;
  }

  void run(int records) throws SQLException {
    consumer.subscribe(List.of(experiment.log().topic()));
    connection.setAutoCommit(!transactional);
    for (int done = 0; done < records; ) {
      ConsumerRecords<byte[], byte[]> batch = consumer.poll(Duration.ofMillis(250));
      for (ConsumerRecord<byte[], byte[]> each : batch) {
        write(codec.fromLog(each));
      }
      if (!batch.isEmpty()) {
        commit(batch);
      }
      done += batch.count();
    }
  }

  private void write(LogRecord record) throws SQLException {
    Order order = record.order();
    write.setString(1, order.eventId());
    write.setBigDecimal(2, new BigDecimal(order.orderId()));
    write.setBigDecimal(3, order.amount());
    write.setObject(4, utc(order.eventTime()));
    write.setString(5, order.customer());
    write.setInt(6, record.partition());
    write.setLong(7, record.offset());
    write.setObject(8, utc(Instant.now()));
    write.setInt(9, 1);
    write.executeUpdate();
  }

  private static OffsetDateTime utc(Instant time) {
    return time.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  private void commit(ConsumerRecords<byte[], byte[]> batch) throws SQLException {
    for (TopicPartition partition : batch.partitions()) {
      List<ConsumerRecord<byte[], byte[]>> its = batch.records(partition);
      long next = its.get(its.size() - 1).offset() + 1;
      if (!transactional) {
        consumer.commitSync(Map.of(partition, new OffsetAndMetadata(next)));
      } else if (!moved(
          "UPDATE "
              + LabInside.SINK_PREFIX
              + "offsets SET next_offset = ?"
              + " WHERE experiment = ? AND lane = ? AND kafka_partition = ?",
          partition.partition(),
          next)) {
        moved(
            "INSERT INTO "
                + LabInside.SINK_PREFIX
                + "offsets (next_offset, experiment, lane, kafka_partition)"
                + " VALUES (?, ?, ?, ?)",
            partition.partition(),
            next);
      }
    }
    if (transactional) {
      connection.commit();
    }
  }

  private boolean moved(String sql, int partition, long next) throws SQLException {
    try (PreparedStatement move = connection.prepareStatement(sql)) {
      move.setLong(1, next);
      move.setLong(2, experiment.id());
      move.setString(3, lane);
      move.setInt(4, partition);
      return move.executeUpdate() > 0;
    }
  }

  private static final String COLUMNS =
      "message_key, order_id, amount, event_time, customer, kafka_partition, kafka_offset,"
          + " applied_at, life";

  private static String insert(String table) {
    return "INSERT INTO " + table + " (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
  }

  private static String upsert(String table) {
    return "MERGE INTO "
        + table
        + " t USING (SELECT CAST(?1 AS VARCHAR) AS k) s ON t.message_key = s.k"
        + " WHEN MATCHED THEN UPDATE SET writes = t.writes + 1, change_no = NEXT VALUE FOR "
        + table
        + "__change, order_id = ?2, amount = ?3, event_time = ?4, customer = ?5,"
        + " kafka_partition = ?6, kafka_offset = ?7, applied_at = ?8, life = ?9"
        + " WHEN NOT MATCHED THEN INSERT ("
        + COLUMNS
        + ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
  }

  private KafkaConsumer<byte[], byte[]> consumer(Broker broker) {
    return new KafkaConsumer<>(
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            broker.bootstrapServers(),
            ConsumerConfig.GROUP_ID_CONFIG,
            broker.names().group(experiment.id(), lane, 1),
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "earliest",
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            experiment.batchSize(),
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            false),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  @Override
  public void close() throws SQLException {
    consumer.close();
    connection.close();
  }
}
