package dev.deliverylab.sink;

import java.util.List;

/** The SQL of one window lane's tables. Names are made of checked parts only. */
record WindowSql(String table) {

  private static final String LINE =
      "kafka_partition, kafka_offset, arrival_time, order_id, amount, event_time, customer"
          + ", window_start, window_end, watermark, fate";

  private String ledger() {
    return table + "__ledger";
  }

  private String kept() {
    return table + "__kept";
  }

  private String revisions() {
    return table + "__revisions";
  }

  private String runs() {
    return table + "__run";
  }

  List<String> create() {
    return List.of(
        "CREATE TABLE IF NOT EXISTS "
            + ledger()
            + " (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
            + columns()
            + ", UNIQUE (kafka_partition, kafka_offset))",
        "CREATE INDEX IF NOT EXISTS " + ledger() + "_late ON " + ledger() + " (late, seq)",
        "CREATE TABLE IF NOT EXISTS " + kept() + " (seq BIGINT PRIMARY KEY, " + columns() + ")",
        "CREATE TABLE IF NOT EXISTS "
            + table
            + " (window_start TIMESTAMP(6) WITH TIME ZONE PRIMARY KEY"
            + ", window_end TIMESTAMP(6) WITH TIME ZONE NOT NULL"
            + ", events BIGINT NOT NULL, revenue NUMERIC(38, 2) NOT NULL"
            + ", max_lateness_ms BIGINT NOT NULL, revision INT NOT NULL"
            + ", is_final BOOLEAN NOT NULL, closed_at TIMESTAMP(6) WITH TIME ZONE)",
        "CREATE INDEX IF NOT EXISTS " + table + "__open ON " + table + " (is_final, window_end)",
        "CREATE TABLE IF NOT EXISTS "
            + revisions()
            + " (window_start TIMESTAMP(6) WITH TIME ZONE, revision INT"
            + ", events BIGINT NOT NULL, revenue NUMERIC(38, 2) NOT NULL"
            + ", published_at TIMESTAMP(6) WITH TIME ZONE NOT NULL"
            + ", PRIMARY KEY (window_start, revision))",
        "CREATE TABLE IF NOT EXISTS "
            + runs()
            + " (one INT PRIMARY KEY, run INT NOT NULL, policy VARCHAR(200) NOT NULL"
            + ", state VARCHAR(4000) NOT NULL)");
  }

  private static String columns() {
    return "kafka_partition INT NOT NULL, kafka_offset BIGINT NOT NULL"
        + ", arrival_time TIMESTAMP(6) WITH TIME ZONE NOT NULL"
        + ", order_id NUMERIC(64, 0), amount NUMERIC(10, 2)"
        + ", event_time TIMESTAMP(6) WITH TIME ZONE, customer VARCHAR(200)"
        + ", window_start TIMESTAMP(6) WITH TIME ZONE, window_end TIMESTAMP(6) WITH TIME ZONE"
        + ", watermark TIMESTAMP(6) WITH TIME ZONE, fate VARCHAR(10) NOT NULL"
        + ", late BOOLEAN NOT NULL";
  }

  List<String> drop() {
    return List.of(ledger(), kept(), table, revisions(), runs()).stream()
        .map(name -> "DROP TABLE IF EXISTS " + name)
        .toList();
  }

  /** Parameters: the columns of a line, then whether it is late. */
  String enter() {
    return "INSERT INTO " + ledger() + (" (" + LINE + ", late) VALUES (?" + ", ?".repeat(11) + ")");
  }

  /** Parameters: amount, lateness in ms twice, window start. */
  String count() {
    return "UPDATE "
        + table
        + " SET events = events + 1, revenue = revenue + ?"
        + ", max_lateness_ms = CASE WHEN max_lateness_ms < ? THEN ? ELSE max_lateness_ms END"
        + " WHERE window_start = ?";
  }

  /** Parameters: start, end, amount, lateness in ms, revision, whether final, closed at. */
  String open() {
    return "INSERT INTO " + table + " VALUES (?, ?, 1, ?, ?, ?, ?, ?)";
  }

  /** Parameter: window start. */
  String nextRevision() {
    return "UPDATE " + table + " SET revision = revision + 1 WHERE window_start = ?";
  }

  /** Parameters: clock, window start. */
  String publish() {
    return "INSERT INTO "
        + revisions()
        + " SELECT window_start, revision, events, revenue, ? FROM "
        + table
        + " WHERE window_start = ?";
  }

  /** Parameters: clock, watermark. */
  String publishOpen() {
    return "INSERT INTO "
        + revisions()
        + " SELECT window_start, 1, events, revenue, ? FROM "
        + table
        + " WHERE is_final = FALSE AND window_end <= ?";
  }

  /** Parameters: clock, watermark. */
  String close() {
    return "UPDATE "
        + table
        + " SET is_final = TRUE, revision = 1, closed_at = ?"
        + " WHERE is_final = FALSE AND window_end <= ?";
  }

  String readRun() {
    return "SELECT run, policy, state FROM " + runs() + " WHERE one = 1";
  }

  /** Parameter: state. */
  String saveState() {
    return "UPDATE " + runs() + " SET state = ? WHERE one = 1";
  }

  /** Parameters: run, policy. */
  String moveRun() {
    return "UPDATE " + runs() + " SET run = ?, policy = ?, state = '' WHERE one = 1";
  }

  String firstRun() {
    return "INSERT INTO " + runs() + " VALUES (1, 1, '', '')";
  }

  /** Parameters: start after which, limit. */
  String windows() {
    return "SELECT * FROM " + table + " WHERE window_start > ? ORDER BY window_start LIMIT ?";
  }

  /** Parameters: window after which, limit. */
  String published() {
    return "SELECT window_start, revision, events, revenue, published_at FROM "
        + revisions()
        + " WHERE window_start > ? ORDER BY window_start, revision LIMIT ?";
  }

  /** Parameters: line above which, limit. */
  String lines() {
    return select(ledger()) + " WHERE seq > ? ORDER BY seq LIMIT ?";
  }

  /** Parameters: line above which, limit. */
  String late() {
    return select(ledger()) + " WHERE late = TRUE AND seq > ? ORDER BY seq LIMIT ?";
  }

  /** Parameters: line above which, limit. */
  String keptLines() {
    return select(kept()) + " WHERE seq > ? ORDER BY seq LIMIT ?";
  }

  private static String select(String from) {
    return "SELECT seq, " + LINE + " FROM " + from;
  }

  String totals() {
    return "SELECT COALESCE(SUM(CASE WHEN is_final THEN 0 ELSE 1 END), 0)"
        + ", COALESCE(SUM(CASE WHEN is_final THEN 0 ELSE events END), 0)"
        + ", COALESCE(SUM(revenue), 0), COALESCE(SUM(CASE WHEN is_final THEN revenue END), 0)"
        + ", FLOOR(MAX(EXTRACT(EPOCH FROM closed_at - window_end))) FROM "
        + table;
  }

  /** Parameter: line above which. */
  String sums() {
    return "SELECT fate, COUNT(*), COALESCE(SUM(amount), 0), MAX(seq) FROM "
        + ledger()
        + " WHERE seq > ? GROUP BY fate";
  }

  /** Parameters: partition, first offset that is forgotten. */
  String forget() {
    return "DELETE FROM " + ledger() + " WHERE kafka_partition = ? AND kafka_offset >= ?";
  }

  /** Puts what remains aside, so that the ledger can be written anew. */
  List<String> putAside() {
    return List.of(
        "INSERT INTO "
            + kept()
            + (" (seq, " + LINE + ", late) SELECT seq, " + LINE + ", late FROM " + ledger()),
        "DELETE FROM " + ledger(),
        "DELETE FROM " + table,
        "DELETE FROM " + revisions());
  }

  String clearKept() {
    return "DELETE FROM " + kept();
  }
}
