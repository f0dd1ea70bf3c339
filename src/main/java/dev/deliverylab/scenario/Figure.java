package dev.deliverylab.scenario;

import dev.deliverylab.check.Count;
import dev.deliverylab.check.Kinds;
import dev.deliverylab.check.Position;
import dev.deliverylab.check.SinkSummary;
import dev.deliverylab.check.ViewSummary;
import dev.deliverylab.experiment.LaneSnapshot;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a script can expect of a lane, each by the name it has in a lane's snapshot. */
enum Figure {
  STATE("state", Shape.STATE, (lane, count) -> lane.state().name()),
  ROWS("rows", Shape.COUNT, (lane, count) -> sink(lane, SinkSummary::rows)),
  DISTINCT("distinct", Shape.COUNT, (lane, count) -> sink(lane, SinkSummary::distinct)),
  TOTAL("total", Shape.MONEY, (lane, count) -> sink(lane, sink -> money(sink.total()))),
  VIEW("view", Shape.TABLE, (lane, count) -> sink(lane, sink -> view(sink.view()))),
  TRUTH(
      "truth",
      Shape.TABLE,
      (lane, count) ->
          Map.of("records", lane.truth().records(), "total", money(lane.truth().total()))),
  DUPLICATES("duplicates", Shape.COUNT, (lane, count) -> lane.counts().duplicates()),
  LOST("lost", Shape.COUNT, (lane, count) -> lane.counts().lost()),
  PENDING("pending", Shape.COUNT, (lane, count) -> lane.counts().pending()),
  KINDS("kinds", Shape.KINDS, (lane, count) -> kinds(lane.kinds())),
  RECOGNISED("recognised", Shape.COUNT, (lane, count) -> lane.recognised()),
  PROMISE_KEPT("promiseKept", Shape.ANSWER, (lane, count) -> lane.verdict().promiseKept()),
  NUMBER_RIGHT("numberRight", Shape.ANSWER, (lane, count) -> lane.verdict().numberRight()),
  COMMITTED(
      "committed",
      Shape.POSITIONS,
      (lane, count) -> {
        List<@Nullable Long> committed = new ArrayList<>();
        lane.progress().forEach(position -> committed.add(position.committed()));
        return committed;
      }),
  LAG("lag", Shape.COUNT, (lane, count) -> lane.progress().stream().mapToLong(Position::lag).sum()),
  /** In log order; a lane lists its first {@value Count#IDS}. */
  LOST_IDS("lostIds", Shape.IDS, (lane, count) -> count.lost()),
  /** In log order; a lane lists its first {@value Count#IDS}. */
  DOUBLED_IDS("doubledIds", Shape.IDS, (lane, count) -> count.doubled()),
  CRASHES("crashes", Shape.COUNT, (lane, count) -> lane.crashes()),
  RESTARTS("restarts", Shape.COUNT, (lane, count) -> lane.restarts());

  /** How the value of a figure is written. */
  enum Shape {
    STATE,
    COUNT,
    MONEY,
    ANSWER,
    POSITIONS,
    IDS,
    TABLE,
    KINDS,
    TIME,
    PERCENT,
    WINDOWS,
    MONEYS
  }

  /** Of tables only the columns that the script names. */
  static @Nullable Object named(@Nullable Object value, @Nullable Object seen) {
    if (value instanceof Map<?, ?> columns && seen instanceof Map<?, ?> all) {
      Map<Object, @Nullable Object> some = new LinkedHashMap<>();
      columns.keySet().forEach(column -> some.put(column, all.get(column)));
      return some;
    }
    if (value instanceof List<?> rows && seen instanceof List<?> all && rows.size() == all.size()) {
      List<@Nullable Object> some = new ArrayList<>();
      for (int i = 0; i < rows.size(); i++) {
        some.add(named(rows.get(i), all.get(i)));
      }
      return some;
    }
    return seen;
  }

  private interface Look {
    @Nullable Object at(LaneSnapshot lane, Count count);
  }

  private interface InSink {
    @Nullable Object of(SinkSummary sink);
  }

  private final String word;
  private final Shape shape;

  @SuppressWarnings("ImmutableEnumChecker") // functions without state
  private final Look look;

  Figure(String word, Shape shape, Look look) {
    this.word = word;
    this.shape = shape;
    this.look = look;
  }

  String word() {
    return word;
  }

  Shape shape() {
    return shape;
  }

  /** Its value now; null where the lab does not know. */
  @Nullable Object observe(Counted counted) {
    return look.at(counted.lane(), counted.count());
  }

  /** With two decimals, as everywhere; more of them if there are more, so that nothing is lost. */
  static String money(BigDecimal amount) {
    return amount
        .setScale(Math.max(2, amount.stripTrailingZeros().scale()), RoundingMode.UNNECESSARY)
        .toPlainString();
  }

  private static @Nullable Object sink(LaneSnapshot lane, InSink question) {
    SinkSummary sink = lane.sink();
    return sink == null ? null : question.of(sink);
  }

  private static @Nullable Object view(@Nullable ViewSummary view) {
    return view == null ? null : Map.of("rows", view.rows(), "total", money(view.total()));
  }

  private static @Nullable Object kinds(@Nullable Kinds kinds) {
    if (kinds == null) {
      return null;
    }
    Map<String, Object> byName = new LinkedHashMap<>();
    byName.put("reRead", kinds.reRead());
    byName.put("reSent", kinds.reSent());
    byName.put("conflict", kinds.conflict());
    return byName;
  }
}
