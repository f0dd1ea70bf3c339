package dev.deliverylab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

/** Runs outlive the lab. */
class RunsIT {

  private static final Scenario SHORT =
      Scenarios.parse(
          "name: short\nsteps:\n  - append: {dataset: five-orders}\n"
              .getBytes(StandardCharsets.UTF_8),
          Scenarios.Format.YAML);

  @Test
  void runsAreFoundAgainAndOneThatWasKilledSaysSo(@TempDir Path folder) {
    Run whole;
    long killed;
    try (Lab lab = new Lab(folder)) {
      Runs runs = lab.context.getBean(Runs.class);
      whole = runs.await(runs.start(SHORT).id(), Duration.ofMinutes(2));
      assertThat(whole.state()).isEqualTo(Run.State.PASSED);
      killed = whole.id() + 1;
      // A kill leaves the row of a run as it was saved last.
      lab.context
          .getBean(JdbcTemplate.class)
          .update(
              "insert into runs (scenario, title, state, planned, report, started_at)"
                  + " values (?, ?, ?, ?, ?, ?)",
              "long",
              "A long one",
              "RUNNING",
              3,
              "[{\"action\":\"start all\",\"expected\":null,\"observed\":\"RUNNING\",\"ok\":true}]",
              Timestamp.valueOf("2026-01-04 09:14:02"));
    }
    try (Lab lab = new Lab(folder)) {
      Runs runs = lab.context.getBean(Runs.class);
      assertThat(runs.run(whole.id())).isEqualTo(whole);
      Run found = runs.run(killed);
      assertThat(found.state()).isEqualTo(Run.State.FAILED);
      assertThat(found.steps())
          .containsExactly(
              Run.Step.done("start all", "RUNNING"),
              Run.Step.failed("run", "The lab was killed while the run was under way."));
      assertThat(runs.start(SHORT).id()).isGreaterThan(killed);
    }
  }
}
