package dev.deliverylab.time;

import dev.deliverylab.sink.Fate;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Results of the engine's windows as JSON, in its store and in the topic of results. */
public final class ResultCodec {

  private final TimeCodec log = new TimeCodec();
  private final JsonMapper json = new JsonMapper();

  Serde<WindowResult> serde() {
    return Serdes.serdeFrom((topic, result) -> write(result), (topic, bytes) -> read(bytes));
  }

  byte[] write(WindowResult result) {
    ObjectNode node = json.createObjectNode();
    ArrivedOrder last = result.last();
    byte[] arrival = log.write(new Arrival(last.order(), last.arrivalTime(), null));
    node.set("order", json.readTree(arrival));
    node.put("partition", last.partition());
    node.put("offset", last.offset());
    node.put("fate", result.fate().name().toLowerCase(Locale.ROOT));
    node.put("start", result.window().start().toString());
    node.put("end", result.window().end().toString());
    node.put("events", result.events());
    node.put("revenue", result.revenue().toPlainString());
    node.put("maxLateness", result.maxLateness().toString());
    node.put("watermark", result.watermark().toString());
    return json.writeValueAsBytes(node);
  }

  /** A record's value, as the topology wrote it. */
  public WindowResult read(byte[] value) {
    JsonNode node = json.readTree(value);
    byte[] arrival = json.writeValueAsBytes(node.get("order"));
    return new WindowResult(
        (ArrivedOrder)
            log.read(node.get("partition").intValue(), node.get("offset").longValue(), arrival),
        Fate.valueOf(node.get("fate").stringValue().toUpperCase(Locale.ROOT)),
        new Window(instant(node.get("start")), instant(node.get("end"))),
        node.get("events").longValue(),
        new BigDecimal(node.get("revenue").stringValue()),
        Duration.parse(node.get("maxLateness").stringValue()),
        instant(node.get("watermark")));
  }

  private static Instant instant(JsonNode node) {
    return Instant.parse(node.stringValue());
  }
}
