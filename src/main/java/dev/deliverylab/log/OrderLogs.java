package dev.deliverylab.log;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.broker.LabClients;
import dev.deliverylab.broker.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaFuture;

/** The logs of all experiments, one topic each, and the one producer that appends to them. */
public final class OrderLogs implements AutoCloseable {

  public static final int MAX_PARTITIONS = 16;

  private static final long ANSWER_SECONDS = 30;

  private final Broker broker;
  private final Topics topics;
  private final Producer<byte[], byte[]> producer;

  private final Runnable admission;

  /** Takes every order there is space for. */
  public OrderLogs(Broker broker) {
    this(broker, () -> {});
  }

  /**
   * Needs no broker yet: the producer connects with the first append.
   *
   * @param admission asked before every order; throws to refuse it
   */
  public OrderLogs(Broker broker, Runnable admission) {
    this.broker = broker;
    this.admission = admission;
    this.topics = new Topics(broker);
    this.producer = LabClients.appender(broker, "appender");
  }

  /**
   * Creates the empty log of a new experiment.
   *
   * @param partitions 1 to {@value #MAX_PARTITIONS}
   */
  public OrderLog create(long experiment, int partitions) {
    if (partitions < 1 || partitions > MAX_PARTITIONS) {
      throw new IllegalArgumentException("partitions lies between 1 and " + MAX_PARTITIONS);
    }
    topics.create(broker.names().log(experiment), partitions);
    OrderLog log = open(experiment);
    log.endOffsets(); // answered by the partitions' leader, so they take orders now
    return log;
  }

  /** The log of an experiment that has one. */
  public OrderLog open(long experiment) {
    String topic = broker.names().log(experiment);
    TopicDescription description =
        Objects.requireNonNull(
            answer(broker.admin().describeTopics(List.of(topic)).allTopicNames()).get(topic),
            "asked for, so answered");
    int partitions = description.partitions().size();
    return new OrderLog(topic, partitions, broker, producer, admission);
  }

  /** Deletes the log of an experiment; one that is gone already is fine. */
  public void delete(long experiment) {
    topics.delete(List.of(broker.names().log(experiment)));
  }

  /** Waits for the broker's answer. */
  static <T> T answer(KafkaFuture<T> future) {
    try {
      return future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new LogUnreachable(String.valueOf(cause.getMessage()), cause);
    } catch (TimeoutException e) {
      throw new LogUnreachable("no answer within " + ANSWER_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LogUnreachable("it was interrupted", e);
    }
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(5));
  }
}
