package dev.deliverylab.log;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.dataformat.csv.CsvFactory;
import tools.jackson.dataformat.csv.CsvReadFeature;

/**
 * Orders from CSV with a header line that names the columns in any order. It reads cell by cell, so
 * that neither a row without end nor a quote that is never closed fills the memory.
 */
final class CsvOrders implements Iterator<Order> {

  private static final int LONGEST_CELL = 10_000;

  private final JsonParser cells;
  private final List<String> columns;
  private long line = 1;
  private @Nullable Order next;

  CsvOrders(Reader text) {
    this.cells =
        CsvFactory.builder()
            .enable(CsvReadFeature.WRAP_AS_ARRAY)
            .enable(CsvReadFeature.SKIP_EMPTY_LINES)
            .streamReadConstraints(
                StreamReadConstraints.builder().maxStringLength(LONGEST_CELL).build())
            .build()
            .createParser(ObjectReadContext.empty(), text);
    this.columns = header();
  }

  private List<String> header() {
    cells.nextToken(); // the array of all rows opens
    List<String> names = row(OrderFields.NAMES.size());
    if (names == null) {
      throw new ImportRefused(line, "record", "record: the header line is missing");
    }
    List<String> stripped = names.stream().map(String::strip).toList();
    OrderFields fields = new OrderFields();
    try {
      stripped.forEach(fields::name);
    } catch (OrderRefused e) {
      throw new ImportRefused(line, e.field(), String.valueOf(e.getMessage()));
    }
    for (String required : OrderFields.REQUIRED) {
      if (!stripped.contains(required)) {
        throw new ImportRefused(line, required, required + " is missing in the header line");
      }
    }
    return stripped;
  }

  @Override
  public boolean hasNext() {
    if (next == null) {
      next = read();
    }
    return next != null;
  }

  @Override
  public Order next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException();
    }
    Order order = next;
    next = null;
    return order;
  }

  private @Nullable Order read() {
    List<String> values = row(columns.size());
    if (values == null) {
      return null;
    }
    if (values.size() < columns.size()) {
      throw new ImportRefused(
          line,
          "record",
          "record has %d values for %d columns".formatted(values.size(), columns.size()));
    }
    OrderFields fields = new OrderFields();
    for (int i = 0; i < columns.size(); i++) {
      String name = columns.get(i);
      String value = values.get(i);
      boolean customer = name.equals(OrderFields.CUSTOMER);
      if (!value.isEmpty()) { // an empty cell is no value
        fields.value(name, customer ? value : value.strip());
      }
    }
    try {
      return fields.order();
    } catch (OrderRefused e) {
      throw new ImportRefused(line, e.field(), String.valueOf(e.getMessage()));
    }
  }

  /** The values of the next row, or null behind the last one. */
  private @Nullable List<String> row(int most) {
    try {
      if (cells.nextToken() != JsonToken.START_ARRAY) {
        return null;
      }
      line = cells.currentLocation().getLineNr();
      List<String> values = new ArrayList<>(most);
      while (cells.nextToken() == JsonToken.VALUE_STRING) {
        if (values.size() == most) {
          throw new ImportRefused(line, "record", "record has more than " + most + " values");
        }
        if (values.isEmpty()) {
          line = cells.currentTokenLocation().getLineNr();
        }
        values.add(cells.getString());
      }
      return values;
    } catch (JacksonException e) {
      String reason =
          e.getCause() instanceof IOException broken
              ? String.valueOf(broken.getMessage())
              : "a quote is not closed, or a value has more than " + LONGEST_CELL + " characters";
      throw new ImportRefused(line, "record", "record is no CSV: " + reason);
    }
  }
}
