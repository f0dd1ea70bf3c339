package dev.deliverylab.web;

import dev.deliverylab.experiment.Experiments;
import dev.deliverylab.experiment.Watch;
import dev.deliverylab.log.Load;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The load by REST: start one, see how far it is, stop it. */
@RestController
@RequestMapping(path = "/api/load", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "log")
class LoadApi {

  private static final int DEFAULT_SECONDS = 60;

  private final Experiments experiments;
  private final Load load;
  private final Watch watch;

  LoadApi(Experiments experiments, Load load, Watch watch) {
    this.experiments = experiments;
    this.load = load;
    this.watch = watch;
  }

  record LoadBody(
      @Nullable Integer ratePerSecond, @Nullable Integer seconds, @Nullable Long seed) {}

  record LoadAnswer(String state, long appended, long target, @Nullable String reason) {

    static LoadAnswer of(Load.@Nullable Progress progress) {
      return progress == null
          ? new LoadAnswer("NONE", 0, 0, null)
          : new LoadAnswer(
              progress.state().name(), progress.appended(), progress.target(), progress.reason());
    }
  }

  @GetMapping
  @Operation(summary = "The load that runs or ran last")
  LoadAnswer progress() {
    return LoadAnswer.of(load.progress().orElse(null));
  }

  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  @Operation(summary = "Appends made-up orders at a steady rate; one load at a time")
  LoadAnswer start(@RequestBody LoadBody body) {
    if (body.ratePerSecond() == null) {
      throw new IllegalArgumentException(
          "\"ratePerSecond\": 1 to "
              + Load.Plan.MAX_RATE
              + "; \"seconds\" (1 to "
              + Load.Plan.MAX_SECONDS
              + ") and \"seed\" if you like");
    }
    Load.Plan plan =
        new Load.Plan(
            body.ratePerSecond(),
            body.seconds() == null ? DEFAULT_SECONDS : body.seconds(),
            body.seed() == null ? 1 : body.seed());
    return experiments.with(
        experiment -> {
          try {
            return LoadAnswer.of(load.start(experiment.log(), plan));
          } catch (IllegalStateException e) {
            throw new Problems.Conflict("a load is at work already; DELETE /api/load stops it");
          } finally {
            watch.nudge();
          }
        });
  }

  @DeleteMapping
  @Operation(summary = "Stops the load; what it has appended stays")
  LoadAnswer stop() {
    LoadAnswer answer = LoadAnswer.of(load.stop().orElse(null));
    watch.nudge();
    return answer;
  }
}
