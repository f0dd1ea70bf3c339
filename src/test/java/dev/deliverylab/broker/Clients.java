package dev.deliverylab.broker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;

/** Plain Kafka clients as the tests of this room use them. */
final class Clients {

  private Clients() {}

  static KafkaConsumer<String, String> consumer(String servers, Map<String, Object> more) {
    Map<String, Object> config = new HashMap<>();
    config.put("bootstrap.servers", servers);
    config.put("auto.offset.reset", "earliest");
    config.put("enable.auto.commit", "false");
    config.put("reconnect.backoff.max.ms", "200");
    config.putAll(more);
    return new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
  }

  static KafkaProducer<String, String> producer(String servers, Map<String, Object> more) {
    Map<String, Object> config = new HashMap<>();
    config.put("bootstrap.servers", servers);
    config.putAll(more);
    return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
  }

  static void append(String servers, String topic, String... values) {
    try (var producer = producer(servers, Map.of())) {
      var acknowledged =
          Arrays.stream(values).map(v -> producer.send(new ProducerRecord<>(topic, v))).toList();
      for (var each : acknowledged) {
        each.get(30, TimeUnit.SECONDS);
      }
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("Not appended", e);
    }
  }

  /** Polls until at least so many records have come. */
  static List<String> read(KafkaConsumer<String, String> consumer, int atLeast) {
    List<String> values = new ArrayList<>();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .pollInSameThread()
        .until(
            () -> {
              for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
                values.add(record.value());
              }
              return values.size() >= atLeast;
            });
    return values;
  }
}
