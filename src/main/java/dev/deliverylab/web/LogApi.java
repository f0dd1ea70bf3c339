package dev.deliverylab.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.deliverylab.experiment.Experiment;
import dev.deliverylab.experiment.Experiments;
import dev.deliverylab.history.Event;
import dev.deliverylab.history.History;
import dev.deliverylab.log.Dataset;
import dev.deliverylab.log.Generator;
import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import dev.deliverylab.log.OrderCodec;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

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
  private final OrderCodec codec = new OrderCodec();

  LogApi(Experiments experiments, History history) {
    this.experiments = experiments;
    this.history = history;
  }

  record Generate(@Nullable Integer count, @Nullable Long seed, @Nullable Integer keys) {}

  record AppendBody(
      @Nullable String dataset, @Nullable List<JsonNode> records, @Nullable Generate generate) {}

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
        body.dataset() != null ? Dataset.named(body.dataset()).orders() : orders(body.records());
    return experiments.with(
        experiment -> {
          List<LogRecord> placed = experiment.log().appendEach(orders);
          told(experiment, placed.size());
          return new Appended(
              placed.size(),
              placed.stream()
                  .map(r -> new Place(r.partition(), r.offset(), r.order().orderId()))
                  .toList());
        });
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
    List<LogRecord> records = experiment.log().read(partition, from, limit);
    return new Entries(
        records.stream().map(Entry::of).toList(),
        records.size() < limit ? null : records.get(records.size() - 1).offset() + 1);
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
          long count = experiment.log().appendBatched(generator.orders(firstId(experiment)));
          told(experiment, count);
          return new Appended(count, null);
        });
  }

  /** One above the highest id of the experiment; the truth must have met the whole log for that. */
  static BigInteger firstId(Experiment experiment) {
    Map<Integer, Long> end = new HashMap<>(experiment.log().endOffsets());
    experiment.truth().await(end, java.time.Duration.ofSeconds(30));
    BigInteger highest = experiment.truth().highestOrderId();
    return highest == null ? BigInteger.ONE : highest.add(BigInteger.ONE);
  }

  private void told(Experiment experiment, long count) {
    history.record(
        Event.Kind.APPENDED,
        null,
        null,
        count + " record(s) appended to experiment " + experiment.id());
  }

  private List<Order> orders(@Nullable List<JsonNode> records) {
    List<Order> orders = new ArrayList<>();
    int nth = 0;
    for (JsonNode each : records == null ? List.<JsonNode>of() : records) {
      nth++;
      try {
        orders.add(codec.read(each.toString()));
      } catch (RuntimeException e) {
        throw new IllegalArgumentException("records[" + (nth - 1) + "]: " + e.getMessage(), e);
      }
    }
    if (orders.isEmpty()) {
      throw new IllegalArgumentException("records: at least one order");
    }
    return orders;
  }
}
