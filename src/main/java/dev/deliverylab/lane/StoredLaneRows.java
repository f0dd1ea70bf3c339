package dev.deliverylab.lane;

import org.springframework.data.jdbc.core.JdbcAggregateOperations;

/** The lanes' rows in the lab's own database. */
final class StoredLaneRows implements LaneRows {

  private final JdbcAggregateOperations database;

  StoredLaneRows(JdbcAggregateOperations database) {
    this.database = database;
  }

  @Override
  public LaneRow find(String owner, String lane) {
    LaneRow found = database.findById(LaneRow.id(owner, lane), LaneRow.class);
    return found != null ? found : database.insert(LaneRow.fresh(owner, lane));
  }

  @Override
  public void save(LaneRow row) {
    database.update(row);
  }
}
