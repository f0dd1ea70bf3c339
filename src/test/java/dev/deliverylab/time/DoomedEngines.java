package dev.deliverylab.time;

import dev.deliverylab.lane.DeadlyBirth;
import dev.deliverylab.lane.LaneDescription;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A process that lives engines until each has come to its gap, says so on standard output, and
 * waits there for whatever ends it.
 */
final class DoomedEngines {

  static final Policy POLICY =
      new Policy(Duration.ofMinutes(5), Duration.ofMinutes(7), Late.DROP, null, null);
  static final String ARRIVED = "arrived ";

  /** An engine's life and the gap that it is to wait in. */
  record Doom(LaneDescription lane, String after, @Nullable Integer record, int batch)
      implements Serializable {

    String results() {
      return lane.group() + ".results";
    }

    String late() {
      return lane.group() + ".late";
    }
  }

  private DoomedEngines() {}

  public static void main(String[] args) throws Exception {
    ArrayList<Doom> dooms;
    try (InputStream bytes = Files.newInputStream(Path.of(args[0]));
        ObjectInputStream in = new ObjectInputStream(bytes)) {
      @SuppressWarnings("unchecked")
      ArrayList<Doom> read = (ArrayList<Doom>) in.readObject();
      dooms = read;
    }
    CountDownLatch forEver = new CountDownLatch(1);
    for (Doom doom : dooms) {
      StreamsLife life =
          new StreamsLife(
              doom.lane(),
              DeadlyBirth.at(
                      doom.lane(),
                      LateRule.STREAMS_WINDOW.loop(POLICY.late()),
                      doom.after(),
                      doom.record(),
                      doom.batch(),
                      arrived -> {
                        System.out.println(ARRIVED + doom.lane().group());
                        await(forEver);
                      })
                  .footsteps(),
              effect ->
                  new WindowTopology(POLICY, effect)
                      .reading(doom.lane().topic(), doom.results(), doom.late()));
      boolean unused = life.start();
    }
    forEver.await();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
