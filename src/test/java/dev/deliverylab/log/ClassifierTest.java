package dev.deliverylab.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.deliverylab.log.Classifier.First;
import dev.deliverylab.log.Classifier.Row;
import dev.deliverylab.log.Classifier.Sums;
import dev.deliverylab.log.Truth.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * The classifier, batch by batch, against a model that walks the whole log once with a plain map.
 */
class ClassifierTest {

  @Property(tries = 1000)
  void agreesWithThePlainMap(
      @ForAll("logs") List<Order> log, @ForAll @IntRange(min = 1, max = 7) int batch) {
    agree(log, classify(log, batch));
  }

  @Example
  void theComparisonNoticesAWrongKind() {
    List<Order> log = List.of(order(1, 1, 0), order(1, 1, 0));
    List<Row> right = classify(log, 1).rows;
    Row last = right.get(1);
    List<Row> wrong =
        List.of(right.get(0), new Row(last.met(), last.record(), Kind.CONFLICT, last.ordinal()));
    Result result = classify(log, 1);
    assertThatThrownBy(() -> agree(log, new Result(wrong, result.sums)))
        .isInstanceOf(AssertionError.class);
  }

  @Provide
  Arbitrary<List<Order>> logs() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 12),
            Arbitraries.integers().between(1, 2),
            Arbitraries.integers().between(0, 1))
        .as(ClassifierTest::order)
        .list()
        .ofMaxSize(40);
  }

  private static Order order(int id, int amount, int customer) {
    return new Order(
        BigInteger.valueOf(id),
        BigDecimal.valueOf(amount),
        Instant.parse("2026-01-04T09:14:02Z"),
        "customer-" + customer);
  }

  private record Result(List<Row> rows, Sums sums) {}

  /** As the truth does it: what is stored after a batch is all that the next batch knows. */
  private static Result classify(List<Order> log, int batch) {
    Map<BigInteger, First> stored = new HashMap<>();
    List<Row> rows = new ArrayList<>();
    Sums sums = Sums.NONE;
    for (int from = 0; from < log.size(); from += batch) {
      List<LogRecord> records = new ArrayList<>();
      for (int i = from; i < Math.min(from + batch, log.size()); i++) {
        records.add(new LogRecord(0, i, log.get(i)));
      }
      Classifier classifier = new Classifier(sums);
      classifier.add(
          records,
          0,
          ids -> {
            Map<BigInteger, First> found = new HashMap<>(stored);
            found.keySet().retainAll(ids);
            return found;
          });
      for (Row row : classifier.rows()) {
        if (row.kind() == Kind.FIRST) {
          Order order = row.record().order();
          stored.put(order.orderId(), new First(row.ordinal(), order));
        }
      }
      rows.addAll(classifier.rows());
      sums = classifier.sums();
    }
    return new Result(rows, sums);
  }

  private static void agree(List<Order> log, Result result) {
    Map<BigInteger, Order> firsts = new LinkedHashMap<>();
    List<String> expected = new ArrayList<>();
    for (Order order : log) {
      Order first = firsts.putIfAbsent(order.orderId(), order);
      Kind kind = first == null ? Kind.FIRST : first.equals(order) ? Kind.RESENT : Kind.CONFLICT;
      long ordinal = new ArrayList<>(firsts.keySet()).indexOf(order.orderId());
      expected.add(expected.size() + " " + kind + " " + ordinal);
    }
    assertThat(result.rows)
        .extracting(row -> row.met() + " " + row.kind() + " " + row.ordinal())
        .isEqualTo(expected);
    assertThat(result.sums.orders()).isEqualTo(firsts.size());
    assertThat(result.sums.records()).isEqualTo(log.size());
    assertThat(result.sums.resent())
        .isEqualTo(expected.stream().filter(row -> row.contains("RESENT")).count());
    assertThat(result.sums.conflicts())
        .isEqualTo(expected.stream().filter(row -> row.contains("CONFLICT")).count());
    assertThat(result.sums.total())
        .isEqualByComparingTo(
            firsts.values().stream().map(Order::amount).reduce(BigDecimal.ZERO, BigDecimal::add));
    assertThat(result.sums.highest())
        .isEqualTo(firsts.keySet().stream().max(BigInteger::compareTo).orElse(null));
  }
}
