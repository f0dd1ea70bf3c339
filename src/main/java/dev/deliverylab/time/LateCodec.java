package dev.deliverylab.time;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.deliverylab.sink.Fate;
import java.time.Instant;
import java.util.Locale;
import org.apache.kafka.clients.producer.ProducerRecord;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Late records as a topic keeps them: the order as it lay in the log, its place there, and all that
 * explains why it is late. Has no state.
 */
public final class LateCodec {

  private final TimeCodec log = new TimeCodec();
  private final JsonMapper json = new JsonMapper();

  /** With the order's key, and its arrival as the timestamp. */
  public ProducerRecord<byte[], byte[]> toTopic(String topic, Judgement late) {
    ArrivedOrder order = order(late);
    return new ProducerRecord<>(
        topic, null, order.arrivalTime().toEpochMilli(), key(late), write(late));
  }

  byte[] key(Judgement late) {
    return order(late).order().key().getBytes(UTF_8);
  }

  byte[] write(Judgement late) {
    ArrivedOrder order = order(late);
    ObjectNode node = json.createObjectNode();
    byte[] arrival = log.write(new Arrival(order.order(), order.arrivalTime(), null));
    node.set("order", json.readTree(arrival));
    node.put("partition", order.partition());
    node.put("offset", order.offset());
    if (late.window() != null) {
      node.put("windowStart", late.window().start().toString());
      node.put("windowEnd", late.window().end().toString());
    }
    node.put("watermark", late.watermark() == null ? null : late.watermark().toString());
    node.put("latenessSeconds", order.lateness().toSeconds());
    node.put("fate", late.fate().name().toLowerCase(Locale.ROOT));
    return json.writeValueAsBytes(node);
  }

  private static ArrivedOrder order(Judgement late) {
    if (late.record() instanceof ArrivedOrder order && late.fate().late()) {
      return order;
    }
    throw new IllegalArgumentException("Not a late order: " + late.record().title());
  }

  /** What {@link #toTopic} wrote. */
  public Judgement read(byte[] value) {
    JsonNode node = json.readTree(value);
    byte[] arrival = json.writeValueAsBytes(node.get("order"));
    JsonNode watermark = node.get("watermark");
    return new Judgement(
        log.read(node.get("partition").intValue(), node.get("offset").longValue(), arrival),
        new Window(instant(node.get("windowStart")), instant(node.get("windowEnd"))),
        watermark.isNull() ? null : instant(watermark),
        Fate.valueOf(node.get("fate").stringValue().toUpperCase(Locale.ROOT)));
  }

  private static Instant instant(JsonNode node) {
    return Instant.parse(node.stringValue());
  }
}
