package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What somebody found who tried to make the lab say something untrue. */
@ExtendWith(SharedLab.class)
class FoundByBreakingIT {

  private static final int PAIRS = 40;

  private final Lab lab;

  FoundByBreakingIT(Lab lab) {
    this.lab = lab;
  }

  /** The customer is the key, so the two of a pair mostly lie in different partitions. */
  @Test
  void ofTwoContentsTheTruthKeepsTheEarlierAcrossPartitions() {
    lab.fresh(16, 2);
    for (int pair = 0; pair < PAIRS; pair++) {
      lab.append(order(1000 + pair, "10.00", "x" + pair)).ok();
      lab.append(order(1000 + pair, "20.00", "y" + pair)).ok();
    }
    assertThat(lab.lane("at-least-once").text("/truth/total")).isEqualTo("400.00");

    lab.fresh(16, 2);
    List<String> all = new ArrayList<>();
    for (int pair = 0; pair < PAIRS; pair++) {
      all.add(order(1000 + pair, "10.00", "x" + pair));
      all.add(order(1000 + pair, "20.00", "y" + pair));
    }
    lab.append(String.join(",", all)).ok();
    assertThat(lab.lane("at-least-once").text("/truth/total")).isEqualTo("400.00");
  }

  /** Two accounts that are wrong by the same amount: the sum agrees, and proves nothing. */
  @Test
  void aSumThatAgreesByChanceKeepsNoPromise() {
    lab.fresh(1, 2);
    lab.append(order(1, "5.00", "ann") + "," + order(2, "-5.00", "bob")).ok();
    lab.post("/api/lanes/increment-in-place/start").ok();
    lab.await("increment-in-place", "drained");
    lab.post("/api/lanes/increment-in-place/replay", "{\"to\":\"earliest\"}").ok();
    assertThat(lab.await("increment-in-place", "drained").at("/verdict/promiseKept").isNull())
        .isTrue();
  }

  @Test
  void aNewGroupReadsEveryPartition() {
    lab.fresh(2, 2);
    lab.post(
            "/api/lanes/at-least-once/replay",
            "{\"to\":\"latest\",\"partition\":0,\"group\":\"new\"}")
        .refused(400, "every partition");
  }

  @Test
  void aReplayThatMovedNothingBackIsNoRewind() {
    lab.fresh(1, 2);
    lab.append(order(1, "5.00", "ann")).ok();
    lab.post("/api/lanes/transactional/start").ok();
    lab.await("transactional", "drained");
    lab.post("/api/lanes/transactional/replay", "{\"to\":\"latest\"}").ok();
    lab.append(order(1, "5.00", "ann")).ok();
    assertThat(lab.await("transactional", "drained").text("/verdict/why"))
        .contains("twice")
        .doesNotContain("rewound");
    lab.post("/api/lanes/transactional/replay", "{\"to\":\"earliest\"}").ok();
    assertThat(lab.await("transactional", "drained").text("/verdict/why")).contains("rewound");
  }

  /** A stream without a body would have a reader that never leaves. */
  @Test
  void headOfAStreamEnds() {
    for (String path : List.of("/api/events", "/live?on=top")) {
      Lab.Answer answer = lab.send("HEAD", path, BodyPublishers.noBody());
      assertThat(answer.status()).as(path).isEqualTo(200);
      assertThat(answer.type()).startsWith("text/event-stream");
    }
    assertThat(lab.get("/actuator/metrics/lab.event.readers").ok().number("/measurements/0/value"))
        .isZero();
  }

  private static String order(int id, String amount, String customer) {
    return "{\"orderId\":%d,\"amount\":\"%s\",\"eventTime\":\"2026-01-04T09:14:02Z\",\"customer\":\"%s\"}"
        .formatted(id, amount, customer);
  }
}
