package dev.deliverylab.time;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.broker.LabClients;
import dev.deliverylab.broker.Topics;
import dev.deliverylab.sink.Fate;
import dev.deliverylab.sink.LedgerRow;
import dev.deliverylab.sink.WindowTable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The topic that late records go to, from the ledger, which is the outbox: what is kept there comes
 * here once. Each record says how many were before it, so the next life sees in the topic itself
 * how far the last one came; a transactional id fences off what that one still had on the wire.
 */
final class SideOutput {

  private static final String NUMBER = "number";
  private static final int PAGE = 500;
  private static final Duration READ = Duration.ofSeconds(10);

  private final LateCodec codec = new LateCodec();
  private final String bootstrapServers;
  private final String clientId;
  private final String topic;
  private final Producer<byte[], byte[]> producer;
  private long sent;

  SideOutput(String bootstrapServers, String clientId, String topic) {
    this.bootstrapServers = bootstrapServers;
    this.clientId = clientId;
    this.topic = topic;
    this.producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ProducerConfig.CLIENT_ID_CONFIG,
                clientId + "-side",
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                topic,
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                10_000,
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                10_000),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /** Fences earlier lives, finds out how far they came, and sends what they left. */
  void catchUp(WindowTable table) {
    producer.initTransactions();
    sent = alreadySent();
    long met = 0;
    long after = 0;
    List<LedgerRow> page;
    do {
      page = table.late(after, PAGE);
      for (LedgerRow line : page) {
        after = line.seq();
        if (line.fate() == Fate.SIDE && ++met > sent) {
          send(Windowing.judgement(line));
        }
      }
    } while (page.size() == PAGE);
  }

  /** Sends one late record in a transaction of its own, and returns when it is kept. */
  void send(Judgement late) {
    ProducerRecord<byte[], byte[]> record = codec.toTopic(topic, late);
    record.headers().add(NUMBER, String.valueOf(sent + 1).getBytes(StandardCharsets.US_ASCII));
    producer.beginTransaction();
    var unused = producer.send(record);
    producer.commitTransaction();
    sent++;
  }

  private long alreadySent() {
    TopicPartition place = new TopicPartition(topic, 0);
    try (Consumer<byte[], byte[]> consumer =
        LabClients.reader(
            bootstrapServers,
            clientId + "-side-reader",
            Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed"))) {
      consumer.assign(List.of(place));
      consumer.seekToEnd(List.of(place));
      long end = consumer.position(place, READ);
      // Markers take offsets, too: the last record lies at most a few places before the end.
      long found = 0;
      for (long back = 1; found == 0 && back / 8 < end; back *= 8) {
        consumer.seek(place, Math.max(0, end - back));
        found = lastNumber(consumer, place, end);
      }
      return found;
    }
  }

  private static long lastNumber(
      Consumer<byte[], byte[]> consumer, TopicPartition place, long end) {
    long last = 0;
    while (consumer.position(place, READ) < end) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
        last = number(record);
      }
    }
    return last;
  }

  private static long number(ConsumerRecord<?, ?> record) {
    Header header = record.headers().lastHeader(NUMBER);
    return header == null
        ? 0
        : Long.parseLong(new String(header.value(), StandardCharsets.US_ASCII));
  }

  /** A new run writes a new topic. */
  static void begin(Broker broker, String topic) {
    Topics topics = new Topics(broker);
    topics.delete(List.of(topic));
    topics.create(topic, 1);
  }

  void close() {
    producer.close(Duration.ofSeconds(5));
  }

  /** Ends it without a word; its connections are cut already. */
  void cut() {
    producer.close(Duration.ZERO);
  }
}
