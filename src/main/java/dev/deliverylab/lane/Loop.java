package dev.deliverylab.lane;

import dev.deliverylab.guarantee.Progress;
import dev.deliverylab.guarantee.Rule;
import dev.deliverylab.guarantee.Steps;
import dev.deliverylab.log.InLog;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What one life does with its batches, and its ground: the connection that it writes through.
 *
 * @param <R> what the log holds
 */
public interface Loop<R extends InLog> {

  Rule rule();

  R decode(ConsumerRecord<byte[], byte[]> record);

  /** One turn, for one batch. */
  void run(Steps<R> steps, Progress progress);

  /** Where to begin, by partition; asked only where the sink keeps the progress. */
  Map<Integer, Long> storedOffsets();

  /** Called when the life has its partitions, before its first batch, on its own thread. */
  default void joined() {}

  /** Says goodbye to what it writes to. */
  void close();

  /** Cuts the connection, as a killed process would. */
  void cut();
}
