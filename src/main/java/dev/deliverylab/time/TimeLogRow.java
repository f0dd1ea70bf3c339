package dev.deliverylab.time;

import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/** A time log as the lab's database remembers it; the newest is the current one. */
@Table("TIME_LOG")
record TimeLogRow(@Nullable @Id Long id, int partitions, int batchSize, boolean wallClock) {

  TimeLogRow onWallClock(boolean wall) {
    return new TimeLogRow(id, partitions, batchSize, wall);
  }
}
