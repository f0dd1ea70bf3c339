package dev.deliverylab.time;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.broker.LabClients;
import dev.deliverylab.log.NotAnOrder;
import dev.deliverylab.log.Order;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The truth of a time log: what was appended, read back from the log by a reader of its own and
 * kept in memory, for the plane, the curve and the sums. A log holds at most {@value #MAX_ORDERS}
 * orders, so this is bounded.
 */
final class Arrivals implements AutoCloseable {

  static final int MAX_ORDERS = 200_000;

  private static final Logger LOG = LoggerFactory.getLogger(Arrivals.class);

  /**
   * @param records orders as often as they lie in the log
   * @param ahead orders whose event lies after their arrival
   * @param total revenue of the orders
   * @param clock the greatest arrival or reading; null before the first
   * @param highest the highest order id; null before the first
   * @param version grows with every record
   */
  record Totals(
      long records,
      long ahead,
      BigDecimal total,
      @Nullable Instant clock,
      @Nullable BigInteger highest,
      long version) {

    private static final Totals NONE = new Totals(0, 0, new BigDecimal("0.00"), null, null, 0);
  }

  private final TimeCodec codec = new TimeCodec();
  private final String topic;
  private final Tail tail;
  private final Runnable onChange;
  private final List<TimeRecord> records = new ArrayList<>();
  private final Map<Duration, Windows> windows = new HashMap<>();
  private volatile Totals totals = Totals.NONE;

  /**
   * @param onChange called on the reader's thread after something was read: it must not wait
   */
  Arrivals(Broker broker, TimeLog log, Runnable onChange) {
    this.onChange = onChange;
    this.topic = log.topic();
    this.tail =
        new Tail(
            "arrivals-" + log.number(),
            LabClients.reader(
                broker, "arrivals", Map.of(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000)),
            IntStream.range(0, log.partitions())
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList(),
            this::read);
  }

  private void read(Iterable<ConsumerRecord<byte[], byte[]>> polled) {
    synchronized (this) {
      polled.forEach(this::add);
    }
    onChange.run();
  }

  private void add(ConsumerRecord<byte[], byte[]> polled) {
    Totals before = totals;
    try {
      TimeRecord record = codec.fromLog(polled);
      records.add(record);
      totals = after(before, record);
    } catch (NotAnOrder e) {
      LOG.warn("Not of the lab, and left out: {}", e.getMessage());
    }
  }

  private Totals after(Totals before, TimeRecord record) {
    Instant clock =
        before.clock() == null || record.arrivalTime().isAfter(before.clock())
            ? record.arrivalTime()
            : before.clock();
    if (!(record instanceof ArrivedOrder arrived)) {
      return new Totals(
          before.records(),
          before.ahead(),
          before.total(),
          clock,
          before.highest(),
          before.version() + 1);
    }
    Order order = arrived.order();
    windows.values().forEach(each -> each.add(arrived));
    BigInteger highest = before.highest();
    return new Totals(
        before.records() + 1,
        before.ahead() + (order.eventTime().isAfter(arrived.arrivalTime()) ? 1 : 0),
        before.total().add(order.amount()),
        clock,
        highest == null ? order.orderId() : highest.max(order.orderId()),
        before.version() + 1);
  }

  Totals totals() {
    return totals;
  }

  /** A copy of all records, in the order in which they were read. */
  synchronized List<TimeRecord> all() {
    return List.copyOf(records);
  }

  /** The newest records, oldest first. */
  synchronized List<TimeRecord> newest(int limit) {
    return List.copyOf(records.subList(Math.max(0, records.size() - limit), records.size()));
  }

  /** The true windows of this size, kept up to date from the first question on. */
  synchronized Map<Instant, Windows.Sum> windows(Duration size) {
    Windows asked = windows.get(size);
    if (asked == null) {
      // A page asks for few sizes; one that nobody asks for any more is not kept for ever.
      if (windows.size() >= 8) {
        windows.clear();
      }
      asked = new Windows(size);
      for (TimeRecord record : records) {
        if (record instanceof ArrivedOrder order) {
          asked.add(order);
        }
      }
      windows.put(size, asked);
    }
    return asked.sums();
  }

  /** Waits until everything below these offsets is read; false when time ran out first. */
  boolean await(Map<Integer, Long> offsets, Duration timeout) throws InterruptedException {
    Map<TopicPartition, Long> places = new HashMap<>();
    offsets.forEach((partition, next) -> places.put(new TopicPartition(topic, partition), next));
    return tail.await(places, timeout);
  }

  @Override
  public void close() {
    tail.close();
  }

  /** What the windows of one size would hold with every order in them. */
  static final class Windows {

    private final Duration size;
    private final Map<Instant, Sum> sums = new TreeMap<>();

    private Windows(Duration size) {
      this.size = size;
    }

    private void add(ArrivedOrder order) {
      sums.merge(
          Window.of(order.order().eventTime(), size).start(),
          new Sum(1, order.order().amount(), order.lateness()),
          Sum::plus);
    }

    private Map<Instant, Sum> sums() {
      return Map.copyOf(sums);
    }

    record Sum(long events, BigDecimal revenue, Duration maxLateness) {

      static final Sum NONE = new Sum(0, new BigDecimal("0.00"), Duration.ZERO);

      private Sum plus(Sum other) {
        return new Sum(
            events + other.events,
            revenue.add(other.revenue),
            maxLateness.compareTo(other.maxLateness) > 0 ? maxLateness : other.maxLateness);
      }
    }
  }
}
