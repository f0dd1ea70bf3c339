package dev.deliverylab.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.json.JsonMapper;

class OrderCodecTest {

  private final OrderCodec codec = new OrderCodec();

  @Test
  void writesTheFormOfTheContract() {
    Order order =
        new Order(
            BigInteger.valueOf(1001),
            new BigDecimal("25.5"),
            Instant.parse("2026-01-04T09:14:02Z"),
            null);
    assertThat(new String(codec.write(order), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"orderId\":1001,\"amount\":\"25.50\",\"eventTime\":\"2026-01-04T09:14:02Z\"}");
  }

  @Property(tries = 500)
  void whatIsWrittenIsReadBack(@ForAll("orders") Order order) {
    assertThat(codec.read(codec.write(order))).isEqualTo(order);
  }

  @Property(tries = 200)
  void whatGoesToTheLogComesBackFromIt(@ForAll("orders") Order order) {
    ProducerRecord<byte[], byte[]> sent = codec.toLog("t", order);
    assertThat(sent.key()).isEqualTo(order.key().getBytes(StandardCharsets.UTF_8));
    assertThat(sent.timestamp()).isEqualTo(order.eventTime().toEpochMilli());
    assertThat(codec.fromLog(new ConsumerRecord<>("t", 3, 9, sent.key(), sent.value())))
        .isEqualTo(new LogRecord(3, 9, order));
  }

  @Provide
  Arbitrary<Order> orders() {
    Arbitrary<BigInteger> ids =
        Arbitraries.bigIntegers().between(BigInteger.ZERO, new BigInteger("9".repeat(64)));
    Arbitrary<BigDecimal> amounts =
        Arbitraries.bigDecimals().between(Order.MAX_AMOUNT.negate(), Order.MAX_AMOUNT).ofScale(2);
    Arbitrary<Instant> times =
        Arbitraries.longs()
            .between(0, 253_402_300_799_999_999L)
            .map(micros -> Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000));
    Arbitrary<String> customers =
        Arbitraries.oneOf(
                Arbitraries.of("<b>Zoë</b>", "\"; --", "日本", "😀"),
                Arbitraries.strings()
                    .ascii()
                    .withCharRange(' ', '~')
                    .ofMinLength(1)
                    .ofMaxLength(200))
            .filter(text -> text.chars().noneMatch(Character::isISOControl))
            .injectNull(0.3);
    return Combinators.combine(ids, amounts, times, customers).as(Order::new);
  }

  @Test
  void anIdMayBeTextAndAnAmountANumberAndBothStayExact() {
    Order order =
        codec.read(
            "{\"amount\":0.10,\"orderId\":\"9007199254740993\",\"customer\":null,"
                + "\"eventTime\":\"2026-01-04T10:14:02+01:00\"}");
    assertThat(order.orderId()).isEqualTo("9007199254740993");
    assertThat(order.amount()).isEqualTo("0.10");
    assertThat(order.eventTime()).isEqualTo("2026-01-04T09:14:02Z");
    assertThat(order.customer()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          orderId   | 1e3
          orderId   | 1001.5
          orderId   | 1001.0
          orderId   | NaN
          orderId   | -1
          orderId   | ""
          orderId   | "１２"
          orderId   | "1e3"
          orderId   | null
          orderId   | true
          orderId   | [1]
          orderId   | 10000000000000000000000000000000000000000000000000000000000000000
          amount    | 1e3
          amount    | NaN
          amount    | Infinity
          amount    | "1,50"
          amount    | "1."
          amount    | ".5"
          amount    | "+1"
          amount    | " 1"
          amount    | 25.505
          amount    | 100000000
          amount    | "-100000000.00"
          amount    | null
          amount    | {}
          eventTime | "2026-01-04T09:14:02"
          eventTime | "2026-01-04"
          eventTime | "yesterday"
          eventTime | 1767518042
          eventTime | "1969-12-31T23:59:59Z"
          eventTime | "2026-02-30T09:14:02Z"
          customer  | ""
          customer  | 7
          customer  | "a\\u0000b"
          customer  | "\\ud800"
          customer  | "\\ufffd"
          """)
  void refusesAndNamesTheField(String field, String value) {
    String json =
        Stream.of(
                "orderId:1001",
                "amount:\"25.50\"",
                "eventTime:\"2026-01-04T09:14:02Z\"",
                "customer:\"c\"")
            .map(pair -> pair.split(":", 2))
            .map(pair -> "\"" + pair[0] + "\":" + (pair[0].equals(field) ? value : pair[1]))
            .reduce((left, right) -> left + "," + right)
            .map(fields -> "{" + fields + "}")
            .orElseThrow();
    refused(field, json);
  }

  @Test
  void refusesUnknownMissingAndRepeatedFieldsAndWhatIsNoObject() {
    refused("colour", "{\"colour\":1}");
    refused("orderId", "{\"amount\":1,\"eventTime\":\"2026-01-04T09:14:02Z\"}");
    refused("amount", "{\"amount\":1,\"amount\":1}");
    refused("orderid", "{\"orderid\":1}");
    refused("record", "[]");
    refused("record", "");
    refused("record", "null");
    refused("orderId", "{\"orderId\":1");
    refused("record", "{\"orderId\":1,\"amount\":1,\"eventTime\":\"2026-01-04T09:14:02Z\"} {}");
  }

  private void refused(String field, String json) {
    assertThatExceptionOfType(OrderRefused.class)
        .isThrownBy(() -> codec.read(json))
        .satisfies(e -> assertThat(e.field()).isEqualTo(field))
        .withMessageStartingWith(field + " ");
  }

  @Test
  void readsAnElementOfAnArrayAndStopsAtItsBrace() {
    String json =
        "[{\"orderId\":1,\"amount\":1,\"eventTime\":\"2026-01-04T09:14:02Z\"},"
            + "{\"orderId\":2,\"amount\":2,\"eventTime\":\"2026-01-04T09:14:02Z\"}]";
    try (JsonParser in = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
      in.nextToken();
      in.nextToken();
      assertThat(codec.read(in).orderId()).isEqualTo(1);
      in.nextToken();
      assertThat(codec.read(in).orderId()).isEqualTo(2);
    }
  }

  record Body(@JsonDeserialize(contentUsing = OrderDeserializer.class) List<Order> records) {}

  @Test
  void ordersInsideABodyStayExactAndARefusalIsTheCause() {
    JsonMapper mapper = JsonMapper.builder().build();
    String rest = ",\"eventTime\":\"2026-01-04T09:14:02Z\"}";
    String body = "{\"records\":[{\"orderId\":%s,\"amount\":%s" + rest + "]}";
    Order order =
        mapper.readValue(body.formatted("9007199254740993", "0.30"), Body.class).records().get(0);
    assertThat(order.orderId()).isEqualTo("9007199254740993");
    assertThat(order.amount()).isEqualTo("0.30");
    for (String amount : List.of("1e3", "1,\"amount\":1", "0.1000000000000000000000000000001")) {
      assertThatThrownBy(() -> mapper.readValue(body.formatted("1", amount), Body.class))
          .hasRootCauseInstanceOf(OrderRefused.class)
          .rootCause()
          .hasMessageStartingWith("amount ");
    }
  }

  @Test
  void aRecordThatIsNoOrderSaysWhereAndWhy() {
    byte[] broken = {'{', '"', (byte) 0xff, '"', ':', '1', '}'};
    for (byte[] value : new byte[][] {null, {}, broken, "x".getBytes(StandardCharsets.UTF_8)}) {
      assertThatExceptionOfType(NotAnOrder.class)
          .isThrownBy(() -> codec.fromLog(new ConsumerRecord<>("t", 2, 7, null, value)))
          .withMessageStartingWith("p2@7 is not an order: record ");
    }
  }
}
