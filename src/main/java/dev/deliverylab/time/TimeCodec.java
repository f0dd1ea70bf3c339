package dev.deliverylab.time;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.deliverylab.log.NotAnOrder;
import dev.deliverylab.log.OrderCodec;
import dev.deliverylab.log.OrderWith;
import java.io.ByteArrayOutputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Records of a time log: an order's JSON with {@code "arrivalTime"} beside its fields, or {@code
 * {"clock":"2026-01-04T09:45:00Z"}}. Kafka's timestamp is the arrival, an order's key its own, a
 * reading has none. Has no state.
 */
public final class TimeCodec {

  private static final String ARRIVAL_TIME = "arrivalTime";
  private static final List<String> BESIDE = List.of(ARRIVAL_TIME);
  private static final Pattern CLOCK = Pattern.compile("\\{\"clock\":\"([^\"]+)\"}");

  private final OrderCodec orders = new OrderCodec();
  private final JsonFactory json = new JsonFactory();

  public ProducerRecord<byte[], byte[]> toLog(String topic, Arrival arrival) {
    return new ProducerRecord<>(
        topic,
        arrival.partition(),
        arrival.arrivalTime().toEpochMilli(),
        arrival.order().key().getBytes(UTF_8),
        write(arrival));
  }

  /** A reading of the clock, for one of the partitions. */
  public ProducerRecord<byte[], byte[]> toLog(String topic, int partition, Instant reading) {
    byte[] value = ("{\"clock\":\"" + reading + "\"}").getBytes(UTF_8);
    return new ProducerRecord<>(topic, partition, reading.toEpochMilli(), null, value);
  }

  /**
   * The record as Kafka handed it over, its value read as bytes.
   *
   * @throws NotAnOrder with the place and the reason
   */
  public TimeRecord fromLog(ConsumerRecord<?, byte @Nullable []> record) {
    return read(record.partition(), record.offset(), record.value());
  }

  /**
   * The record at this place.
   *
   * @throws NotAnOrder with the place and the reason
   */
  TimeRecord read(int partition, long offset, byte @Nullable [] value) {
    if (value == null) {
      throw new NotAnOrder(partition, offset, "record has no value");
    }
    try {
      Matcher clock = CLOCK.matcher(new String(value, UTF_8));
      if (clock.matches()) {
        return new ClockReading(partition, offset, reading(clock.group(1)));
      }
      Arrival arrival = arrival(orders.readWith(value, BESIDE));
      return new ArrivedOrder(partition, offset, arrival.arrivalTime(), arrival.order());
    } catch (IllegalArgumentException e) {
      throw new NotAnOrder(partition, offset, String.valueOf(e.getMessage()));
    }
  }

  private static Instant reading(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("the clock shows no time: " + text, e);
    }
  }

  /**
   * The object at the parser's current token, as {@link OrderCodec#read(JsonParser)} reads an
   * order.
   *
   * @throws IllegalArgumentException naming the field
   */
  public Arrival read(JsonParser in) {
    return arrival(orders.readWith(in, BESIDE));
  }

  /**
   * The same from a text that is one JSON object.
   *
   * @throws IllegalArgumentException naming the field
   */
  public Arrival read(String text) {
    return arrival(orders.readWith(text.getBytes(UTF_8), BESIDE));
  }

  private static Arrival arrival(OrderWith read) {
    return new Arrival(read.order(), read.instant(ARRIVAL_TIME), null);
  }

  /** The order and its arrival as UTF-8 JSON. */
  public byte[] write(Arrival arrival) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(160);
    try (JsonGenerator out = json.createGenerator(ObjectWriteContext.empty(), bytes)) {
      out.writeStartObject();
      orders.writeFields(out, arrival.order());
      out.writeStringProperty(ARRIVAL_TIME, arrival.arrivalTime().toString());
      out.writeEndObject();
    }
    return bytes.toByteArray();
  }
}
