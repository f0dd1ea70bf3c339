package dev.deliverylab.log;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Orders as JSON, and as records of the log: {@code
 * {"orderId":1001,"amount":"25.50","eventTime":"2026-01-04T09:14:02Z"}}. Reading is strict: an
 * unknown, missing or repeated field is refused. An id may be a number or a string of digits, an
 * amount a string or a number; written, an id is always a number and an amount always a string. Has
 * no state.
 */
public final class OrderCodec {

  private static final int MAX_TEXT = 10_000;

  private final JsonFactory json =
      JsonFactory.builder()
          // NaN becomes a token, so that the refusal can name its field.
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(MAX_TEXT)
                  .maxNumberLength(MAX_TEXT)
                  .maxNameLength(MAX_TEXT)
                  .build())
          .build();

  /** The order as UTF-8 JSON. */
  public byte[] write(Order order) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    try (JsonGenerator out = json.createGenerator(ObjectWriteContext.empty(), bytes)) {
      out.writeStartObject();
      writeFields(out, order);
      out.writeEndObject();
    }
    return bytes.toByteArray();
  }

  /**
   * The order's fields into an object that is open already, for answers that add fields of their
   * own.
   */
  public void writeFields(JsonGenerator out, Order order) {
    out.writeNumberProperty(OrderFields.ORDER_ID, order.orderId());
    out.writeStringProperty(OrderFields.AMOUNT, order.amount().toPlainString());
    out.writeStringProperty(OrderFields.EVENT_TIME, order.eventTime().toString());
    if (order.customer() != null) {
      out.writeStringProperty(OrderFields.CUSTOMER, order.customer());
    }
  }

  /**
   * One JSON object and nothing after it.
   *
   * @throws OrderRefused naming the field
   */
  public Order read(byte[] utf8) {
    try (JsonParser in = json.createParser(ObjectReadContext.empty(), utf8)) {
      return only(in, List.of()).order();
    } catch (JacksonException e) {
      throw noJson("record", e);
    }
  }

  /**
   * One JSON object and nothing after it.
   *
   * @throws OrderRefused naming the field
   */
  public Order read(String text) {
    try (JsonParser in = json.createParser(ObjectReadContext.empty(), text)) {
      return only(in, List.of()).order();
    } catch (JacksonException e) {
      throw noJson("record", e);
    }
  }

  /**
   * One JSON object and nothing after it: an order with text fields beside it.
   *
   * @param others the names that are allowed, none of them required
   * @throws OrderRefused naming the field
   */
  public OrderWith readWith(byte[] utf8, List<String> others) {
    try (JsonParser in = json.createParser(ObjectReadContext.empty(), utf8)) {
      return only(in, others);
    } catch (JacksonException e) {
      throw noJson("record", e);
    }
  }

  private OrderWith only(JsonParser in, List<String> others) {
    in.nextToken();
    OrderWith order = readWith(in, others);
    if (in.nextToken() != null) {
      throw new OrderRefused("record", "record has something after its closing brace");
    }
    return order;
  }

  /**
   * The object that starts at the parser's current token, for instance an element of an array; the
   * parser ends on its closing brace. The parser must not have turned numbers into doubles.
   *
   * @throws OrderRefused naming the field
   */
  public Order read(JsonParser in) {
    return readWith(in, List.of()).order();
  }

  /**
   * An order with text fields beside it, from the object at the parser's current token, as above.
   *
   * @param others the names that are allowed, none of them required
   * @throws OrderRefused naming the field
   */
  public OrderWith readWith(JsonParser in, List<String> others) {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      throw new OrderRefused("record", "record is a JSON object with the fields of an order");
    }
    OrderFields fields = new OrderFields(others);
    String name = "record";
    try {
      while (in.nextToken() == JsonToken.PROPERTY_NAME) {
        name = in.currentName();
        fields.name(name);
        value(in, name, fields);
      }
    } catch (JacksonException e) {
      // The parser may have looked ahead, into the field behind the one that it gave last.
      throw noJson(Objects.requireNonNullElse(in.currentName(), name), e);
    }
    return new OrderWith(fields.order(), fields.others());
  }

  private static void value(JsonParser in, String name, OrderFields fields) {
    JsonToken token = in.nextToken();
    boolean text = token == JsonToken.VALUE_STRING;
    boolean number = token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT;
    boolean numeric = name.equals(OrderFields.ORDER_ID) || name.equals(OrderFields.AMOUNT);
    if (text || (number && numeric)) {
      fields.value(name, in.getString());
    } else if (token != JsonToken.VALUE_NULL || !name.equals(OrderFields.CUSTOMER)) {
      throw new OrderRefused(name, name + (numeric ? " is a number or a string" : " is a string"));
    }
  }

  private static OrderRefused noJson(String field, JacksonException e) {
    return new OrderRefused(field, field + complaint(e));
  }

  /** In our own words: the parser's speak of its classes and settings. */
  private static String complaint(JacksonException e) {
    if (e instanceof UnexpectedEndOfInputException) {
      return " is no JSON: it ends too early";
    }
    if (String.valueOf(e.getOriginalMessage()).startsWith("Duplicate")) {
      return " is given twice";
    }
    return e instanceof StreamConstraintsException ? " is too long" : " is no JSON";
  }

  /** The order as a record for this topic: its key, and its event time as the timestamp. */
  ProducerRecord<byte[], byte[]> toLog(String topic, Order order) {
    return new ProducerRecord<>(
        topic,
        null,
        order.eventTime().toEpochMilli(),
        order.key().getBytes(StandardCharsets.UTF_8),
        write(order));
  }

  /**
   * The order in a record as Kafka handed it over, its value read as bytes.
   *
   * @throws NotAnOrder with the place and the reason
   */
  public LogRecord fromLog(ConsumerRecord<?, byte @Nullable []> record) {
    byte[] value = record.value();
    if (value == null) {
      throw new NotAnOrder(record.partition(), record.offset(), "record has no value");
    }
    try {
      return new LogRecord(record.partition(), record.offset(), read(value));
    } catch (OrderRefused e) {
      throw new NotAnOrder(record.partition(), record.offset(), String.valueOf(e.getMessage()));
    }
  }
}
