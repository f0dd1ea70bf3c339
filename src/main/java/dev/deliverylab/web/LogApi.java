package dev.deliverylab.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.deliverylab.experiment.Experiment;
import dev.deliverylab.experiment.Experiments;
import dev.deliverylab.history.Event;
import dev.deliverylab.history.History;
import dev.deliverylab.log.Dataset;
import dev.deliverylab.log.Generator;
import dev.deliverylab.log.ImportRefused;
import dev.deliverylab.log.Imports;
import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import dev.deliverylab.log.OrderDeserializer;
import dev.deliverylab.log.OrderIds;
import dev.deliverylab.log.Truth;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.annotation.JsonDeserialize;

/** The log by REST: append orders one by one, generate many, read records. */
@RestController
@RequestMapping(path = "/api/log", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "log")
class LogApi {

  private static final String ALLOWED =
      "say one of {\"dataset\":\"five-orders\"}, {\"records\":[{\"orderId\":1001,\"amount\":\"25.50\",\"eventTime\":\"2026-01-04T09:14:02Z\"}]},"
          + " {\"generate\":{\"count\":10000,\"seed\":42,\"keys\":50}}";

  private final Experiments experiments;
  private final History history;
  private final OrderIds ids;
  private final Imports imports;

  LogApi(Experiments experiments, History history, OrderIds ids, Imports imports) {
    this.experiments = experiments;
    this.history = history;
    this.ids = ids;
    this.imports = imports;
  }

  record Generate(@Nullable Integer count, @Nullable Long seed, @Nullable Integer keys) {}

  record AppendBody(
      @Nullable String dataset,
      @JsonDeserialize(contentUsing = OrderDeserializer.class) @Nullable List<Order> records,
      @Nullable Generate generate) {}

  record Place(int partition, long offset, BigInteger orderId) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Appended(long appended, @Nullable List<Place> records) {}

  record Entry(
      int partition,
      long offset,
      BigInteger orderId,
      String amount,
      Instant eventTime,
      @Nullable String customer) {

    static Entry of(LogRecord record) {
      Order order = record.order();
      return new Entry(
          record.partition(),
          record.offset(),
          order.orderId(),
          order.amount().toPlainString(),
          order.eventTime(),
          order.customer());
    }
  }

  record Entries(List<Entry> records, @Nullable Long next) {}

  /** The truth keeps the winner; what each lane keeps is its own rule. */
  record Clash(BigInteger orderId, Entry winner, Entry loser) {}

  record Conflicts(List<Clash> conflicts, long total) {}

  @PostMapping(path = "/records", consumes = MediaType.APPLICATION_JSON_VALUE)
  @Operation(summary = "Appends orders; answers when every record is acknowledged")
  Appended append(@RequestBody AppendBody body) {
    int said =
        (body.dataset() == null ? 0 : 1)
            + (body.records() == null ? 0 : 1)
            + (body.generate() == null ? 0 : 1);
    if (said != 1) {
      throw new IllegalArgumentException(ALLOWED);
    }
    if (body.generate() != null) {
      return generate(body.generate());
    }
    List<Order> orders =
        body.dataset() != null
            ? Dataset.named(body.dataset()).orders()
            : java.util.Objects.requireNonNull(body.records());
    if (orders.stream().anyMatch(order -> order == null)) {
      throw new IllegalArgumentException("records: each is a JSON object, none is null");
    }
    if (orders.isEmpty()) {
      throw new IllegalArgumentException("records: at least one order");
    }
    return experiments.with(
        experiment -> {
          List<LogRecord> placed = experiment.append(orders);
          told(experiment, placed.size());
          return new Appended(
              placed.size(),
              placed.stream()
                  .map(r -> new Place(r.partition(), r.offset(), r.order().orderId()))
                  .toList());
        });
  }

  @PostMapping(
      path = "/import",
      consumes = {"text/csv", "application/x-ndjson"})
  @Operation(summary = "Appends a file of orders, all or nothing")
  Appended importFile(
      @Parameter(hidden = true) @RequestHeader("Content-Type") MediaType type,
      HttpServletRequest request)
      throws BodyLimit.TooLong {
    // Nothing else waits while the body arrives, however slowly.
    try (Imports.Checked checked = checked(type, request)) {
      return experiments.with(
          experiment -> {
            long count = checked.appendTo(experiment.log());
            told(experiment, count);
            return new Appended(count, null);
          });
    }
  }

  private Imports.Checked checked(MediaType type, HttpServletRequest request)
      throws BodyLimit.TooLong {
    try {
      return type.getSubtype().equalsIgnoreCase("csv")
          ? imports.csv(request.getInputStream())
          : imports.jsonLines(request.getInputStream());
    } catch (ImportRefused e) {
      // The reader saw a body that breaks off; the one who broke it off knows why.
      BodyLimit.throwIfTooLong(request);
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @GetMapping("/records")
  @Operation(summary = "Records of one partition, in offset order")
  Entries records(
      @RequestParam(defaultValue = "0") int partition,
      @RequestParam(defaultValue = "0") long from,
      @RequestParam(defaultValue = "100") int limit) {
    Limits.limit(limit);
    Experiment experiment = experiments.current();
    if (partition < 0 || partition >= experiment.partitions()) {
      throw new IllegalArgumentException(
          "partition: 0 to " + (experiment.partitions() - 1) + "; it was " + partition);
    }
    if (from < 0) {
      throw new IllegalArgumentException("from: an offset, 0 or more; it was " + from);
    }
    List<LogRecord> records = experiment.log().read(partition, from, limit + 1);
    return new Entries(
        Limits.shown(records, limit).stream().map(Entry::of).toList(),
        Limits.next(records, limit, record -> record.offset() + 1));
  }

  @GetMapping("/conflicts")
  @Operation(summary = "Orders whose id was known with other content, oldest first")
  Conflicts conflicts(@RequestParam(defaultValue = "100") int limit) {
    Limits.limit(limit);
    Truth truth = experiments.current().truth();
    return new Conflicts(
        truth.conflicts(limit).stream()
            .map(
                loser -> {
                  Truth.Entry winner = truth.entriesOf(loser.record().order().orderId()).get(0);
                  return new Clash(
                      loser.record().order().orderId(),
                      Entry.of(winner.record()),
                      Entry.of(loser.record()));
                })
            .toList(),
        truth.totals().conflicts());
  }

  private Appended generate(Generate wanted) {
    if (wanted.count() == null) {
      throw new IllegalArgumentException(
          "generate: \"count\" from 1 to "
              + Generator.MAX_COUNT
              + ", \"seed\" and \"keys\" if you like");
    }
    Generator generator =
        new Generator(
            wanted.count(),
            wanted.seed() == null ? 1 : wanted.seed(),
            wanted.keys() == null ? 1 : wanted.keys());
    return experiments.with(
        experiment -> {
          try (OrderIds.Run run = ids.take(experiment.log(), generator.count())) {
            long count = experiment.log().appendBatched(generator.orders(run.first()));
            told(experiment, count);
            return new Appended(count, null);
          }
        });
  }

  private void told(Experiment experiment, long count) {
    history.record(
        Event.Kind.APPENDED,
        null,
        null,
        count + " record(s) appended to experiment " + experiment.id());
  }
}
