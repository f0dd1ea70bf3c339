package dev.deliverylab.broker;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The lab's own Kafka clients, which no crash touches. */
public final class LabClients {

  private LabClients() {}

  /**
   * Appends to logs. Connects with the first append, so the broker need not be there yet.
   *
   * @param name its client id behind the lab's prefix
   */
  public static Producer<byte[], byte[]> appender(Broker broker, String name) {
    return new KafkaProducer<>(
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            broker.bootstrapServers(),
            ProducerConfig.CLIENT_ID_CONFIG,
            broker.names().prefix() + name,
            ProducerConfig.ACKS_CONFIG,
            "all",
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            true,
            // KAFKA-15591: of two requests under way to a new partition the first may come too
            // early and the second not; the second is then taken, the first refused for ever.
            ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
            1,
            // A single order goes out at once; under load batches fill while earlier ones are
            // on the wire.
            ProducerConfig.LINGER_MS_CONFIG,
            0,
            ProducerConfig.BATCH_SIZE_CONFIG,
            128 * 1024,
            ProducerConfig.MAX_BLOCK_MS_CONFIG,
            10_000,
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
            10_000,
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
            20_000),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  /**
   * Reads partitions that it is given, without a group: it commits nothing and creates nothing.
   *
   * @param name its client id behind the lab's prefix
   * @param more what else it is told, in Kafka's words
   */
  public static Consumer<byte[], byte[]> reader(
      Broker broker, String name, Map<String, Object> more) {
    return reader(broker.bootstrapServers(), broker.names().prefix() + name, more);
  }

  /** The same under another address or name, as a lane reads back what it wrote. */
  public static Consumer<byte[], byte[]> reader(
      String bootstrapServers, String clientId, Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    settings.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
