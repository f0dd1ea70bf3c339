package dev.deliverylab.web;

import dev.deliverylab.DataFolder;
import dev.deliverylab.experiment.Experiment;
import dev.deliverylab.experiment.Experiments;
import dev.deliverylab.experiment.Watch;
import dev.deliverylab.guarantee.Guarantees;
import dev.deliverylab.lane.Pace;
import dev.deliverylab.lane.Source;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The current experiment by REST: look at it, replace it by an empty one, slow it down. */
@RestController
@RequestMapping(path = "/api", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "experiment")
class ExperimentApi {

  private final Experiments experiments;
  private final Pace pace;
  private final DataFolder folder;
  private final Watch watch;

  ExperimentApi(Experiments experiments, Pace pace, DataFolder folder, Watch watch) {
    this.experiments = experiments;
    this.pace = pace;
    this.folder = folder;
    this.watch = watch;
  }

  record NewExperiment(@Nullable Integer partitions, @Nullable Integer batchSize) {}

  record PaceBody(@Nullable Long stepMillis) {}

  record TruthAnswer(long records, String total, long appended, long resent, long conflicts) {}

  record ExperimentAnswer(
      long experiment,
      int partitions,
      int batchSize,
      String topic,
      List<String> lanes,
      TruthAnswer truth,
      long stepMillis,
      long dataBytes) {}

  @GetMapping("/experiment")
  @Operation(summary = "The current experiment and its truth")
  ExperimentAnswer current() {
    return answer(experiments.current());
  }

  @PostMapping(path = "/experiment", consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.OK)
  @Operation(summary = "Replaces it by a new and empty one, its lanes stopped")
  ExperimentAnswer create(@RequestBody NewExperiment body) {
    return answer(
        experiments.create(
            body.partitions() == null ? Source.DEFAULT_PARTITIONS : body.partitions(),
            body.batchSize() == null ? Source.DEFAULT_BATCH_SIZE : body.batchSize()));
  }

  @PostMapping(path = "/pace", consumes = MediaType.APPLICATION_JSON_VALUE)
  @Operation(summary = "Slow motion: how long every lane lingers on a step, 0 to 2000 ms")
  ExperimentAnswer pace(@RequestBody PaceBody body) {
    if (body.stepMillis() == null) {
      throw new IllegalArgumentException("\"stepMillis\": 0 to " + Pace.SLOWEST.toMillis());
    }
    pace.set(Duration.ofMillis(body.stepMillis()));
    watch.nudge();
    return answer(experiments.current());
  }

  private ExperimentAnswer answer(Experiment experiment) {
    var totals = experiment.truth().totals();
    return new ExperimentAnswer(
        experiment.id(),
        experiment.partitions(),
        experiment.batchSize(),
        experiment.log().topic(),
        Guarantees.names(),
        new TruthAnswer(
            totals.orders(),
            totals.total().toPlainString(),
            totals.records(),
            totals.resent(),
            totals.conflicts()),
        pace.perStep().toMillis(),
        folder.bytes());
  }
}
