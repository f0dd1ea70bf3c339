package dev.deliverylab.sink;

import java.util.ArrayList;
import java.util.List;

/** The SQL of one sink table. Names are made of checked parts only, so they need no quotes. */
record TableSql(Dialect dialect, String table, Shape shape) {

  /** In the order in which {@link LifeSink} binds them. */
  private static final List<String> GIVEN =
      List.of(
          "message_key",
          "order_id",
          "amount",
          "event_time",
          "customer",
          "kafka_partition",
          "kafka_offset",
          "applied_at",
          "life");

  private String view() {
    return table + "__view";
  }

  private String sequence() {
    return table + "__change";
  }

  /** True where a row can change after it was written, so that its change is not its number. */
  private boolean rowsChange() {
    return shape == Shape.KEYED || shape == Shape.FIRST_WINS;
  }

  List<String> create() {
    if (shape == Shape.BALANCE) {
      return List.of(
          "CREATE TABLE IF NOT EXISTS "
              + table
              + " (account VARCHAR(200) PRIMARY KEY, balance NUMERIC(38, 2) NOT NULL)");
    }
    List<String> all = new ArrayList<>();
    if (rowsChange()) {
      all.add("CREATE SEQUENCE IF NOT EXISTS " + sequence());
    }
    all.add(
        "CREATE TABLE IF NOT EXISTS "
            + table
            + " (row_no BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
            + (rowsChange()
                ? ", change_no BIGINT DEFAULT " + dialect.next(sequence()) + " NOT NULL"
                : "")
            + ", message_key VARCHAR(255) NOT NULL"
            + (rowsChange() ? " UNIQUE" : "")
            + ", order_id NUMERIC(64, 0) NOT NULL"
            + ", amount NUMERIC(10, 2) NOT NULL"
            + ", event_time TIMESTAMP(6) WITH TIME ZONE NOT NULL"
            + ", customer VARCHAR(200)"
            + ", kafka_partition INT NOT NULL"
            + ", kafka_offset BIGINT NOT NULL"
            + ", applied_at TIMESTAMP(6) WITH TIME ZONE NOT NULL"
            + ", life INT NOT NULL"
            + ", writes INT DEFAULT 1 NOT NULL)");
    all.add("CREATE INDEX IF NOT EXISTS " + table + "__order ON " + table + " (order_id)");
    if (rowsChange()) {
      all.add("CREATE INDEX IF NOT EXISTS " + sequence() + "d ON " + table + " (change_no)");
    }
    if (shape == Shape.DEDUPLICATED_ON_READ) {
      all.add("CREATE OR REPLACE VIEW " + view() + " AS " + deduplicated());
    }
    return all;
  }

  /**
   * Newest event time of each order; of equal ones the later place in the log; of readings of the
   * same place the first. So a replay, even half of one, changes nothing that the view shows. Said
   * with NOT EXISTS rather than a window function, so that a page costs a page and not the table.
   */
  private String deduplicated() {
    return "SELECT * FROM "
        + table
        + " t WHERE NOT EXISTS (SELECT 1 FROM "
        + table
        + " o WHERE o.order_id = t.order_id AND (o.event_time > t.event_time"
        + " OR o.event_time = t.event_time AND (o.kafka_offset > t.kafka_offset"
        + " OR o.kafka_offset = t.kafka_offset AND (o.kafka_partition > t.kafka_partition"
        + " OR o.kafka_partition = t.kafka_partition AND o.row_no < t.row_no))))";
  }

  List<String> drop() {
    List<String> all = new ArrayList<>();
    if (shape == Shape.DEDUPLICATED_ON_READ) {
      all.add("DROP VIEW IF EXISTS " + view());
    }
    all.add("DROP TABLE IF EXISTS " + table);
    if (rowsChange()) {
      all.add("DROP SEQUENCE IF EXISTS " + sequence());
    }
    return all;
  }

  /** The one write that a table of this shape knows. */
  String write() {
    String columns = String.join(", ", GIVEN);
    return switch (shape) {
      case APPEND_ONLY, DEDUPLICATED_ON_READ ->
          "INSERT INTO "
              + (table + " (" + columns + ") VALUES (?")
              + ", ?".repeat(GIVEN.size() - 1)
              + ")";
      case KEYED -> dialect.insertOr(table, "message_key", columns, GIVEN.size(), replaceContent());
      case FIRST_WINS ->
          dialect.insertOr(table, "message_key", columns, GIVEN.size(), countWrite());
      case BALANCE ->
          dialect.insertOr(
              table,
              "account",
              "account, balance",
              2,
              "balance = t.balance + " + dialect.given(2, "balance"));
      case WINDOWS -> throw new IllegalArgumentException("Windows have SQL of their own.");
    };
  }

  private String countWrite() {
    return "writes = t.writes + 1, change_no = " + dialect.next(sequence());
  }

  private String replaceContent() {
    StringBuilder all = new StringBuilder(countWrite());
    for (int i = 1; i < GIVEN.size(); i++) {
      String column = GIVEN.get(i);
      all.append(", ").append(column).append(" = ").append(dialect.given(i + 1, column));
    }
    return all.toString();
  }

  private String select(String from) {
    return ("SELECT row_no, " + (rowsChange() ? "change_no" : "row_no AS change_no") + ", ")
        + (String.join(", ", GIVEN) + ", writes FROM " + from);
  }

  /** Parameters: change, limit. */
  String changedAfter() {
    String change = rowsChange() ? "change_no" : "row_no";
    return select(table) + " WHERE " + change + " > ? ORDER BY " + change + " LIMIT ?";
  }

  /** Parameters: as many order ids as asked for. Unsorted, so that the index on them is used. */
  String rowsOf(int orderIds) {
    return select(table) + " WHERE order_id IN (?" + ", ?".repeat(orderIds - 1) + ")";
  }

  /** Parameters: row, limit. */
  String page() {
    return select(table) + " WHERE row_no > ? ORDER BY row_no LIMIT ?";
  }

  /** Parameter: limit. The last rows come first. */
  String newest() {
    return select(table) + " ORDER BY row_no DESC LIMIT ?";
  }

  /** Parameters: row, how many raw rows. The number of the last of them, or 0. */
  String endOfStretch() {
    return "SELECT COALESCE(MAX(row_no), 0) FROM (SELECT row_no FROM "
        + table
        + " WHERE row_no > ? ORDER BY row_no LIMIT ?) stretch";
  }

  /** Parameters: row above which and row up to which. */
  String viewBetween() {
    return select(view()) + " WHERE row_no > ? AND row_no <= ? ORDER BY row_no";
  }

  String balances() {
    return "SELECT account, balance FROM " + table + " ORDER BY account";
  }
}
