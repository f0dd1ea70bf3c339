package dev.deliverylab.lane;

import org.springframework.data.jdbc.core.JdbcAggregateOperations;

/** The lanes' rows in the lab's own database. */
final class LaneRows {

  private final JdbcAggregateOperations database;

  LaneRows(JdbcAggregateOperations database) {
    this.database = database;
  }

  LaneRow find(long experiment, String lane) {
    LaneRow found = database.findById(LaneRow.id(experiment, lane), LaneRow.class);
    return found != null ? found : database.insert(LaneRow.fresh(experiment, lane));
  }

  void save(LaneRow row) {
    database.update(row);
  }
}
