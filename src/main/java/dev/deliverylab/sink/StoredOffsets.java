package dev.deliverylab.sink;

import java.util.Map;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A lane's progress beside its data: the next offset of each partition, in one table for all. */
record StoredOffsets(String prefix, long experiment, String lane) {

  static void create(JdbcClient jdbc, String prefix) {
    jdbc.sql(
            "CREATE TABLE IF NOT EXISTS "
                + table(prefix)
                + " (experiment BIGINT, lane VARCHAR(64), kafka_partition INT"
                + ", next_offset BIGINT NOT NULL"
                + ", PRIMARY KEY (experiment, lane, kafka_partition))")
        .update();
  }

  private static String table(String prefix) {
    return prefix + "offsets";
  }

  /** Parameters: next offset, experiment, lane, partition. */
  String move() {
    return "UPDATE "
        + table(prefix)
        + " SET next_offset = ? WHERE experiment = ? AND lane = ? AND kafka_partition = ?";
  }

  /** Parameters: next offset, experiment, lane, partition. A partition has one writer at a time. */
  String first() {
    return "INSERT INTO "
        + table(prefix)
        + " (next_offset, experiment, lane, kafka_partition) VALUES (?, ?, ?, ?)";
  }

  Map<Integer, Long> read(JdbcClient jdbc) {
    Map<Integer, Long> offsets = new TreeMap<>();
    jdbc.sql(
            "SELECT kafka_partition, next_offset FROM "
                + table(prefix)
                + " WHERE experiment = ? AND lane = ?")
        .params(experiment, lane)
        .query(
            row -> {
              offsets.put(row.getInt(1), row.getLong(2));
            });
    return offsets;
  }

  void write(JdbcClient jdbc, int partition, long nextOffset) {
    Object[] parameters = {nextOffset, experiment, lane, partition};
    if (jdbc.sql(move()).params(parameters).update() == 0) {
      jdbc.sql(first()).params(parameters).update();
    }
  }

  void forget(JdbcClient jdbc) {
    jdbc.sql("DELETE FROM " + table(prefix) + " WHERE experiment = ? AND lane = ?")
        .params(experiment, lane)
        .update();
  }
}
