package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several people press at once: commands take turns, and the lab stays in one piece. */
@ExtendWith(SharedLab.class)
class ConcurrencyIT {

  private static final int PEOPLE = 6;

  private final Lab lab;
  private final ExecutorService people = Executors.newFixedThreadPool(PEOPLE);

  ConcurrencyIT(Lab lab) {
    this.lab = lab;
  }

  @AfterEach
  void goHome() {
    people.shutdownNow();
  }

  private record Press(String method, String path, String body) {}

  private static Press post(String path) {
    return new Press("POST", path, "{}");
  }

  private static Press post(String path, String body) {
    return new Press("POST", path, body);
  }

  /** Everybody starts at the same moment and goes through a list of their own. */
  private List<Lab.Answer> atOnce(List<List<Press>> lists) throws Exception {
    CyclicBarrier together = new CyclicBarrier(lists.size());
    List<Future<List<Lab.Answer>>> futures = new ArrayList<>();
    for (List<Press> list : lists) {
      futures.add(
          people.submit(
              () -> {
                together.await();
                return list.stream().map(this::press).toList();
              }));
    }
    List<Lab.Answer> answers = new ArrayList<>();
    for (Future<List<Lab.Answer>> future : futures) {
      try {
        answers.addAll(future.get());
      } catch (ExecutionException e) {
        throw new AssertionError("a request was not answered", e);
      }
    }
    return answers;
  }

  private Lab.Answer press(Press press) {
    return lab.send(
        press.method(),
        press.path(),
        BodyPublishers.ofString(press.body()),
        "Content-Type",
        "application/json");
  }

  private List<Lab.Answer> everyone(Press press) throws Exception {
    return atOnce(IntStream.range(0, PEOPLE).mapToObj(n -> List.of(press)).toList());
  }

  @Test
  void startPressedByEverybodyStartsOneLife() throws Exception {
    lab.fresh(1, 2);
    lab.fiveOrders();
    for (Lab.Answer answer : everyone(post("/api/lanes/at-least-once/start"))) {
      assertThat(answer.ok().text("/state")).isEqualTo("RUNNING");
      assertThat(answer.number("/life")).isEqualTo(1);
    }
    assertThat(lab.await("at-least-once", "drained").number("/sink/rows")).isEqualTo(5);
    for (Lab.Answer answer : everyone(post("/api/lanes/at-least-once/stop"))) {
      assertThat(answer.ok().text("/state")).isEqualTo("STOPPED");
    }
  }

  @Test
  void restartPressedByEverybodyIsOneLifeEach() throws Exception {
    lab.fresh(1, 2);
    lab.post("/api/lanes/at-least-once/start").ok();
    everyone(post("/api/lanes/at-least-once/restart")).forEach(Lab.Answer::ok);
    Lab.Answer after = lab.lane("at-least-once");
    assertThat(after.text("/state")).isEqualTo("RUNNING");
    assertThat(after.number("/life")).isEqualTo(1 + PEOPLE);
    assertThat(after.number("/restarts")).isEqualTo(PEOPLE);
  }

  @Test
  void crashNowPressedByEverybodyIsOneDeath() throws Exception {
    lab.fresh(1, 2);
    lab.post("/api/lanes/at-least-once/start").ok();
    List<Lab.Answer> answers = everyone(post("/api/lanes/at-least-once/crash", "{\"now\":true}"));
    assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
    answers.stream()
        .filter(answer -> answer.status() != 200)
        .forEach(answer -> answer.refused(409, "CRASHED", "start it first"));
    assertThat(lab.lane("at-least-once").number("/crashes")).isEqualTo(1);
  }

  /** Any mixture of commands: each answers that it is done or not possible now, never a 500. */
  @ParameterizedTest
  @ValueSource(strings = {"idempotent-key", "transactional"})
  void anyMixtureOnOneLaneLeavesItInOnePiece(String lane) throws Exception {
    lab.fresh(1, 2);
    lab.fiveOrders();
    String path = "/api/lanes/" + lane;
    List<Press> buttons =
        List.of(
            post(path + "/start"),
            post(path + "/stop"),
            post(path + "/restart"),
            post(path + "/pause"),
            post(path + "/resume"),
            post(path + "/crash", "{\"now\":true}"),
            post(path + "/crash", "{\"after\":\"effect\",\"record\":2}"),
            new Press("DELETE", path + "/crash", ""),
            post(path + "/recount"),
            post(path + "/replay", "{\"to\":\"latest\"}"));
    long seed = System.nanoTime();
    List<List<Press>> lists =
        IntStream.range(0, PEOPLE)
            .mapToObj(
                n ->
                    new Random(seed + n).ints(8, 0, buttons.size()).mapToObj(buttons::get).toList())
            .toList();
    for (Lab.Answer answer : atOnce(lists)) {
      assertThat(answer.status()).as("seed %d: %s", seed, answer.body()).isIn(200, 409);
    }
    lab.delete(path + "/crash").ok();
    lab.post(path + "/restart").ok();
    lab.append(Lab.order("7", "1.00")).ok();
    Lab.Answer after = lab.await(lane, "drained");
    assertThat(after.number("/progress/0/committed")).as("seed %d", seed).isEqualTo(6);
    assertThat(after.number("/counts/pending")).isZero();
    assertThat(after.number("/sink/distinct") + after.number("/counts/lost")).isEqualTo(6);
    Lab.Answer counted = lab.post(path + "/recount").ok();
    assertThat(counted.at("/counts")).isEqualTo(after.at("/counts"));
    assertThat(counted.at("/verdict/promiseKept").isBoolean()).isTrue();
  }

  @Test
  void allLanesStartedAndStoppedAndResetAtOnce() throws Exception {
    long before = lab.fresh(1, 2).number("/experiment");
    List<List<Press>> lists =
        List.of(
            List.of(post("/api/lanes/start"), post("/api/lanes/stop")),
            List.of(post("/api/lanes/stop"), post("/api/lanes/start")),
            List.of(post("/api/experiment"), post("/api/experiment")),
            List.of(post("/api/log/records", "{\"dataset\":\"five-orders\"}")),
            List.of(post("/api/lanes/at-least-once/restart"), post("/api/experiment")),
            List.of(
                post("/api/lanes/transactional/start"), post("/api/lanes/transactional/recount")));
    atOnce(lists).forEach(Lab.Answer::ok);
    assertThat(lab.get("/api/experiment").number("/experiment")).isEqualTo(before + 3);

    lab.fresh(1, 2);
    lab.fiveOrders();
    lab.post("/api/lanes/start").ok();
    for (String lane : List.of("at-least-once", "transactional", "auto-commit")) {
      Lab.Answer drained = lab.await(lane, "drained");
      assertThat(drained.text("/sink/total")).isEqualTo("149.45");
      assertThat(drained.number("/life")).isEqualTo(1);
    }
  }

  @Test
  void ordersOfSeveralPeopleAllArrive() throws Exception {
    lab.fresh(2, 10);
    List<List<Press>> lists = new ArrayList<>();
    for (int person = 0; person < PEOPLE; person++) {
      List<Press> list = new ArrayList<>();
      for (int n = 0; n < 5; n++) {
        // Far apart: generated ids follow the highest, and there are fewer than a thousand of them.
        String order = Lab.order(Integer.toString(person * 1_000_000 + n * 1_000), "1.00");
        list.add(post("/api/log/records", "{\"records\":[" + order + "]}"));
        list.add(post("/api/log/records", "{\"generate\":{\"count\":3}}"));
      }
      lists.add(list);
    }
    atOnce(lists).forEach(Lab.Answer::ok);
    lab.post("/api/lanes/idempotent-key/start").ok();
    Lab.Answer done = lab.await("idempotent-key", "drained");
    // Six people, five times one order and three generated ones, whose ids nobody else has or gets.
    assertThat(done.number("/truth/records")).isEqualTo(6 * 5 * (1 + 3));
    assertThat(done.at("/verdict/numberRight").booleanValue()).isTrue();
    assertThat(lab.get("/api/experiment").number("/truth/conflicts")).isZero();
  }
}
