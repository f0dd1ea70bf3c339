package dev.deliverylab.time;

import static dev.deliverylab.time.TimeLogs.at;
import static dev.deliverylab.time.TimeLogs.window;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.deliverylab.log.NotAnOrder;
import dev.deliverylab.log.Order;
import dev.deliverylab.sink.Fate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeCodecTest {

  private static final Order ORDER =
      new Order(
          new BigInteger("12345678901234567890123"),
          new BigDecimal("25.50"),
          at("09:04:00.000001"),
          "Łucja \"7\"");

  private final TimeCodec codec = new TimeCodec();

  @Test
  void anOrderWithItsArrival() {
    Arrival arrival = new Arrival(ORDER, at("09:04:02.123456"), 2);
    ProducerRecord<byte[], byte[]> sent = codec.toLog("topic", arrival);
    assertThat(sent.partition()).isEqualTo(2);
    assertThat(sent.timestamp()).isEqualTo(at("09:04:02.123").toEpochMilli());
    assertThat(new String(sent.key(), UTF_8)).isEqualTo("Łucja \"7\"");
    assertThat(new String(sent.value(), UTF_8))
        .isEqualTo(
            "{\"orderId\":12345678901234567890123,\"amount\":\"25.50\","
                + "\"eventTime\":\"2026-01-04T09:04:00.000001Z\",\"customer\":\"Łucja \\\"7\\\"\","
                + "\"arrivalTime\":\"2026-01-04T09:04:02.123456Z\"}");
    assertThat(fromLog(sent.value()))
        .isEqualTo(new ArrivedOrder(2, 7, at("09:04:02.123456"), ORDER));
  }

  @Test
  void aReadingOfTheClock() {
    ProducerRecord<byte[], byte[]> sent = codec.toLog("topic", 2, at("09:45:00"));
    assertThat(sent.key()).isNull();
    assertThat(sent.partition()).isEqualTo(2);
    assertThat(sent.timestamp()).isEqualTo(at("09:45:00").toEpochMilli());
    assertThat(new String(sent.value(), UTF_8)).isEqualTo("{\"clock\":\"2026-01-04T09:45:00Z\"}");
    assertThat(fromLog(sent.value())).isEqualTo(new ClockReading(2, 7, at("09:45:00")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'orderId':1,'amount':'1','eventTime':'2026-01-04T09:04:00Z'} | arrivalTime is missing",
        "{'orderId':1,'amount':'1','eventTime':'2026-01-04T09:04:00Z','arrivalTime':'noon'} |"
            + " arrivalTime is a time with its offset such as 2026-01-04T09:14:02Z, not noon",
        "{'orderId':1,'amount':'1','eventTime':'2026-01-04T09:04:00Z','arrivalTime':5} |"
            + " arrivalTime is a string",
        "{'orderId':1,'amount':'1','eventTime':'2026-01-04T09:04:00Z',"
            + "'arrivalTime':'1969-12-31T23:59:59Z'} |"
            + " arrivalTime lies between the years 1970 and 9999",
        "{'orderId':1,'amount':'1','eventTime':'1969-12-31T23:59:59Z',"
            + "'arrivalTime':'2026-01-04T09:04:00Z'} |"
            + " eventTime lies between the years 1970 and 9999",
        "{'orderId':1,'arrived':'x'} | arrived is not a field of an order: orderId, amount,"
            + " eventTime, customer, arrivalTime",
        "{'clock':'noon'} | the clock shows no time: noon",
        "{'clock':5} | clock is not a field of an order: orderId, amount, eventTime, customer,"
            + " arrivalTime",
        "nothing | record is no JSON"
      })
  void saysWhatIsWrongAndWhere(String value, String reason) {
    assertThatThrownBy(() -> fromLog(value.replace('\'', '"').getBytes(UTF_8)))
        .isInstanceOf(NotAnOrder.class)
        .hasMessage("p2@7 is not an order: " + reason);
  }

  @Test
  void aRecordWithoutValueIsNoOrder() {
    assertThatThrownBy(() -> fromLog(null)).isInstanceOf(NotAnOrder.class);
  }

  @Test
  void anArrivalIsHeldToTheMicrosecond() {
    Instant nanos = at("09:04:02.123456789");
    assertThat(new Arrival(ORDER, nanos, null).arrivalTime()).isEqualTo(at("09:04:02.123456"));
  }

  @Test
  void aLateRecordKeepsAllThatExplainsIt() {
    LateCodec late = new LateCodec();
    Judgement judged =
        new Judgement(
            new ArrivedOrder(2, 7, at("09:41:00"), ORDER),
            window("09:00:00", "09:05:00"),
            at("09:31:00"),
            Fate.SIDE);
    ProducerRecord<byte[], byte[]> sent = late.toTopic("late", judged);
    assertThat(sent.timestamp()).isEqualTo(at("09:41:00").toEpochMilli());
    assertThat(new String(sent.value(), UTF_8))
        .startsWith("{\"order\":{\"orderId\":12345678901234567890123,\"amount\":\"25.50\",")
        .endsWith(
            "\"partition\":2,\"offset\":7,\"windowStart\":\"2026-01-04T09:00:00Z\","
                + "\"windowEnd\":\"2026-01-04T09:05:00Z\",\"watermark\":\"2026-01-04T09:31:00Z\","
                + "\"latenessSeconds\":2219,\"fate\":\"side\"}");
    assertThat(late.read(sent.value())).isEqualTo(judged);
    Judgement perRecord = new Judgement(judged.record(), judged.window(), null, Fate.DROPPED);
    assertThat(late.read(late.write(perRecord))).isEqualTo(perRecord);
    Judgement inTime = new Judgement(judged.record(), judged.window(), null, Fate.ACCEPTED);
    assertThatIllegalArgumentException().isThrownBy(() -> late.write(inTime));
  }

  @Test
  void aResultComesBackAsItWas() {
    ResultCodec results = new ResultCodec();
    WindowResult result =
        new WindowResult(
            new ArrivedOrder(2, 7, at("09:41:00"), ORDER),
            Fate.RESTATED,
            window("09:00:00", "09:05:00"),
            4,
            new BigDecimal("-0.10"),
            Duration.ofNanos(1_000),
            at("08:59:00"));
    assertThat(results.read(results.write(result))).isEqualTo(result);
    assertThat(new String(results.write(result), UTF_8)).contains("\"revenue\":\"-0.10\"");
  }

  private TimeRecord fromLog(byte[] value) {
    return codec.fromLog(new ConsumerRecord<>("topic", 2, 7, null, value));
  }
}
