package dev.deliverylab.lane;

import dev.deliverylab.fault.CrashPoint;
import dev.deliverylab.fault.Trap;
import dev.deliverylab.guarantee.Guarantee;
import dev.deliverylab.guarantee.Guarantees;
import dev.deliverylab.guarantee.Rule;
import dev.deliverylab.sink.SinkAddress;
import dev.deliverylab.sink.SinkTable;
import dev.deliverylab.sink.Sinks;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.admin.Admin;

/**
 * A process that lives lanes until each has come to its gap, says so on standard output, and waits
 * there for whatever ends it. What it is to do comes from a file, so that a lane is here exactly
 * what its description says.
 */
final class DoomedLanes {

  /** A lane and the gap that it is to wait in. */
  record Doom(LaneDescription lane, String after, Integer record, int batch)
      implements Serializable {

    /** Names it on standard output. */
    String name() {
      return lane.log() + ":" + lane.lane();
    }
  }

  /**
   * @param politely once all have come to their gaps the clients close as they like, and the
   *     process says so: what a death must be told apart from
   */
  record Orders(ArrayList<Doom> dooms, SinkAddress sink, String sinkPrefix, boolean politely)
      implements Serializable {}

  static final String ARRIVED = "arrived ";
  static final String ENDED = "ended politely";

  private DoomedLanes() {}

  public static void main(String[] args) throws Exception {
    Orders orders = read(Path.of(args[0]));
    CountDownLatch arrived = new CountDownLatch(orders.dooms().size());
    CountDownLatch forEver = new CountDownLatch(1);
    Sinks sinks = Sinks.at(orders.sink(), orders.sinkPrefix(), Clock.systemUTC());
    Admin admin =
        Admin.create(Map.of("bootstrap.servers", orders.dooms().get(0).lane().bootstrapServers()));
    List<Life> lives = new ArrayList<>();
    for (Doom doom : orders.dooms()) {
      lives.add(
          life(
              doom,
              sinks,
              new Group(admin, doom.lane().topic(), doom.lane().partitions()),
              () -> {
                System.out.println(ARRIVED + doom.name());
                arrived.countDown();
                await(orders.politely() ? arrived : forEver);
              }));
    }
    lives.parallelStream().forEach(DoomedLanes::start);
    if (orders.politely()) {
      arrived.await();
      for (Life life : lives) {
        life.stop();
      }
      System.out.println(ENDED);
    }
    forEver.await();
  }

  private static Life life(Doom doom, Sinks sinks, Group group, Runnable arrival) {
    LaneDescription lane = doom.lane();
    Guarantee guarantee = Guarantees.named(lane.lane());
    Rule rule = guarantee.rule();
    SinkTable table = sinks.open(lane.log(), lane.lane(), rule.shape());
    Trap trap = new Trap();
    trap.arm(CrashPoint.in(rule, lane.batchSize(), doom.after(), doom.record(), doom.batch()), 0);
    Birth birth =
        new Birth(
            lane,
            trap,
            new Pace(),
            new Telling(),
            (victim, point) -> {
              AutoCommitShown.await(
                  victim,
                  rule,
                  point,
                  () -> group.committed(lane.group()),
                  () -> group.offsets(org.apache.kafka.clients.admin.OffsetSpec.latest()));
              arrival.run();
            });
    return new HostedGuarantee(guarantee, table).life(birth);
  }

  private static void start(Life life) {
    try {
      if (!life.start()) {
        System.out.println("no partitions for " + life);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Orders read(Path file) throws IOException, ClassNotFoundException {
    try (InputStream bytes = Files.newInputStream(file);
        ObjectInputStream in = new ObjectInputStream(bytes)) {
      return (Orders) in.readObject();
    }
  }

  private static final class Telling implements Life.Watcher {

    @Override
    public void stepDone(Life life, Now place) {}

    @Override
    public void failed(Life life, Throwable cause) {
      System.out.println("failed " + life + ": " + cause);
    }
  }
}
