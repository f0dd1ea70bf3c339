package dev.deliverylab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deliverylab.LabProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs outlive the lab. */
class RunsIT {

  private static final Scenario SHORT =
      Scenarios.parse(
          "name: short\nsteps:\n  - append: {dataset: five-orders}\n"
              .getBytes(StandardCharsets.UTF_8),
          Scenarios.Format.YAML);

  @Test
  void runsAreFoundAgainAndOneThatWasKilledSaysSo(@TempDir Path folder) throws Exception {
    long whole;
    long killed;
    try (LabProcess lab = LabProcess.launch(folder, 0).awaitUp()) {
      whole =
          lab.post(
                  "/api/scenarios/runs?wait=120",
                  """
                  {"name":"whole","title":"<b>Whole</b>","steps":[{"append":{"dataset":"five-orders"}}]}
                  """)
              .path("id")
              .asLong();
      killed =
          lab.post(
                  "/api/scenarios/runs",
                  """
                  {"name":"endless","steps":[{"append":{"dataset":"five-orders"}},
                   {"start":"at-least-once"},
                   {"await":{"lane":"at-least-once","condition":"crashed","timeoutSeconds":600}}]}
                  """)
              .path("id")
              .asLong();
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> lab.get("/api/runs/" + killed).path("steps").size() == 2);
      lab.kill();
    }
    try (Lab lab = new Lab(folder)) {
      Runs runs = lab.context.getBean(Runs.class);
      assertThat(runs.run(whole))
          .isEqualTo(
              new Run(
                  whole,
                  "whole",
                  "<b>Whole</b>",
                  false,
                  Run.State.PASSED,
                  java.util.List.of(Run.Step.done("append dataset five-orders", "5 records")),
                  1,
                  null));
      Run found = runs.run(killed);
      assertThat(found.state()).isEqualTo(Run.State.FAILED);
      assertThat(found.steps())
          .containsExactly(
              Run.Step.done("append dataset five-orders", "5 records"),
              Run.Step.done("start at-least-once", "done"),
              Run.Step.failed("run", "The lab was killed while the run was under way."));
      // A next run meets nothing of the one that was cut short, and the numbers go on.
      Run next = runs.await(runs.start(SHORT).id(), Duration.ofMinutes(2));
      assertThat(next.id()).isEqualTo(killed + 1);
      assertThat(next.state()).isEqualTo(Run.State.PASSED);
      assertThat(lab.get("/api/lanes/at-least-once").json().path("state").asString())
          .isEqualTo("STOPPED");
    }
  }
}
