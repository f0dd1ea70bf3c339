package dev.deliverylab.scenario;

import dev.deliverylab.check.Count;
import dev.deliverylab.lane.LaneState;
import dev.deliverylab.log.Order;
import dev.deliverylab.log.OrderCodec;
import dev.deliverylab.log.OrderRefused;
import dev.deliverylab.scenario.Source.Field;
import dev.deliverylab.scenario.Source.Fields;
import dev.deliverylab.scenario.Source.Items;
import dev.deliverylab.scenario.Source.Scalar;
import dev.deliverylab.scenario.Source.Written;
import dev.deliverylab.time.Arrival;
import dev.deliverylab.time.TimeCodec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads one value, and refuses with its place and what is allowed. */
record ValueReader(String name, Source source) {

  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,19}");
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1," + Order.MAX_DIGITS + "}");
  private static final Pattern PERCENT = Pattern.compile("[0-9]{1,3}\\.[0-9]");
  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,36}(\\.[0-9]{1,20})?");

  boolean isFields() {
    return source instanceof Fields;
  }

  FieldReader fields(String what) {
    return FieldReader.of(source, what);
  }

  List<ValueReader> items(String what) {
    if (source instanceof Items items) {
      return items.items().stream().map(item -> new ValueReader(name, item)).toList();
    }
    throw refuse(what + " is a list, not " + source.kind());
  }

  /** Any scalar but null, as it was written. */
  String text() {
    if (source instanceof Scalar scalar && !scalar.isNull()) {
      return scalar.text();
    }
    throw refuse("'" + name + "' is text, not " + source.kind());
  }

  long number(long least, long most) {
    String allowed = "'" + name + "' is a whole number from " + least + " to " + most;
    Scalar scalar = scalar(allowed);
    if (scalar.type() == Written.NUMBER && WHOLE.matcher(scalar.text()).matches()) {
      BigInteger value = new BigInteger(scalar.text());
      if (value.compareTo(BigInteger.valueOf(least)) >= 0
          && value.compareTo(BigInteger.valueOf(most)) <= 0) {
        return value.longValueExact();
      }
    }
    throw refuse(allowed + ", not " + source.kind());
  }

  Instant instant() {
    String allowed = "'" + name + "' is a time with its zone, as in 2026-01-04T09:17:02Z";
    try {
      return OffsetDateTime.parse(scalar(allowed).text()).toInstant();
    } catch (DateTimeException e) {
      throw refuse(allowed + ", not " + source.kind());
    }
  }

  /** One of these, written in lower case. */
  <E extends Enum<E>> E oneOf(E[] words) {
    String text = text();
    for (E each : words) {
      if (each.name().toLowerCase(Locale.ROOT).equals(text)) {
        return each;
      }
    }
    throw refuse(
        "'"
            + name
            + "' is one of "
            + Arrays.stream(words)
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "))
            + "; it was '"
            + Source.cut(text)
            + "'");
  }

  /** What this supplier makes of it; its refusal gets the place of this value. */
  <T> T checked(Supplier<T> made) {
    try {
      return made.get();
    } catch (ScenarioRefused e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw refuse(String.valueOf(e.getMessage()));
    }
  }

  /** An order, by the same rules as everywhere else. */
  Order order() {
    return checkedOrder(json -> new OrderCodec().read(json));
  }

  /** An order and when it arrives. */
  Arrival arrival() {
    return checkedOrder(json -> new TimeCodec().read(json));
  }

  private <T> T checkedOrder(Function<String, T> codec) {
    FieldReader order = fields("an order");
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    for (Field field : order.all()) {
      if (!(field.value() instanceof Scalar scalar)) {
        throw field
            .value()
            .mark()
            .refuse(field.name() + " is one value, not " + field.value().kind());
      }
      boolean number = field.name().equals("orderId") || field.name().equals("amount");
      switch (scalar.type()) {
        case TEXT -> json.put(field.name(), scalar.text());
        case NUMBER -> {
          if (number) {
            // The codec takes digits as text as well, and text stays what it is.
            json.put(field.name(), scalar.text());
          } else {
            json.put(field.name(), 0);
          }
        }
        case TRUTH -> json.put(field.name(), true);
        case NULL -> json.putNull(field.name());
      }
    }
    try {
      return codec.apply(json.toString());
    } catch (OrderRefused e) {
      Field at = order.source().fields().get(e.field());
      throw (at == null ? order.source().mark() : at.value().mark())
          .refuse(String.valueOf(e.getMessage()));
    }
  }

  // --- what can be expected ---

  /** The expected value in the form in which it is observed; null for null. */
  @Nullable Object figure(Figure.Shape shape, int partitions) {
    boolean isNull = source instanceof Scalar scalar && scalar.isNull();
    if (isNull && shape != Figure.Shape.POSITIONS) {
      return null;
    }
    return switch (shape) {
      case STATE -> state();
      case COUNT -> number(0, Long.MAX_VALUE);
      case MONEY -> money();
      case ANSWER -> answer();
      case POSITIONS -> positions(partitions);
      case IDS -> ids();
      case TABLE -> table();
      case KINDS -> kinds();
      case TIME -> instant().toString();
      case PERCENT -> percent();
      case WINDOWS -> items("'" + name + "'").stream().map(ValueReader::window).toList();
      case MONEYS -> items("'" + name + "'").stream().map(ValueReader::money).toList();
    };
  }

  /** One position a partition; with one partition it need not be a list. */
  List<@Nullable Long> positions(int partitions) {
    List<ValueReader> items =
        source instanceof Items || partitions > 1
            ? items("'" + name + "' with " + partitions + " partitions")
            : List.of(this);
    if (items.size() != partitions) {
      throw refuse(
          "'"
              + name
              + "' has one position a partition, so "
              + partitions
              + ", not "
              + items.size());
    }
    List<@Nullable Long> positions = new ArrayList<>();
    for (ValueReader item : items) {
      boolean none = item.source() instanceof Scalar scalar && scalar.isNull();
      // Boxed by hand: a conditional with null in it would unbox.
      @Nullable Long position = none ? null : Long.valueOf(item.number(0, Long.MAX_VALUE));
      positions.add(position);
    }
    return positions;
  }

  private String state() {
    String states =
        Arrays.stream(LaneState.values()).map(Enum::name).collect(Collectors.joining(", "));
    String text = text();
    if (Arrays.stream(LaneState.values()).noneMatch(state -> state.name().equals(text))) {
      throw refuse("'" + name + "' is one of " + states + "; it was '" + Source.cut(text) + "'");
    }
    return text;
  }

  private String money() {
    String allowed = "'" + name + "' is a decimal such as \"37.50\"";
    Scalar scalar = scalar(allowed);
    if (scalar.type() == Written.TRUTH || !DECIMAL.matcher(scalar.text()).matches()) {
      throw refuse(allowed + ", not " + source.kind());
    }
    BigDecimal amount = new BigDecimal(scalar.text());
    if (amount.stripTrailingZeros().scale() > 2) {
      throw refuse("'" + name + "' has at most two decimals, not " + source.kind());
    }
    return Figure.money(amount);
  }

  private String percent() {
    String allowed = "'" + name + "' is a share in percent with one decimal, such as \"42.3\"";
    Scalar scalar = scalar(allowed);
    if (scalar.type() == Written.TRUTH || !PERCENT.matcher(scalar.text()).matches()) {
      throw refuse(allowed + ", not " + source.kind());
    }
    return scalar.text();
  }

  private Map<String, @Nullable Object> window() {
    FieldReader fields = fields("a window");
    fields.allow(WindowFigure.COLUMNS.keySet().toArray(String[]::new));
    Map<String, @Nullable Object> window = new LinkedHashMap<>();
    for (Field field : fields.all()) {
      Figure.Shape shape = Objects.requireNonNull(WindowFigure.COLUMNS.get(field.name()));
      window.put(field.name(), new ValueReader(field.name(), field.value()).figure(shape, 1));
    }
    return window;
  }

  private boolean answer() {
    String allowed = "'" + name + "' is true, false or null (the lab does not know)";
    Scalar scalar = scalar(allowed);
    if (scalar.type() != Written.TRUTH) {
      throw refuse(allowed + ", not " + source.kind());
    }
    return scalar.text().equals("true");
  }

  private List<BigInteger> ids() {
    List<ValueReader> items = items("'" + name + "'");
    if (items.size() > Count.IDS) {
      throw refuse("'" + name + "': a lane lists at most " + Count.IDS + " ids");
    }
    List<BigInteger> ids = new ArrayList<>();
    for (ValueReader item : items) {
      String text = item.text();
      if (!DIGITS.matcher(text).matches()) {
        throw item.refuse("an order id is a whole number from 0, not " + item.source().kind());
      }
      ids.add(new BigInteger(text));
    }
    return ids;
  }

  private Map<String, Object> table() {
    FieldReader fields = fields("'" + name + "'");
    String count = name.equals("truth") ? "records" : "rows";
    fields.allow(count, "total");
    Map<String, Object> table = new LinkedHashMap<>();
    for (Field field : fields.all()) {
      ValueReader value = new ValueReader(field.name(), field.value());
      table.put(
          field.name(),
          field.name().equals("total") ? value.money() : (Object) value.number(0, Long.MAX_VALUE));
    }
    return table;
  }

  private Map<String, Object> kinds() {
    FieldReader fields = fields("'" + name + "'");
    fields.allow("reRead", "reSent", "conflict");
    Map<String, Object> kinds = new LinkedHashMap<>();
    for (Field field : fields.all()) {
      kinds.put(
          field.name(), new ValueReader(field.name(), field.value()).number(0, Long.MAX_VALUE));
    }
    return kinds;
  }

  private Scalar scalar(String allowed) {
    if (source instanceof Scalar scalar && !scalar.isNull()) {
      return scalar;
    }
    throw refuse(allowed + ", not " + source.kind());
  }

  ScenarioRefused refuse(String reason) {
    return source.mark().refuse(reason);
  }
}
