package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Crashes and lives by REST: what can be armed, when it strikes, what can be waited for. */
@ExtendWith(SharedLab.class)
class CrashesIT {

  private static final String LANE = "at-least-once";

  private final Lab lab;

  CrashesIT(Lab lab) {
    this.lab = lab;
  }

  @ParameterizedTest
  @CsvSource({
    "at-most-once,        commit",
    "at-least-once,       poll",
    "transactional,       begin",
    "transactional,       store-offset",
    "transactional,       commit-tx",
    "auto-commit-handoff, hand-over"
  })
  void aGapThatComesOnceABatchTakesNoRecordAndTheFirstBatchIfNoneIsSaid(String lane, String step) {
    lab.fresh(1, 2);
    Lab.Answer armed =
        lab.post("/api/lanes/" + lane + "/crash", "{\"after\":\"" + step + "\"}").ok();
    assertThat(armed.text("/armed/after")).isEqualTo(step);
    assertThat(armed.at("/armed/record").isNull()).isTrue();
    assertThat(armed.number("/armed/batch")).isEqualTo(1);
    assertThat(armed.text("/armed/waitsFor"))
        .isEqualTo("waits for " + step + " of batch 1 of the next life");
    assertThat(lab.delete("/api/lanes/" + lane + "/crash").ok().at("/armed").isNull()).isTrue();
  }

  @Test
  void armingReplacesFiringDisarmsAndANewExperimentClears() {
    lab.fresh(1, 3);
    lab.fiveOrders();
    crash("{\"after\":\"effect\",\"record\":3}");
    Lab.Answer replaced = crash("{\"after\":\"effect\",\"record\":2,\"batch\":1}");
    assertThat(replaced.number("/armed/record")).isEqualTo(2);
    start();
    Lab.Answer dead = lab.await(LANE, "crashed");
    assertThat(dead.at("/armed").isNull()).isTrue();
    assertThat(dead.number("/sink/rows")).isEqualTo(2);
    assertThat(dead.number("/lastCrash/record")).isEqualTo(2);
    assertThat(dead.number("/crashes")).isEqualTo(1);

    assertThat(start().number("/restarts")).as("start of a dead lane is a restart").isEqualTo(1);
    Lab.Answer done = lab.await(LANE, "drained");
    assertThat(done.number("/crashes")).as("it struck once").isEqualTo(1);
    assertThat(done.number("/sink/rows")).isEqualTo(7);

    crash("{\"after\":\"commit\"}");
    lab.fresh(1, 3);
    assertThat(lab.lane(LANE).at("/armed").isNull()).isTrue();
    assertThat(lab.lane(LANE).number("/crashes")).isZero();
  }

  @Test
  void aCrashCanBeArmedInAnyState() {
    lab.fresh(1, 2);
    start();
    for (String state : new String[] {"RUNNING", "PAUSED", "CRASHED", "STOPPED"}) {
      if (state.equals("PAUSED")) {
        lab.post("/api/lanes/" + LANE + "/pause").ok();
      } else if (state.equals("CRASHED")) {
        crash("{\"now\":true}");
      } else if (state.equals("STOPPED")) {
        start();
        stop();
      }
      Lab.Answer armed = crash("{\"after\":\"poll\",\"batch\":7}");
      assertThat(armed.text("/state")).isEqualTo(state);
      assertThat(armed.number("/armed/batch")).isEqualTo(7);
      assertThat(armed.text("/armed/waitsFor")).startsWith("waits for poll of batch 7");
      lab.delete("/api/lanes/" + LANE + "/crash").ok();
    }
  }

  @Test
  void aDisarmedCrashDoesNotStrikeAndDisarmingTwiceChangesNothing() {
    lab.fresh(1, 2);
    lab.fiveOrders();
    crash("{\"after\":\"poll\"}");
    lab.delete("/api/lanes/" + LANE + "/crash").ok();
    String before = lab.everything();
    lab.delete("/api/lanes/" + LANE + "/crash").ok();
    assertThat(lab.everything()).isEqualTo(before);
    start();
    assertThat(lab.await(LANE, "drained").number("/crashes")).isZero();
  }

  /** Batches of two come as 2, 2, 1: behind effect 1 of batch 3 all five are in the sink. */
  @Test
  void batchesOfTheNextLifeAreCountedFromOne() {
    lab.fresh(1, 2);
    lab.fiveOrders();
    crash("{\"after\":\"effect\",\"record\":1,\"batch\":3}");
    start();
    Lab.Answer dead = lab.await(LANE, "crashed");
    assertThat(dead.number("/sink/rows")).isEqualTo(5);
    assertThat(dead.number("/progress/0/committed")).isEqualTo(4);
    assertThat(dead.number("/lastCrash/batch")).isEqualTo(3);
  }

  @Test
  void onARunningLaneTheyAreCountedFromTheArming() {
    lab.fresh(1, 2);
    lab.fiveOrders();
    start();
    lab.await(LANE, "drained"); // batches 1 to 3
    Lab.Answer armed = crash("{\"after\":\"commit\"}");
    assertThat(armed.text("/state")).isEqualTo("RUNNING");
    assertThat(armed.number("/armed/batch")).isEqualTo(1);
    assertThat(armed.text("/armed/waitsFor"))
        .isEqualTo("waits for commit of batch 4; batch 3 is the latest");
    lab.append(Lab.order("7", "1.00")).ok();
    Lab.Answer dead = lab.await(LANE, "crashed");
    assertThat(dead.number("/lastCrash/batch")).isEqualTo(4);
    assertThat(dead.number("/progress/0/committed")).isEqualTo(6);
  }

  @Test
  void aPlaceThatItsBatchDidNotReachWaitsForTheNextLifeAndSaysSo() {
    lab.fresh(1, 2);
    lab.append(Lab.order("1", "1.00")).ok();
    crash("{\"after\":\"effect\",\"record\":2}");
    start();
    lab.await(LANE, "drained");
    lab.append(Lab.order("2", "1.00")).ok(); // a second batch of one
    Lab.Answer alive = lab.await(LANE, "drained");
    assertThat(alive.number("/crashes")).isZero();
    assertThat(alive.text("/armed/waitsFor")).contains("it waits for the next life: effect 2");
  }

  @Test
  void crashNowKillsARunningAndAPausedLane() {
    lab.fresh(1, 2);
    lab.fiveOrders();
    start();
    lab.await(LANE, "drained");
    Lab.Answer dead = crash("{\"now\":true}");
    assertThat(dead.text("/state")).isEqualTo("CRASHED");
    assertThat(dead.at("/lastCrash/after").isNull()).isTrue();
    lab.post("/api/lanes/" + LANE + "/crash", "{\"now\":true}").refused(409, "CRASHED");

    assertThat(start().text("/state")).isEqualTo("RUNNING");
    assertThat(lab.post("/api/lanes/" + LANE + "/pause").ok().text("/state")).isEqualTo("PAUSED");
    assertThat(crash("{\"now\":true}").text("/state")).isEqualTo("CRASHED");
    assertThat(lab.lane(LANE).number("/crashes")).isEqualTo(2);
  }

  @Test
  void startRestartStopAnswerWhenDoneAndTwiceIsLikeOnce() {
    lab.fresh(1, 2);
    lab.fiveOrders();
    Lab.Answer first = start();
    assertThat(first.text("/state")).isEqualTo("RUNNING");
    assertThat(first.number("/life")).isEqualTo(1);
    assertThat(start().number("/life")).as("start of a running lane").isEqualTo(1);
    Lab.Answer again = lab.post("/api/lanes/" + LANE + "/restart").ok();
    assertThat(again.text("/state")).isEqualTo("RUNNING");
    assertThat(again.number("/life")).as("stop and start").isEqualTo(2);
    assertThat(again.number("/crashes")).isZero();
    assertThat(again.number("/restarts")).isEqualTo(1);
    assertThat(stop().text("/state")).isEqualTo("STOPPED");
    String stopped = lab.everything();
    stop();
    assertThat(lab.everything()).isEqualTo(stopped);
    Lab.Answer fromStopped = lab.post("/api/lanes/" + LANE + "/restart").ok();
    assertThat(fromStopped.text("/state")).isEqualTo("RUNNING");
    assertThat(fromStopped.number("/life")).isEqualTo(3);
  }

  @Test
  void aPausedLaneReadsNothingUntilItIsResumed() {
    lab.fresh(1, 2);
    start();
    lab.await(LANE, "drained");
    assertThat(lab.post("/api/lanes/" + LANE + "/pause").ok().text("/state")).isEqualTo("PAUSED");
    lab.fiveOrders();
    lab.get("/api/lanes/" + LANE + "?await=drained&timeout=1").refused(504, "is PAUSED");
    Lab.Answer paused = lab.lane(LANE);
    assertThat(paused.number("/sink/rows")).isZero();
    assertThat(paused.number("/counts/pending")).isEqualTo(5);
    assertThat(paused.at("/verdict/numberRight").isNull()).as("unknown while pending").isTrue();
    assertThat(lab.post("/api/lanes/" + LANE + "/resume").ok().text("/state")).isEqualTo("RUNNING");
    assertThat(lab.await(LANE, "drained").number("/sink/rows")).isEqualTo(5);
  }

  @Test
  void whatIsWaitedForIsAnsweredOrTimedOut() {
    lab.fresh(1, 2);
    String path = "/api/lanes/" + LANE + "?timeout=0&await=";
    lab.get(path + "stopped").ok();
    for (String not : new String[] {"drained", "crashed", "running"}) {
      lab.get(path + not).refused(504, "is STOPPED and was not " + not + " within 0 s");
    }
    start();
    lab.get(path + "running").ok();
    lab.get(path + "stopped").refused(504, "is RUNNING and was not stopped");
    long before = System.nanoTime();
    lab.get("/api/lanes/" + LANE + "?timeout=1&await=crashed").refused(504, "within 1 s");
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(1_000_000_000L);
  }

  /** At-most-once has lag 0 before its effects: drained means that they are done, too. */
  @Test
  void drainedIsMoreThanLagZero() {
    lab.fresh(1, 5);
    lab.fiveOrders();
    lab.post("/api/pace", "{\"stepMillis\":100}").ok();
    try {
      for (String lane : new String[] {"at-most-once", "auto-commit-handoff"}) {
        lab.post("/api/lanes/" + lane + "/start").ok();
        Lab.Answer drained = lab.await(lane, "drained");
        assertThat(drained.number("/sink/rows")).as(lane).isEqualTo(5);
        assertThat(drained.number("/progress/0/committed")).as(lane).isEqualTo(5);
      }
    } finally {
      lab.post("/api/pace", "{\"stepMillis\":0}").ok();
    }
  }

  @Test
  void allLanesStartAndStopAtOnce() {
    lab.fresh(1, 2);
    lab.fiveOrders();
    Lab.Answer started = lab.post("/api/lanes/start").ok();
    assertThat(started.at("/lanes")).hasSize(10);
    started.at("/lanes").forEach(l -> assertThat(l.get("state").asString()).isEqualTo("RUNNING"));
    started.at("/lanes").forEach(each -> lab.await(each.get("lane").asString(), "drained"));
    Lab.Answer stopped = lab.post("/api/lanes/stop").ok();
    stopped.at("/lanes").forEach(l -> assertThat(l.get("state").asString()).isEqualTo("STOPPED"));
    stopped
        .at("/lanes")
        .forEach(l -> assertThat(l.at("/verdict/numberRight").booleanValue()).isTrue());
  }

  private Lab.Answer crash(String body) {
    return lab.post("/api/lanes/" + LANE + "/crash", body).ok();
  }

  private Lab.Answer start() {
    return lab.post("/api/lanes/" + LANE + "/start").ok();
  }

  private Lab.Answer stop() {
    return lab.post("/api/lanes/" + LANE + "/stop").ok();
  }
}
