package dev.deliverylab.lane;

import dev.deliverylab.guarantee.Guarantee;
import dev.deliverylab.guarantee.Progress;
import dev.deliverylab.guarantee.Rule;
import dev.deliverylab.guarantee.Steps;
import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.OrderCodec;
import dev.deliverylab.sink.SinkTable;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A guarantee over its table. */
public record HostedGuarantee(Guarantee guarantee, SinkTable table) implements Hosted {

  /** What a lane of an experiment hosts. */
  public static HostedGuarantee in(Lane lane) {
    return (HostedGuarantee) lane.hosted();
  }

  @Override
  public Rule rule() {
    return guarantee.rule();
  }

  @Override
  public Life life(Birth birth) {
    return birth.inContainer(loop(birth.description().life()));
  }

  @Override
  public Map<Integer, Long> storedOffsets() {
    return table.storedOffsets();
  }

  @Override
  public void rewind(Map<Integer, Long> to) {
    if (rule().keeper() == Rule.Keeper.SINK) {
      table.rewind(to);
    }
  }

  Loop<LogRecord> loop(int life) {
    OrderCodec codec = new OrderCodec();
    SinkTable.Connected connection = table.connect(life);
    return new Loop<>() {

      @Override
      public Rule rule() {
        return guarantee.rule();
      }

      @Override
      public LogRecord decode(ConsumerRecord<byte[], byte[]> record) {
        return codec.fromLog(record);
      }

      @Override
      public void run(Steps<LogRecord> steps, Progress progress) {
        guarantee.run(steps, connection.sink(), progress);
      }

      @Override
      public Map<Integer, Long> storedOffsets() {
        return table.storedOffsets();
      }

      @Override
      public void close() {
        connection.sink().close();
      }

      @Override
      public void cut() {
        connection.cut();
      }
    };
  }
}
