package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deliverylab.DataFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Files of orders into the log, all or nothing; a lane's whole sink as a file out of it. */
@ExtendWith(SharedLab.class)
class FilesIT {

  private static final String CSV = "text/csv";
  private static final String LINES = "application/x-ndjson";
  private static final String HEADER = "orderId,amount,eventTime,customer\n";
  private static final String TIME = "2026-01-04T09:14:02Z";

  private final Lab lab;

  FilesIT(Lab lab) {
    this.lab = lab;
  }

  private Lab.Answer send(String type, String body) {
    return lab.send("POST", "/api/log/import", BodyPublishers.ofString(body), "Content-Type", type);
  }

  private static String row(int id, String amount) {
    return id + "," + amount + "," + TIME + ",c\n";
  }

  private static String line(int id, String amount) {
    return Lab.order(Integer.toString(id), amount) + "\n";
  }

  @Test
  void bothKindsAreTakenAndReadBack() {
    lab.fresh(1, 2);
    assertThat(send(CSV, HEADER + row(1, "1.00") + row(2, "2.5")).ok().number("/appended"))
        .isEqualTo(2);
    assertThat(send(CSV, "eventTime,orderId,amount\r\n" + TIME + ",3,3\r\n").ok().body())
        .isEqualTo("{\"appended\":1}");
    assertThat(send(LINES, line(4, "4.00") + "\n" + line(5, "5.00")).ok().number("/appended"))
        .isEqualTo(2);
    JsonNode records = lab.get("/api/log/records").ok().at("/records");
    assertThat(records.valueStream().map(each -> each.get("orderId").asInt()))
        .containsExactly(1, 2, 3, 4, 5);
    assertThat(records.valueStream().map(each -> each.get("amount").asString()))
        .containsExactly("1.00", "2.50", "3.00", "4.00", "5.00");
  }

  @ParameterizedTest
  @CsvSource({
    "x,      amount,  'a decimal such as 25.50, not x'",
    "1.001,  amount,  'at most two decimals'",
    "1e9,    amount,  'a decimal'",
  })
  void oneBadLineAtTheEndOfManyAndNothingIsAppended(String amount, String field, String says) {
    String rows = IntStream.rangeClosed(1, 20_000).mapToObj(n -> row(n, "1.00")).collect(joined());
    String lines =
        IntStream.rangeClosed(1, 20_000).mapToObj(n -> line(n, "1.00")).collect(joined());
    String before = lab.everything();
    Lab.Answer csv =
        send(CSV, HEADER + rows + row(20_001, amount)).refused(400, "line 20002", says);
    assertThat(csv.number("/line")).isEqualTo(20_002);
    assertThat(csv.text("/field")).isEqualTo(field);
    Lab.Answer json = send(LINES, lines + line(20_001, amount)).refused(400, "line 20001", says);
    assertThat(json.number("/line")).isEqualTo(20_001);
    assertThat(json.text("/field")).isEqualTo(field);
    assertThat(lab.everything()).isEqualTo(before);
    assertThat(leftovers()).isEmpty();
  }

  private static java.util.stream.Collector<CharSequence, ?, String> joined() {
    return Collectors.joining();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          text/csv             | ``                                      | record    | header line is missing
          text/csv             | orderId,amount                          | eventTime | missing in the header
          text/csv             | orderId,amount,eventTime,<b>            | <b>       | is not a field of an order
          text/csv             | orderId,amount,eventTime\\n1,1,2026-01-04 | eventTime | a time with its offset
          text/csv             | orderId,amount,eventTime\\n1,1           | record    | 2 values for 3 columns
          text/csv             | orderId,amount,eventTime\\n1,1,T,T       | record    | more than 3 values
          text/csv             | orderId,amount,eventTime\\n"1,1,T        | record    | a quote is not closed
          application/x-ndjson | not json                                | record    | is no JSON
          application/x-ndjson | {"orderId":1}                           | amount    | amount is missing
          application/x-ndjson | [1]                                     | record    | a JSON object
          application/x-ndjson | {"orderId":1,"amount":"1","eventTime":"2026-01-04T09:14:02"} | eventTime | a time with its offset
          """)
  void aFileThatIsNotAllowed(String type, String body, String field, String says) {
    String before = lab.everything();
    Lab.Answer refused = send(type, body.replace("\\n", "\n")).refused(400, says);
    assertThat(refused.text("/field")).isEqualTo(field);
    assertThat(refused.at("/line").isIntegralNumber()).isTrue();
    assertThat(lab.everything()).isEqualTo(before);
  }

  @Test
  void anImportOverItsLimitIsRefusedBeforeItIsSent() throws IOException {
    String before = lab.everything();
    long tooLong = (256L << 20) + 1;
    assertThat(lab.raw(head("Content-Length: " + tooLong)))
        .startsWith("HTTP/1.1 413")
        .contains("application/problem+json", "at most 256 MiB");
    assertThat(lab.everything()).isEqualTo(before);
  }

  /** Blank lines are nothing to append, but they count. */
  @Test
  void anImportThatTurnsOutToBeOverItsLimitIsRefusedAndLeavesNothing() {
    String before = lab.everything();
    byte[] blank = new byte[1 << 20];
    Arrays.fill(blank, (byte) '\n');
    byte[] first = line(1, "1.00").getBytes(StandardCharsets.UTF_8);
    lab.send(
            "POST",
            "/api/log/import",
            BodyPublishers.ofByteArrays(
                () ->
                    Stream.concat(Stream.of(first), Stream.generate(() -> blank).limit(256))
                        .iterator()),
            "Content-Type",
            LINES)
        .refused(413, "at most 256 MiB");
    assertThat(lab.everything()).isEqualTo(before);
    assertThat(leftovers()).isEmpty();
  }

  @Test
  void anImportThatDawdlesKeepsNobodyWaiting() throws IOException {
    lab.fresh(1, 2);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), lab.port())) {
      OutputStream out = socket.getOutputStream();
      out.write(head("Transfer-Encoding: chunked").getBytes(StandardCharsets.US_ASCII));
      chunk(out, HEADER + row(1, "1.00"));
      assertThat(lab.get("/api/experiment").number("/truth/appended")).isZero();
      lab.append(Lab.order("100", "1.00")).ok();
      lab.fresh(1, 2); // even a reset goes first
      chunk(out, row(2, "1.00"));
      chunk(out, "");
      InputStream in = socket.getInputStream();
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 200")
          .contains("{\"appended\":2}");
    }
    assertThat(lab.get("/api/log/records").ok().at("/records")).hasSize(2);
    assertThat(leftovers()).isEmpty();
  }

  /** An import up to its body, whose length is told like this. */
  private static String head(String length) {
    return String.join(
        "\r\n",
        "POST /api/log/import HTTP/1.1",
        "Host: localhost",
        "Content-Type: text/csv",
        "Connection: close",
        length,
        "",
        "");
  }

  private static void chunk(OutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.write((Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
    out.write(bytes);
    out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  private List<Path> leftovers() {
    try (Stream<Path> files = Files.list(lab.bean(DataFolder.class).path().resolve("imports"))) {
      return files.toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** More than two pages of a thousand, the same rows as in JSON. */
  @Test
  void aWholeSinkComesAsOneFile() {
    lab.fresh(1, 1000);
    lab.post("/api/log/records", "{\"generate\":{\"count\":2500,\"seed\":42,\"keys\":50}}").ok();
    lab.post("/api/lanes/at-least-once/start").ok();
    lab.await("at-least-once", "drained");
    Lab.Answer file = lab.get("/api/lanes/at-least-once/sink.csv").ok();
    assertThat(file.type()).isEqualTo("text/csv;charset=UTF-8");
    assertThat(file.raw().headers().firstValue("Content-Disposition"))
        .contains("attachment; filename=\"at-least-once.csv\"");
    List<String> lines = file.body().lines().toList();
    assertThat(lines.get(0))
        .isEqualTo(
            "row,orderId,amount,eventTime,customer,key,partition,offset,appliedAt,life,writes");
    assertThat(lines).hasSize(2501);

    List<String> rows = new ArrayList<>();
    for (JsonNode next = tools.jackson.databind.node.IntNode.valueOf(0); !next.isNull(); ) {
      Lab.Answer page =
          lab.get("/api/lanes/at-least-once/sink?limit=1000&after=" + next.asLong()).ok();
      page.at("/rows")
          .forEach(
              r ->
                  rows.add(
                      r.get("row") + "," + r.get("orderId") + "," + r.get("amount").asString()));
      next = page.at("/next");
    }
    assertThat(
            lines.subList(1, 2501).stream()
                .map(l -> l.split(",", 4))
                .map(c -> c[0] + "," + c[1] + "," + c[2]))
        .isEqualTo(rows);
  }

  @ParameterizedTest
  @ValueSource(strings = {"=1+1", "+1", "-1", "@SUM(A1)"})
  void noSheetTakesACustomerForAFormula(String customer) {
    lab.fresh(1, 2);
    send(CSV, HEADER + "1,-1.00," + TIME + ",\"" + customer + "\"\n2,1.00," + TIME + ",a=b\n").ok();
    for (String lane : List.of("at-least-once", "increment-in-place")) {
      lab.post("/api/lanes/" + lane + "/start").ok();
      lab.await(lane, "drained");
    }
    String file = lab.get("/api/lanes/at-least-once/sink.csv").ok().body();
    assertThat(file)
        .containsPattern(",\"?'" + Pattern.quote(customer) + "\"?,")
        .contains(",a=b,", ",-1.00,");
    assertThat(lab.get("/api/lanes/at-least-once/sink").text("/rows/0/customer"))
        .as("JSON has it as it is")
        .isEqualTo(customer);
    assertThat(lab.get("/api/lanes/increment-in-place/sink.csv").ok().body())
        .contains("account,balance\n")
        .doesNotContain("\n" + customer);
  }

  @Test
  void quotesCommasAndLettersOfAnyKindSurvive() {
    lab.fresh(1, 2);
    send(CSV, HEADER + "1,1.00," + TIME + ",\"Zoë \"\"the, one\"\" 東京\"\n").ok();
    lab.post("/api/lanes/at-least-once/start").ok();
    lab.await("at-least-once", "drained");
    assertThat(lab.get("/api/lanes/at-least-once/sink.csv").ok().body())
        .contains(",\"Zoë \"\"the, one\"\" 東京\",");
  }
}
