package dev.deliverylab.sink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deliverylab.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

class SinkConfigurationTest {

  private static final int ROWS = 10_000;

  @TempDir private Path folder;

  private ApplicationContextRunner lab() {
    return new ApplicationContextRunner()
        .withUserConfiguration(SinkConfiguration.class)
        .withBean(DataFolder.class, () -> DataFolder.open(folder))
        .withBean(Clock.class, Clock::systemUTC);
  }

  @Test
  void withoutAnUrlTheSinksAreInTheLabsOwnDatabase() {
    lab()
        .run(
            context -> {
              Sinks sinks = context.getBean(Sinks.class);
              sinks.open(1, "at-least-once", Shape.APPEND_ONLY).rewind(java.util.Map.of(0, 7L));
              JdbcClient jdbc = JdbcClient.create(context.getBean(DataSource.class));
              assertThat(
                      jdbc.sql("SELECT next_offset FROM delivery_lab_offsets")
                          .query(Long.class)
                          .single())
                  .isEqualTo(7);
            });
    // A second start finds what the first one left: the file was closed in order.
    lab()
        .run(context -> assertThat(context.getBean(Sinks.class).experiments()).containsExactly(1L));
  }

  /** The file does not grow with the number of experiments, and is short after a stop. */
  @Test
  void theRoomOfADroppedExperimentIsUsedAgain() throws IOException {
    Path file = folder.resolve("h2").resolve("lab.mv.db");
    lab()
        .run(
            context -> {
              Sinks sinks = context.getBean(Sinks.class);
              fill(sinks, 1);
              long one = Files.size(file);
              assertThat(one).isGreaterThan(500_000);
              for (int experiment = 2; experiment <= 6; experiment++) {
                sinks.drop(experiment - 1);
                fill(sinks, experiment);
              }
              assertThat(Files.size(file)).isLessThan(3 * one);
              sinks.drop(6);
            });
    assertThat(Files.size(file)).isLessThan(300_000);
  }

  private static void fill(Sinks sinks, int experiment) {
    Sink sink = sinks.open(experiment, "at-least-once", Shape.APPEND_ONLY).connect(1).sink();
    sink.begin();
    for (int id = 0; id < ROWS; id++) {
      sink.append(SinkContract.record(0, id, SinkContract.order(id, "1.00")));
    }
    sink.commit();
    sink.close();
  }

  @Test
  void theLabStartsThoughItsSinkIsDown() {
    lab()
        .withPropertyValues("lab.sink.url=jdbc:postgresql://127.0.0.1:1/nobody")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getBean(Sinks.class).available()).isFalse();
              assertThat(context.getBean(DataSource.class).getConnection().isValid(1)).isTrue();
            });
  }

  @Test
  void anUrlOrPrefixThatCannotBeIsSaidInWords() {
    lab()
        .withPropertyValues("lab.sink.url=jdbc:oracle:thin:@//x")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("jdbc:postgresql://host:port/database"));
    lab()
        .withPropertyValues("lab.sink.prefix=x; drop table y")
        .run(
            context -> assertThat(context).getFailure().rootCause().hasMessageContaining("prefix"));
  }
}
