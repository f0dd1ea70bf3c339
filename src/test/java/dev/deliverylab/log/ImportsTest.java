package dev.deliverylab.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImportsTest {

  private static final String HEADER = "orderId,amount,eventTime,customer\n";
  private static final String GOOD = "1,1.00,2026-01-04T09:14:02Z,c\n";

  @TempDir Path folder;
  private Imports imports;
  private final List<Order> appended = new ArrayList<>();

  @BeforeEach
  void open() {
    imports = new Imports(folder, 200_000);
  }

  @AfterEach
  void nothingStaysBehind() throws IOException {
    assertThat(left()).isEmpty();
  }

  private List<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("imports"))) {
      return files.toList();
    }
  }

  @Test
  void csvWithAnyColumnOrderMarkLineEndsBlankLinesAndQuotes() {
    long count =
        take(
            "\uFEFFamount,customer, orderId ,eventTime\r\n"
                + "\r\n"
                + "25.50,\"Smith, \"\"J\"\"\",1001,2026-01-04T09:14:02Z\r\n"
                + "  \r\n"
                + "12,,\"1002\", 2026-01-04T10:15:41+01:00",
            CsvOrders::new);
    assertThat(count).isEqualTo(2);
    assertThat(appended).extracting(Order::customer).containsExactly("Smith, \"J\"", null);
    assertThat(appended).extracting(Order::eventId).containsExactly("orders:1001", "orders:1002");
    assertThat(appended.get(1)).isEqualTo(Dataset.FIVE_ORDERS.orders().get(1));
  }

  @Test
  void jsonLinesWithMarkLineEndsAndBlankLines() {
    String line = "{\"orderId\":%d,\"amount\":\"1.00\",\"eventTime\":\"2026-01-04T09:14:02Z\"}";
    assertThat(
            take("\uFEFF" + line.formatted(1) + "\r\n\r\n  \n" + line.formatted(2), JsonLines::new))
        .isEqualTo(2);
    assertThat(take("", JsonLines::new)).isZero();
    assertThatRefused(
        4, "orderId", line.formatted(1) + "\n\n\n{\"orderId\":1.5}\n", JsonLines::new);
    assertThatRefused(1, "record", "[" + line.formatted(1) + "]", JsonLines::new);
    assertThatRefused(
        2, "record", line.formatted(1) + "\n" + line.formatted(2).repeat(2), JsonLines::new);
    assertThatRefused(1, "record", " ".repeat(20_000), JsonLines::new);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = true,
      textBlock =
          """
          3 | amount    | 2,abc,2026-01-04T09:14:02Z,c
          3 | orderId   | ,1.00,2026-01-04T09:14:02Z,c
          3 | eventTime | 2,1.00,2026-01-04,c
          3 | eventTime | 2,1.00,,c
          3 | record    | 2,1.00,2026-01-04T09:14:02Z
          3 | record    | 2,1.00,2026-01-04T09:14:02Z,c,d
          3 | record    | 2,1.00,2026-01-04T09:14:02Z,"open
          4 | amount    | ~2,x,2026-01-04T09:14:02Z,c
          4 | amount    | 2,1.00,2026-01-04T09:14:02Z,c~3,,2026-01-04T09:14:02Z,c
          3 | customer  | 2,1.00,2026-01-04T09:14:02Z,"a~b"
          """)
  void csvErrorsNameLineAndField(long line, String field, String rows) {
    assertThatRefused(line, field, HEADER + GOOD + rows.replace('~', '\n') + "\n", CsvOrders::new);
  }

  @Test
  void csvHeadersAreChecked() {
    assertThatRefused(1, "record", "", CsvOrders::new);
    assertThatRefused(1, "amount", "orderId,eventTime\n", CsvOrders::new);
    assertThatRefused(1, "colour", "orderId,colour\n", CsvOrders::new);
    assertThatRefused(1, "orderId", "orderId,orderId\n", CsvOrders::new);
    assertThat(take(HEADER, CsvOrders::new)).isZero();
  }

  @Test
  void whatIsNotUtf8IsRefusedOnItsLine() {
    byte[] latin =
        (HEADER + GOOD + "2,1.00,2026-01-04T09:14:02Z,Zo\u00eb\n")
            .getBytes(StandardCharsets.ISO_8859_1);
    assertThatExceptionOfType(ImportRefused.class)
        .isThrownBy(() -> take(new ByteArrayInputStream(latin), CsvOrders::new))
        .withMessageStartingWith("line 3: customer");
  }

  @Test
  void aCellOrALineWithoutEndIsRefusedBeforeItFillsTheMemory() {
    assertThatRefused(2, "record", HEADER + "1,\"" + "x".repeat(100_000), CsvOrders::new);
    assertThatRefused(2, "record", HEADER + ",".repeat(100_000), CsvOrders::new);
  }

  @Test
  void aBodyBeyondTheLimitIsRefused() {
    assertThatThrownBy(() -> take(HEADER + GOOD.repeat(10_000), CsvOrders::new))
        .isInstanceOf(ImportRefused.class)
        .hasMessageContaining("at most 200000 bytes");
    assertThat(appended).isEmpty();
  }

  @Test
  void aConnectionThatBreaksOffLeavesNothing() {
    InputStream broken =
        new FilterInputStream(body(HEADER + GOOD)) {
          @Override
          public int read(byte[] into, int from, int length) throws IOException {
            int count = super.read(into, from, length);
            if (count < 0) {
              throw new IOException("gone");
            }
            return count;
          }
        };
    assertThatThrownBy(() -> take(broken, CsvOrders::new))
        .isInstanceOf(ImportRefused.class)
        .hasMessageContaining("gone");
  }

  @Test
  void theFileIsGoneAlsoWhenTheLogFails() {
    try (Imports.Checked checked = imports.csv(body(HEADER + GOOD))) {
      assertThatThrownBy(
              () ->
                  checked.appendWith(
                      orders -> {
                        throw new AppendFailed(0, new IOException("no broker"));
                      }))
          .isInstanceOf(AppendFailed.class)
          .hasMessageContaining("no broker");
    }
  }

  @Test
  void whatAKilledImportLeftIsRemoved() throws IOException {
    Files.createFile(folder.resolve("imports").resolve("import-7.part"));
    assertThat(left()).hasSize(1);
    new Imports(folder);
    assertThat(left()).isEmpty();
  }

  private void assertThatRefused(
      long line, String field, String text, Function<Reader, Iterator<Order>> format) {
    appended.clear();
    assertThatExceptionOfType(ImportRefused.class)
        .isThrownBy(() -> take(text, format))
        .satisfies(e -> assertThat(e.line()).isEqualTo(line))
        .satisfies(e -> assertThat(e.field()).isEqualTo(field))
        .satisfies(e -> assertThat(e.reason()).startsWith(field));
    assertThat(appended).isEmpty();
  }

  private long take(String text, Function<Reader, Iterator<Order>> format) {
    return take(body(text), format);
  }

  private long take(InputStream body, Function<Reader, Iterator<Order>> format) {
    try (Imports.Checked checked = imports.check(body, format)) {
      return checked.appendWith(
          orders -> {
            List<Order> all = orders.toList();
            appended.addAll(all);
            return (long) all.size();
          });
    }
  }

  private static InputStream body(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
