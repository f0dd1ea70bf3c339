package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Replay by REST: every way to name a position, first looked at, then done. */
@ExtendWith(SharedLab.class)
class ReplaysIT {

  private final Lab lab;

  ReplaysIT(Lab lab) {
    this.lab = lab;
  }

  /** The five orders lie at offsets 0 to 4; a lane that has read them stands at 5. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "to":"earliest"                                    | 0
          "to":"latest"                                      | 5
          "to":"offset","value":3                            | 3
          "to":"offset","value":0                            | 0
          "to":"offset","value":5                            | 5
          "to":"shift","value":-2                            | 3
          "to":"shift","value":-100                          | 0
          "to":"shift","value":1                             | 5
          "to":"timestamp","value":"2026-01-04T09:17:02Z"    | 2
          "to":"timestamp","value":"2026-01-04T10:17:02+01:00" | 2
          "to":"timestamp","value":"2026-01-04T09:15:42Z"    | 2
          "to":"timestamp","value":"2026-01-04T10:00:00Z"    | 5
          "to":"timestamp","value":"1970-01-01T00:00:00Z"    | 0
          """)
  void thePreviewSaysWhereToAndChangesNothing(String target, long to) {
    for (String lane : List.of("at-least-once", "transactional")) {
      drained(lane);
      String before = lab.everything();
      Lab.Answer plan = replay(lane, target + ",\"dryRun\":true");
      assertThat(plan.text("/group")).isEqualTo(lab.lane(lane).text("/group"));
      assertThat(plan.at("/partitions").toString())
          .isEqualTo(
              "[{\"partition\":0,\"from\":5,\"to\":%d,\"records\":%d}]".formatted(to, 5 - to));
      assertThat(lab.everything()).isEqualTo(before);
    }
  }

  /** The five orders and a lane that has read them: made once for all previews. */
  private void drained(String lane) {
    Lab.Answer found = lab.lane(lane);
    boolean fresh = found.number("/life") == 0;
    boolean done =
        found.text("/sink/total").equals("149.45") && found.number("/progress/0/lag") == 0;
    if (found.at("/progress").size() != 1
        || lab.get("/api/experiment").number("/truth/appended") != 5
        || !(fresh || done)) {
      lab.fresh(1, 2);
      lab.fiveOrders();
    } else if (done) {
      return;
    }
    lab.post("/api/lanes/" + lane + "/start").ok();
    lab.await(lane, "drained");
  }

  /** Two of five again: 5 + 2 rows; 149.45 + 8.75 + 63.20 = 221.40. */
  @ParameterizedTest
  @ValueSource(strings = {"at-least-once", "transactional"})
  void aRunningLaneReadsAgainFromThere(String lane) {
    lab.fresh(1, 2);
    drained(lane);
    String group = lab.lane(lane).text("/group");
    Lab.Answer moved = replay(lane, "\"to\":\"offset\",\"value\":3");
    assertThat(moved.raw().body())
        .isEqualTo(
            "{\"group\":\"%s\",\"partitions\":[{\"partition\":0,\"from\":5,\"to\":3,\"records\":2}]}"
                .formatted(group));
    Lab.Answer after = lab.await(lane, "drained");
    assertThat(after.text("/state")).as("left as it was found").isEqualTo("RUNNING");
    assertThat(after.text("/group")).isEqualTo(group);
    assertThat(after.number("/sink/rows")).isEqualTo(7);
    assertThat(after.text("/sink/total")).isEqualTo("221.40");
    assertThat(after.number("/kinds/reRead")).isEqualTo(2);
  }

  @Test
  void stoppedStaysStoppedPausedStaysPausedAndCrashedBecomesStopped() {
    lab.fresh(1, 2);
    drained("at-least-once");
    lab.post("/api/lanes/at-least-once/pause").ok();
    replay("at-least-once", "\"to\":\"earliest\"");
    Lab.Answer paused = lab.lane("at-least-once");
    assertThat(paused.text("/state")).isEqualTo("PAUSED");
    assertThat(paused.number("/progress/0/committed")).isZero();
    assertThat(paused.number("/sink/rows")).isEqualTo(5);

    lab.post("/api/lanes/at-least-once/stop").ok();
    replay("at-least-once", "\"to\":\"latest\"");
    assertThat(lab.lane("at-least-once").text("/state")).isEqualTo("STOPPED");

    lab.post("/api/lanes/at-least-once/start").ok();
    lab.post("/api/lanes/at-least-once/crash", "{\"now\":true}").ok();
    replay("at-least-once", "\"to\":\"shift\",\"value\":-1");
    Lab.Answer stopped = lab.lane("at-least-once");
    assertThat(stopped.text("/state")).isEqualTo("STOPPED");
    assertThat(stopped.number("/progress/0/committed")).isEqualTo(4);
  }

  @Test
  void aNewGroupReadsFromTheStartAndBecomesTheLanesOwn() {
    lab.fresh(1, 2);
    for (String lane : List.of("at-least-once", "transactional")) {
      drained(lane);
      String old = lab.lane(lane).text("/group");
      String before = lab.everything();
      Lab.Answer preview = replay(lane, "\"to\":\"earliest\",\"group\":\"new\",\"dryRun\":true");
      assertThat(lab.everything()).isEqualTo(before);
      String group = preview.text("/group");
      assertThat(group).isNotEqualTo(old);
      assertThat(preview.at("/partitions").toString())
          .isEqualTo("[{\"partition\":0,\"from\":null,\"to\":0,\"records\":5}]");

      assertThat(replay(lane, "\"to\":\"earliest\",\"group\":\"new\"").body())
          .isEqualTo(preview.body());
      Lab.Answer after = lab.await(lane, "drained");
      assertThat(after.text("/group")).isEqualTo(group);
      assertThat(after.number("/sink/rows")).as("the sink stays").isEqualTo(10);
    }
  }

  @Test
  void onePartitionAloneAndAllOfThem() {
    lab.fresh(3, 2);
    List<String> orders = new ArrayList<>();
    for (int id = 1; id <= 12; id++) {
      orders.add(Lab.order(Integer.toString(id), "1.00"));
    }
    lab.append(String.join(",", orders)).ok();
    lab.post("/api/lanes/idempotent-key/start").ok();
    JsonNode progress = lab.await("idempotent-key", "drained").at("/progress");
    long two = progress.get(2).get("committed").asLong();
    assertThat(two).as("some of twelve orders lie in partition 2").isPositive();

    Lab.Answer one = replay("idempotent-key", "\"to\":\"earliest\",\"partition\":2");
    assertThat(one.at("/partitions").toString())
        .isEqualTo("[{\"partition\":2,\"from\":%d,\"to\":0,\"records\":%d}]".formatted(two, two));
    lab.await("idempotent-key", "drained");
    assertThat(lab.lane("idempotent-key").number("/recognised")).isEqualTo(two);

    Lab.Answer all = replay("idempotent-key", "\"to\":\"earliest\",\"dryRun\":true");
    assertThat(all.at("/partitions")).hasSize(3);
    assertThat(all.at("/partitions").valueStream().mapToLong(p -> p.get("records").asLong()).sum())
        .isEqualTo(12);
  }

  @Test
  void aGroupThatNeverCommittedHasNoFrom() {
    lab.fresh(1, 2);
    lab.fiveOrders();
    Lab.Answer plan = replay("at-least-once", "\"to\":\"latest\",\"dryRun\":true");
    assertThat(plan.at("/partitions").toString())
        .isEqualTo("[{\"partition\":0,\"from\":null,\"to\":5,\"records\":0}]");
  }

  private Lab.Answer replay(String lane, String fields) {
    return lab.post("/api/lanes/" + lane + "/replay", "{" + fields + "}").ok();
  }
}
