package dev.deliverylab.lane;

import dev.deliverylab.fault.Death;
import dev.deliverylab.fault.Trap;
import dev.deliverylab.guarantee.Progress;
import dev.deliverylab.guarantee.Rule.Keeper;
import dev.deliverylab.guarantee.Step;
import dev.deliverylab.guarantee.Steps;
import dev.deliverylab.log.InLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.event.ConsumerPausedEvent;
import org.springframework.kafka.event.ConsumerResumedEvent;
import org.springframework.kafka.listener.BatchConsumerAwareMessageListener;
import org.springframework.kafka.listener.CommonContainerStoppingErrorHandler;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;

/**
 * The life of a consumer in a spring-kafka container that only hosts. The container never commits
 * (its acknowledgement is never called) and opens no transaction; the loop does, on this life's own
 * consumer and connection, so the order of its lines is the whole truth.
 */
final class ConsumerLife<R extends InLog> implements Life, Steps<R>, Progress {

  private static final Logger LOG = LoggerFactory.getLogger(ConsumerLife.class);

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration POLL_TIMEOUT = Duration.ofMillis(250);
  private static final int HANDED_OVER_RECORDS = 10_000;
  private static final int BYTES_OF_A_RECORD = 150;
  private static final int AUTO_COMMIT_MILLIS = 100;

  private final LaneDescription description;
  private final Loop<R> loop;
  private final Keeper keeper;
  private final Trap trap;
  private final Footsteps footsteps;

  private final MortalConsumer mortal = new MortalConsumer();
  private final CountDownLatch joined = new CountDownLatch(1);
  private final ConcurrentLinkedQueue<Turn<R>> inHand = new ConcurrentLinkedQueue<>();
  private final BlockingQueue<Runnable> handedOver;
  private final @Nullable Thread worker;
  private final KafkaMessageListenerContainer<byte[], byte[]> container;
  private volatile @Nullable Consumer<byte[], byte[]> consumer;
  private volatile Map<Integer, Long> position = Map.of();
  private volatile Map<Integer, Long> polledBefore = Map.of();
  private volatile int batches;
  private @Nullable Turn<R> pollingTurn;
  private @Nullable Turn<R> workingTurn;
  private volatile boolean over;
  private volatile boolean finishing;
  private volatile CountDownLatch pauseSettled = new CountDownLatch(1);

  ConsumerLife(LaneDescription description, Loop<R> loop, Trap trap, Footsteps footsteps) {
    this.description = description;
    this.loop = loop;
    this.keeper = loop.rule().keeper();
    this.trap = trap;
    this.footsteps = footsteps;
    this.handedOver =
        new ArrayBlockingQueue<>(Math.max(2, HANDED_OVER_RECORDS / description.batchSize()));
    this.worker = loop.rule().steps().contains(Step.HAND_OVER) ? worker() : null;
    this.container = container();
  }

  // --- from outside ---

  @Override
  public int number() {
    return description.life();
  }

  /** Starts and waits until the lane has its partitions; false when it did not get them in time. */
  @Override
  public boolean start() throws InterruptedException {
    if (worker != null) {
      worker.start();
    }
    container.start();
    return joined.await(JOIN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Ends politely: the batch in hand is finished, the client closes as it likes, what was handed
   * over is worked off, the connection says goodbye.
   *
   * @return false when it did not come to an end; it lives on then
   */
  @Override
  public boolean stop() throws InterruptedException {
    footsteps.hurry();
    container.stop();
    if (!mortal.awaitClosed(CLOSE_TIMEOUT) || !finishHandedOver()) {
      return false;
    }
    over = true;
    footsteps.rest();
    if (!footsteps.isDead()) {
      loop.close();
    }
    return true;
  }

  /** Much may be in the queue, so the other thread has time for as long as it gets on. */
  private boolean finishHandedOver() throws InterruptedException {
    if (worker == null) {
      return true;
    }
    finishing = true;
    int before;
    do {
      before = inHand.size();
      // Wakes the thread where it waits for a batch that will not come.
      boolean unused = handedOver.offer(() -> {});
      worker.join(CLOSE_TIMEOUT.toMillis());
    } while (worker.isAlive() && inHand.size() < before);
    return !worker.isAlive();
  }

  /** Stops reading without leaving the group; returns when no more records will come. */
  @Override
  public boolean pause() throws InterruptedException {
    pauseSettled = new CountDownLatch(1);
    container.pause();
    return pauseSettled.await(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS) && awaitIdle();
  }

  @Override
  public boolean resume() throws InterruptedException {
    pauseSettled = new CountDownLatch(1);
    container.resume();
    return pauseSettled.await(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * The end without goodbye; the caller has cut the Kafka connections already. Cuts the sink, wakes
   * the threads and lets them unwind. May be called on one of the life's own threads.
   */
  @Override
  public void die() {
    over = true;
    footsteps.die();
    try {
      loop.cut();
    } catch (RuntimeException e) {
      // A sink that does not answer holds no session that could still do harm, or cannot say so.
      // The rest of the life ends all the same.
      LOG.warn("{}: its sink does not say whether the session is over", description.clientId(), e);
    }
    mortal.die();
    if (worker != null && worker != Thread.currentThread()) {
      worker.interrupt();
    }
    handedOver.clear();
    footsteps.rest();
    joined.countDown();
    pauseSettled.countDown();
  }

  /** Waits until a dead life's threads are gone; false when time ran out first. */
  @Override
  public boolean awaitGone(Duration timeout) throws InterruptedException {
    if (worker != null && worker != Thread.currentThread()) {
      worker.join(timeout.toMillis());
    }
    return mortal.awaitClosed(timeout);
  }

  @Override
  public boolean isOver() {
    return over;
  }

  /** Non-empty polls so far. */
  @Override
  public int batches() {
    return batches;
  }

  @Override
  public @Nullable Now now() {
    return footsteps.now();
  }

  /**
   * Records that a poll has returned and whose batch is not finished. Empty once the life is over.
   */
  @Override
  public List<R> inHand() {
    if (over) {
      return List.of();
    }
    List<R> records = new ArrayList<>();
    inHand.forEach(each -> records.addAll(each.records));
    return records;
  }

  /**
   * What the polls before the latest one returned, as next offsets: what the client may have
   * committed by now.
   */
  @Override
  public Map<Integer, Long> polledBefore() {
    return polledBefore;
  }

  /** The next offsets behind everything that this life has polled. */
  @Override
  public Map<Integer, Long> position() {
    return over ? Map.of() : position;
  }

  LaneDescription description() {
    return description;
  }

  // --- the loop's side: Steps and Progress ---

  @Override
  public List<R> poll() {
    Turn<R> mine = mine();
    footsteps.done(this, new Now(Step.POLL, mine.batch, null, null));
    return mine.records;
  }

  @Override
  public void effect(R record, Act act) {
    Turn<R> mine = mine();
    take(new Now(Step.EFFECT, mine.batch, mine.next(), record), act);
  }

  @Override
  public void commit(Act act) {
    take(new Now(Step.COMMIT, mine().batch, null, null), act);
  }

  @Override
  public void begin(Act act) {
    take(new Now(Step.BEGIN, mine().batch, null, null), act);
  }

  @Override
  public void storeOffset(Act act) {
    take(new Now(Step.STORE_OFFSET, mine().batch, null, null), act);
  }

  @Override
  public void commitTx(Act act) {
    take(new Now(Step.COMMIT_TX, mine().batch, null, null), act);
  }

  @Override
  public void send(R record, Act act) {
    Turn<R> mine = mine();
    take(new Now(Step.SEND, mine.batch, mine.records.indexOf(record) + 1, record), act);
  }

  @Override
  public void handOver(List<R> batch, Work<R> work) {
    Turn<R> mine = mine();
    take(
        new Now(Step.HAND_OVER, mine.batch, null, null),
        () ->
            handedOver.put(
                () -> {
                  workingTurn = mine;
                  work.on(batch);
                  inHand.remove(mine);
                  if (inHand.isEmpty()) {
                    footsteps.rest();
                  }
                }));
  }

  @Override
  public void commit(List<? extends InLog> batch) {
    Consumer<byte[], byte[]> client = consumer;
    if (client == null) {
      throw new IllegalStateException("a commit outside the loop");
    }
    Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
    InLog.behind(batch)
        .forEach(
            (partition, next) ->
                positions.put(
                    new TopicPartition(description.topic(), partition),
                    new OffsetAndMetadata(next)));
    client.commitSync(positions);
  }

  private void take(Now place, Act act) {
    footsteps.take(this, place, act);
  }

  private Turn<R> mine() {
    Turn<R> mine = Thread.currentThread() == worker ? workingTurn : pollingTurn;
    if (mine == null) {
      throw new IllegalStateException("a step outside the loop");
    }
    return mine;
  }

  private void onBatch(List<ConsumerRecord<byte[], byte[]>> polled) {
    mortal.taken();
    try {
      List<R> records = new ArrayList<>(polled.size());
      for (ConsumerRecord<byte[], byte[]> each : polled) {
        records.add(loop.decode(each));
      }
      Turn<R> mine = new Turn<>(batches + 1, List.copyOf(records));
      inHand.add(mine);
      batches = mine.batch;
      pollingTurn = mine;
      position = behind(position, records);
      loop.run(this, this);
      if (worker == null) {
        inHand.remove(mine);
      }
      polledBefore = position;
      footsteps.rest();
      if (keeper == Keeper.CLIENT && trap.waitsIn(mine.batch + 1)) {
        letAutoCommitFallDue();
      }
    } catch (RuntimeException e) {
      // Whatever it is, the container must not see it: it would stop politely, with a commit.
      fail(e);
    }
  }

  /**
   * The poll that brings the next batch commits this one only if the client's interval has passed
   * by then, which is a race where batches are small. In front of a batch with a crash in it the
   * lane takes its time, so that the same crash leaves the same progress.
   */
  private void letAutoCommitFallDue() {
    try {
      footsteps.awaitDeath(Duration.ofMillis(AUTO_COMMIT_MILLIS + AUTO_COMMIT_MILLIS / 2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void fail(Throwable cause) {
    footsteps.failed(this, cause);
    // A container treats an exception as a reason to retry and to commit around it; only an error
    // ends it as it stands.
    throw new Death("failed");
  }

  private static Map<Integer, Long> behind(
      Map<Integer, Long> before, List<? extends InLog> records) {
    Map<Integer, Long> positions = new HashMap<>(before);
    InLog.behind(records).forEach((partition, next) -> positions.merge(partition, next, Math::max));
    return Map.copyOf(positions);
  }

  /** Returns once nothing is in hand, or the life is over. */
  private boolean awaitIdle() throws InterruptedException {
    long until = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
    while (!inHand.isEmpty() && !over && System.nanoTime() < until) {
      footsteps.awaitDeath(Duration.ofMillis(5));
    }
    return inHand.isEmpty();
  }

  private Thread worker() {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (!finishing || !handedOver.isEmpty()) {
                  handedOver.take().run();
                }
              } catch (InterruptedException | Death e) {
                // The life is over, and whoever ended it has said so.
              } catch (RuntimeException e) {
                footsteps.failed(this, e);
              }
            },
            description.clientId() + "-worker");
    thread.setDaemon(true);
    return thread;
  }

  private KafkaMessageListenerContainer<byte[], byte[]> container() {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, description.bootstrapServers());
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, description.group());
    settings.put(ConsumerConfig.CLIENT_ID_CONFIG, description.clientId());
    settings.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, description.instanceId());
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, description.batchSize());
    settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 10_000);
    settings.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 1_000);
    settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 15_000);
    settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 2 << 20);
    settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 256 << 10);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, keeper == Keeper.CLIENT);
    if (keeper == Keeper.CLIENT) {
      settings.put(ConsumerConfig.AUTO_COMMIT_INTERVAL_MS_CONFIG, AUTO_COMMIT_MILLIS);
    } else {
      // Orders that are appended one by one still come as full batches, if they follow each other
      // closely.
      settings.put(
          ConsumerConfig.FETCH_MIN_BYTES_CONFIG, description.batchSize() * BYTES_OF_A_RECORD);
      settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
    }
    var factory =
        new DefaultKafkaConsumerFactory<>(
            settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    factory.addPostProcessor(mortal::around);

    var properties = new ContainerProperties(description.topic());
    if (keeper != Keeper.CLIENT) {
      // With auto-commit the container never commits; otherwise this is what keeps it from doing
      // so.
      properties.setAckMode(ContainerProperties.AckMode.MANUAL);
    }
    properties.setPollTimeout(POLL_TIMEOUT.toMillis());
    properties.setShutdownTimeout(CLOSE_TIMEOUT.toMillis());
    properties.setListenerTaskExecutor(new SimpleAsyncTaskExecutor(description.clientId() + "-"));
    properties.setConsumerRebalanceListener(new Assigned());
    properties.setMessageListener(
        (BatchConsumerAwareMessageListener<byte[], byte[]>)
            (records, client) -> {
              if (!records.isEmpty()) {
                onBatch(records);
              }
            });
    var hosted = new KafkaMessageListenerContainer<>(factory, properties);
    hosted.setCommonErrorHandler(new Stopping());
    hosted.setApplicationEventPublisher(
        event -> {
          if (event instanceof ConsumerPausedEvent || event instanceof ConsumerResumedEvent) {
            pauseSettled.countDown();
          }
        });
    return hosted;
  }

  /**
   * What the container does with an exception that is not from the loop: from the client's own
   * poll.
   */
  private final class Stopping extends CommonContainerStoppingErrorHandler {

    @Override
    public void handleOtherException(
        Exception thrown,
        Consumer<?, ?> client,
        org.springframework.kafka.listener.MessageListenerContainer hosted,
        boolean batchListener) {
      footsteps.failed(ConsumerLife.this, thrown);
      throw new Death("failed");
    }
  }

  private final class Assigned implements ConsumerAwareRebalanceListener {

    @Override
    @SuppressWarnings("unchecked")
    public void onPartitionsAssigned(Consumer<?, ?> client, Collection<TopicPartition> partitions) {
      consumer = (Consumer<byte[], byte[]>) client;
      if (keeper == Keeper.SINK) {
        Map<Integer, Long> stored = loop.storedOffsets();
        for (TopicPartition partition : partitions) {
          client.seek(partition, stored.getOrDefault(partition.partition(), 0L));
        }
      }
      if (!partitions.isEmpty()) {
        loop.joined();
        joined.countDown();
      }
    }
  }

  static boolean isFencing(Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof FencedInstanceIdException) {
        return true;
      }
    }
    return false;
  }
}
