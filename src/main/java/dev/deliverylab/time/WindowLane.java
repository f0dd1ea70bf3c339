package dev.deliverylab.time;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.guarantee.Progress;
import dev.deliverylab.guarantee.Rule;
import dev.deliverylab.guarantee.Steps;
import dev.deliverylab.lane.Birth;
import dev.deliverylab.lane.LaneDescription;
import dev.deliverylab.lane.Life;
import dev.deliverylab.lane.Loop;
import dev.deliverylab.sink.Fate;
import dev.deliverylab.sink.WindowBook;
import dev.deliverylab.sink.WindowTable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A lane that counts in windows, by one of our rules. Windows, ledger, what it remembers of the
 * time, and the position move together, in one database transaction a batch: after a crash at any
 * gap the next life judges each record as the last one would have.
 */
final class WindowLane implements Windowed {

  private final LateRule rule;
  private final TimeLog log;
  private final WindowTable table;
  private final Broker broker;
  private final UnaryOperator<TimeRecord> arrival;
  private volatile Policy policy;
  private @Nullable Policy wanted;

  /**
   * @param arrival the record as it is judged: with another arrival, where the wall clock rules
   */
  WindowLane(
      LateRule rule,
      TimeLog log,
      WindowTable table,
      Broker broker,
      UnaryOperator<TimeRecord> arrival) {
    this.rule = rule;
    this.log = log;
    this.table = table;
    this.broker = broker;
    this.arrival = arrival;
    this.policy = rule.policy(table.run().policy());
  }

  @Override
  public LateRule lateRule() {
    return rule;
  }

  @Override
  public Policy policy() {
    return policy;
  }

  @Override
  public synchronized void follow(@Nullable Policy next) {
    wanted = next;
  }

  @Override
  public WindowBook book() {
    return table;
  }

  @Override
  public @Nullable Long engineDropped() {
    return null;
  }

  @Override
  public void close() {}

  @Override
  public Rule rule() {
    return rule.loop(policy.late());
  }

  @Override
  public Map<Integer, Long> storedOffsets() {
    return table.storedOffsets();
  }

  @Override
  public synchronized void rewind(Map<Integer, Long> to) {
    Policy next = wanted == null ? policy : wanted;
    if (next.late() == Late.SIDE_OUTPUT) {
      SideOutput.begin(broker, sideTopic());
    }
    table.beginRun(
        to,
        next.text(),
        sink ->
            new Windowing(rule, next, log.partitions(), sink, UnaryOperator.identity())::refold);
    policy = next;
  }

  /** Where the late records of the current run go, where they go anywhere. */
  String sideTopic() {
    return log.scope().topic(rule.label() + ".late");
  }

  @Override
  public Life life(Birth birth) {
    return birth.inContainer(new WindowLoop(birth.description()));
  }

  /** One life's way through its batches. */
  private final class WindowLoop implements Loop<TimeRecord> {

    private final TimeCodec codec = new TimeCodec();
    private final WindowTable.Connected connection;
    private final Windowing windows;
    private final @Nullable SideOutput sideOutput;
    private final Rule steps = WindowLane.this.rule();

    private WindowLoop(LaneDescription life) {
      this.connection = table.connect(life.life());
      this.windows = new Windowing(rule, policy, log.partitions(), connection.sink(), arrival);
      this.sideOutput =
          policy.late() == Late.SIDE_OUTPUT
              ? new SideOutput(life.bootstrapServers(), life.clientId(), sideTopic())
              : null;
    }

    @Override
    public Rule rule() {
      return steps;
    }

    @Override
    public TimeRecord decode(ConsumerRecord<byte[], byte[]> record) {
      return codec.fromLog(record);
    }

    @Override
    public void run(Steps<TimeRecord> steps, Progress progress) {
      Map<TimeRecord, Judgement> aside = new LinkedHashMap<>();
      var batch = steps.poll();
      steps.begin(windows::begin);
      for (var record : batch) {
        steps.effect(
            record,
            () -> {
              Judgement judged = windows.take(record);
              if (judged.fate() == Fate.SIDE) {
                aside.put(record, judged);
              }
            });
      }
      steps.storeOffset(() -> windows.store(batch));
      steps.commitTx(connection.sink()::commit);
      aside.forEach((record, late) -> steps.send(record, () -> output().send(late)));
    }

    private SideOutput output() {
      return Objects.requireNonNull(sideOutput, "only this policy sets records aside");
    }

    @Override
    public Map<Integer, Long> storedOffsets() {
      return table.storedOffsets();
    }

    @Override
    public void joined() {
      if (sideOutput != null) {
        sideOutput.catchUp(table);
      }
    }

    @Override
    public void close() {
      if (sideOutput != null) {
        sideOutput.close();
      }
      connection.sink().close();
    }

    @Override
    public void cut() {
      try {
        connection.cut();
      } finally {
        if (sideOutput != null) {
          sideOutput.cut();
        }
      }
    }
  }
}
