package dev.deliverylab.web;

import dev.deliverylab.experiment.Experiments;
import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.SinkRow;
import dev.deliverylab.sink.SinkTable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.dataformat.csv.CsvMapper;
import tools.jackson.dataformat.csv.CsvSchema;

/**
 * A lane's whole sink as a file, streamed page by page. A spreadsheet takes a cell that begins with
 * = + - or @ for a formula, so words of other people's choosing that begin so get an apostrophe in
 * front; JSON has them as they are.
 */
@RestController
@Tag(name = "lanes")
class ExportApi {

  private static final int PAGE = 1_000;
  private static final MediaType TEXT_CSV = new MediaType("text", "csv", StandardCharsets.UTF_8);
  private static final CsvMapper CSV =
      CsvMapper.builder().disable(tools.jackson.core.StreamWriteFeature.AUTO_CLOSE_TARGET).build();
  private static final CsvSchema ROWS =
      CsvSchema.builder()
          .addColumns(
              List.of(
                  "row",
                  "orderId",
                  "amount",
                  "eventTime",
                  "customer",
                  "key",
                  "partition",
                  "offset",
                  "appliedAt",
                  "life",
                  "writes"),
              CsvSchema.ColumnType.STRING)
          .build();
  private static final CsvSchema BALANCES =
      CsvSchema.builder().addColumn("account").addColumn("balance").build();

  private final Experiments experiments;

  ExportApi(Experiments experiments) {
    this.experiments = experiments;
  }

  @GetMapping(path = "/api/lanes/{lane}/sink.csv", produces = "text/csv")
  @Operation(
      summary =
          "The whole sink as CSV; view=deduplicated as the view shows it. A customer that begins with"
              + " = + - or @ has an apostrophe in front, so that no sheet takes it for a formula")
  ResponseEntity<StreamingResponseBody> sink(
      @PathVariable String lane, @RequestParam(required = false) @Nullable String view) {
    SinkTable table = experiments.current().table(lane);
    boolean deduplicated = "deduplicated".equals(view);
    if (view != null && !deduplicated) {
      throw new IllegalArgumentException(
          "view: deduplicated, or leave it out; it was '" + view + "'");
    }
    return ResponseEntity.ok()
        .contentType(TEXT_CSV)
        .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"" + lane + ".csv\"")
        .body(
            out -> {
              if (table.shape() == Shape.BALANCE) {
                balances(table, out);
              } else {
                rows(table, deduplicated, out);
              }
            });
  }

  private static void balances(SinkTable table, OutputStream out) throws IOException {
    out.write("account,balance\n".getBytes(StandardCharsets.UTF_8));
    ObjectWriter writer = CSV.writer(BALANCES.withoutHeader());
    table
        .balances()
        .forEach(
            (account, balance) ->
                writer.writeValue(
                    out,
                    Map.of("account", noFormula(account), "balance", balance.toPlainString())));
  }

  private static void rows(SinkTable table, boolean deduplicated, OutputStream out)
      throws IOException {
    out.write((String.join(",", ROWS.getColumnNames()) + "\n").getBytes(StandardCharsets.UTF_8));
    ObjectWriter writer = CSV.writerFor(Line.class).with(ROWS.withoutHeader());
    long after = 0;
    List<SinkRow> page = table.page(after, PAGE, deduplicated);
    while (!page.isEmpty()) {
      for (SinkRow row : page) {
        writer.writeValue(out, Line.of(row));
        after = row.row();
      }
      page = table.page(after, PAGE, deduplicated);
    }
  }

  private static String noFormula(String words) {
    return !words.isEmpty() && "=+-@".indexOf(words.charAt(0)) >= 0 ? "'" + words : words;
  }

  record Line(
      String row,
      String orderId,
      String amount,
      String eventTime,
      @Nullable String customer,
      String key,
      String partition,
      String offset,
      String appliedAt,
      String life,
      String writes) {

    static Line of(SinkRow row) {
      return new Line(
          Long.toString(row.row()),
          row.orderId().toString(),
          row.amount().toPlainString(),
          row.eventTime().toString(),
          row.customer() == null ? null : noFormula(row.customer()),
          noFormula(row.key()),
          Integer.toString(row.partition()),
          Long.toString(row.offset()),
          row.appliedAt().toString(),
          Integer.toString(row.life()),
          Integer.toString(row.writes()));
    }
  }
}
