package dev.deliverylab.guarantee;

import dev.deliverylab.log.InLog;
import java.util.List;

/** The position from which a restart continues, as the guarantee moves it. */
public interface Progress {

  /**
   * Commits the position behind this batch to Kafka, on the lane's own consumer, and waits for the
   * answer.
   */
  void commit(List<? extends InLog> batch);
}
