package dev.deliverylab.scenario;

import dev.deliverylab.scenario.Figure.Shape;
import dev.deliverylab.time.WindowLaneSnapshot;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a script can expect of a window lane, each by the name it has in REST. */
enum WindowFigure {
  STATE("state", Shape.STATE, (lane, records) -> lane.state().name()),
  RUN("run", Shape.COUNT, (lane, records) -> (long) lane.run()),
  ACCEPTED("accepted", Shape.COUNT, (lane, records) -> lane.accepted()),
  DROPPED("dropped", Shape.COUNT, (lane, records) -> lane.late().dropped()),
  SIDE("side", Shape.COUNT, (lane, records) -> lane.late().side()),
  SIDE_REVENUE(
      "sideRevenue", Shape.MONEY, (lane, records) -> Figure.money(lane.late().sideRevenue())),
  RESTATED("restated", Shape.COUNT, (lane, records) -> lane.late().restated()),
  EMITTED("emitted", Shape.MONEY, (lane, records) -> Figure.money(lane.emitted())),
  CLOSED("closed", Shape.MONEY, (lane, records) -> Figure.money(lane.closed())),
  TRUTH(
      "truth",
      Shape.TABLE,
      (lane, records) -> Map.of("records", records, "total", Figure.money(lane.trueRevenue()))),
  MISSING("missing", Shape.MONEY, (lane, records) -> Figure.money(lane.missing())),
  MISSING_SHARE(
      "missingShare",
      Shape.PERCENT,
      (lane, records) -> lane.missingShare() == null ? null : lane.missingShare().toPlainString()),
  WATERMARK("watermark", Shape.TIME, (lane, records) -> text(lane.watermark())),
  OPEN_WINDOWS("openWindows", Shape.COUNT, (lane, records) -> lane.openWindows()),
  OPEN_EVENTS("openEvents", Shape.COUNT, (lane, records) -> lane.openEvents()),
  ANSWERED_AFTER(
      "answeredAfterSeconds", Shape.COUNT, (lane, records) -> lane.answeredAfterSeconds()),
  ENGINE_DROPPED("engineDropped", Shape.COUNT, (lane, records) -> lane.engineDropped()),
  LAG("lag", Shape.COUNT, (lane, records) -> lane.lag()),
  CRASHES("crashes", Shape.COUNT, (lane, records) -> lane.crashes()),
  WINDOWS(
      "windows",
      Shape.WINDOWS,
      (lane, records) -> lane.windows().stream().map(WindowFigure::window).toList());

  private interface Look {
    @Nullable Object at(WindowLaneSnapshot lane, long records);
  }

  private final String word;
  private final Shape shape;

  @SuppressWarnings("ImmutableEnumChecker") // functions without state
  private final Look look;

  WindowFigure(String word, Shape shape, Look look) {
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

  /** Its value now; null where the lab does not know, or there is none. */
  @Nullable Object observe(WindowLaneSnapshot lane, long records) {
    return look.at(lane, records);
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }

  private static Map<String, Object> window(WindowLaneSnapshot.WindowView window) {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("start", window.start().toString());
    columns.put("end", window.end().toString());
    columns.put("events", window.events());
    columns.put("revenue", Figure.money(window.revenue()));
    columns.put("truth", Figure.money(window.trueRevenue()));
    columns.put("maxLatenessSeconds", window.maxLatenessSeconds());
    columns.put("revision", (long) window.revision());
    columns.put("final", window.isFinal());
    columns.put(
        "published",
        window.published().stream().map(each -> Figure.money(each.revenue())).toList());
    return columns;
  }

  /** The columns of a window, and how each is written. */
  static final Map<String, Shape> COLUMNS = columns();

  private static Map<String, Shape> columns() {
    Map<String, Shape> columns = new LinkedHashMap<>();
    columns.put("start", Shape.TIME);
    columns.put("end", Shape.TIME);
    columns.put("events", Shape.COUNT);
    columns.put("revenue", Shape.MONEY);
    columns.put("truth", Shape.MONEY);
    columns.put("maxLatenessSeconds", Shape.COUNT);
    columns.put("revision", Shape.COUNT);
    columns.put("final", Shape.ANSWER);
    columns.put("published", Shape.MONEYS);
    return columns;
  }
}
