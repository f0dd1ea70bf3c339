package dev.deliverylab.time;

import dev.deliverylab.fault.Death;
import dev.deliverylab.guarantee.Step;
import dev.deliverylab.lane.Footsteps;
import dev.deliverylab.lane.LaneDescription;
import dev.deliverylab.lane.Life;
import dev.deliverylab.lane.Now;
import dev.deliverylab.log.InLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.Metric;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;

/**
 * A life in Kafka Streams: the loop is the engine's, on the engine's thread. The lab stands between
 * the engine and its clients, and hands it one batch at a time; the engine is asked to commit when
 * a batch is worked off, so that a batch is a transaction and each gap is there once a batch.
 */
final class StreamsLife implements Life {

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

  /**
   * The engine also commits by the clock, wherever it is in a batch: not within the patience of
   * anybody who looks. A transaction must be allowed to stay open for as long; what a death leaves
   * open is ended by the next life, whose producer has the same name.
   */
  private static final int NO_COMMIT_BY_CLOCK_MILLIS = 600_000;

  private final LaneDescription description;
  private final Footsteps footsteps;
  private final KafkaStreams engine;
  private final StreamsClients clients;
  private final TimeCodec codec = new TimeCodec();
  private final CountDownLatch joined = new CountDownLatch(1);
  private final CountDownLatch gone = new CountDownLatch(1);
  private volatile CountDownLatch resting = new CountDownLatch(1);
  private volatile boolean rest;
  private volatile boolean over;
  private volatile @Nullable Batch batch;
  private volatile int batches;
  private volatile Map<Integer, Long> position = Map.of();
  private volatile Map<Integer, Long> polledBefore = Map.of();

  /**
   * @param topology given what it calls after each record
   */
  StreamsLife(
      LaneDescription description,
      Footsteps footsteps,
      Function<Predicate<TimeRecord>, Topology> topology) {
    this.description = description;
    this.footsteps = footsteps;
    this.clients = new StreamsClients(new AtTheClients(), description);
    this.engine = new KafkaStreams(topology.apply(this::worked), settings(), clients);
    engine.setUncaughtExceptionHandler(this::ended);
    engine.setStateListener(
        (now, before) -> {
          if (now == KafkaStreams.State.RUNNING) {
            joined.countDown();
          } else if (now == KafkaStreams.State.NOT_RUNNING || now == KafkaStreams.State.ERROR) {
            gone.countDown();
          }
        });
  }

  private Properties settings() {
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, description.group());
    settings.put(StreamsConfig.CLIENT_ID_CONFIG, description.clientId());
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, description.bootstrapServers());
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, NO_COMMIT_BY_CLOCK_MILLIS);
    settings.put(StreamsConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    settings.put(
        StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG),
        NO_COMMIT_BY_CLOCK_MILLIS);
    settings.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 5);
    settings.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_BLOCK_MS_CONFIG), 15_000);
    consumer(settings, ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, description.instanceId());
    consumer(settings, ConsumerConfig.MAX_POLL_RECORDS_CONFIG, description.batchSize());
    consumer(settings, ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 10_000);
    consumer(settings, ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 1_000);
    // A batch in slow motion takes as long as it takes.
    consumer(settings, ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, Integer.MAX_VALUE);
    settings.put(
        StreamsConfig.adminClientPrefix(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG), 10_000);
    settings.put(
        StreamsConfig.adminClientPrefix(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG), 15_000);
    return settings;
  }

  private static void consumer(Properties settings, String name, Object value) {
    settings.put(StreamsConfig.mainConsumerPrefix(name), value);
  }

  // --- from outside ---

  @Override
  public int number() {
    return description.life();
  }

  @Override
  public boolean start() throws InterruptedException {
    engine.start();
    return joined.await(JOIN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public boolean stop() throws InterruptedException {
    footsteps.hurry();
    boolean idle = pause();
    if (over) {
      return true;
    }
    boolean closed = engine.close(CLOSE_TIMEOUT);
    if (!idle || !closed) {
      return false;
    }
    over = true;
    footsteps.rest();
    return true;
  }

  @Override
  public boolean pause() throws InterruptedException {
    resting = new CountDownLatch(1);
    rest = true;
    return resting.await(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public boolean resume() {
    rest = false;
    return true;
  }

  @Override
  public void die() {
    over = true;
    footsteps.die();
    clients.die();
    batch = null;
    joined.countDown();
    resting.countDown();
    // Returns at once: the engine's thread finds its clients dead, and unwinds.
    boolean unused = engine.close(Duration.ZERO);
  }

  @Override
  public boolean awaitGone(Duration timeout) throws InterruptedException {
    return gone.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public int batches() {
    return batches;
  }

  @Override
  public @Nullable Now now() {
    return footsteps.now();
  }

  @Override
  public List<? extends InLog> inHand() {
    Batch current = batch;
    return current == null ? List.of() : current.records;
  }

  @Override
  public Map<Integer, Long> position() {
    return over ? Map.of() : position;
  }

  @Override
  public Map<Integer, Long> polledBefore() {
    return polledBefore;
  }

  /** Records that the engine's window refused as too late, by the engine's own count. */
  long dropped() {
    return engine.metrics().values().stream()
        .filter(metric -> metric.metricName().name().equals("dropped-records-total"))
        .map(Metric::metricValue)
        .mapToLong(value -> ((Number) value).longValue())
        .sum();
  }

  // --- on the engine's thread ---

  /** What a poll returned, until it is committed. */
  private static final class Batch {

    private final int number;
    private final List<TimeRecord> records;
    private int worked;

    private Batch(int number, List<TimeRecord> records) {
      this.number = number;
      this.records = records;
    }

    private boolean isWorkedOff() {
      return worked == records.size();
    }
  }

  /** A record is counted, late or passed over; true if it was the last of its batch. */
  private boolean worked(TimeRecord record) {
    Batch mine = batch;
    if (mine == null) {
      throw new IllegalStateException("a record outside a batch: " + record.title());
    }
    mine.worked++;
    footsteps.done(this, new Now(Step.EFFECT, mine.number, mine.worked, record));
    return mine.isWorkedOff();
  }

  private StreamThreadExceptionResponse ended(Throwable cause) {
    if (!(cause instanceof Death)) {
      footsteps.failed(this, cause);
    }
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  /** What the lab sees and does where the engine uses its clients. */
  private final class AtTheClients implements StreamsClients.Doorkeeper {

    @Override
    public StreamsClients.May poll() {
      footsteps.throwIfDead();
      if (batch != null) {
        return StreamsClients.May.WAIT;
      }
      if (rest) {
        resting.countDown();
        return StreamsClients.May.REST;
      }
      return StreamsClients.May.READ;
    }

    @Override
    public void polled(ConsumerRecords<byte[], byte[]> polled) {
      footsteps.throwIfDead();
      if (polled.isEmpty()) {
        return;
      }
      List<TimeRecord> records = new ArrayList<>();
      for (ConsumerRecord<byte[], byte[]> each : polled) {
        records.add(codec.fromLog(each));
      }
      Batch mine = new Batch(batches + 1, List.copyOf(records));
      batch = mine;
      batches = mine.number;
      Map<Integer, Long> behind = new HashMap<>(position);
      behind.putAll(InLog.behind(records));
      position = Map.copyOf(behind);
      footsteps.done(StreamsLife.this, new Now(Step.POLL, mine.number, null, null));
    }

    @Override
    public void startsOver() {
      batch = null;
    }

    @Override
    public void throwIfDead() {
      footsteps.throwIfDead();
    }

    @Override
    public void began() {
      step(Step.BEGIN);
    }

    @Override
    public void sentOffsets() {
      step(Step.SEND_OFFSETS);
    }

    @Override
    public void committed() {
      step(Step.COMMIT_TX);
      Batch mine = batch;
      if (mine != null && mine.isWorkedOff()) {
        polledBefore = position;
        batch = null;
        footsteps.rest();
      }
    }

    /** What the engine does outside a batch, as when it closes, is no step of the loop. */
    private void step(Step step) {
      Batch mine = batch;
      if (mine == null) {
        footsteps.throwIfDead();
      } else {
        footsteps.done(StreamsLife.this, new Now(step, mine.number, null, null));
      }
    }
  }
}
