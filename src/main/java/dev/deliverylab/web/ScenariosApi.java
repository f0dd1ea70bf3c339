package dev.deliverylab.web;

import dev.deliverylab.scenario.Report;
import dev.deliverylab.scenario.Run;
import dev.deliverylab.scenario.Runs;
import dev.deliverylab.scenario.Scenario;
import dev.deliverylab.scenario.ScenarioRefused;
import dev.deliverylab.scenario.Scenarios;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Scenarios and their runs by REST. */
@RestController
@RequestMapping("/api")
@Tag(name = "scenarios")
class ScenariosApi {

  private static final int MAX_WAIT_SECONDS = 120;
  private static final String YAML = "application/yaml";
  private static final String X_YAML = "application/x-yaml";
  private static final String TEXT_YAML = "text/yaml";
  private static final String TEXT_YAML_UTF_8 = TEXT_YAML + ";charset=UTF-8";

  private final Scenarios scenarios;
  private final Runs runs;
  private final JsonMapper json;

  ScenariosApi(Scenarios scenarios, Runs runs, JsonMapper json) {
    this.scenarios = scenarios;
    this.runs = runs;
    this.json = json;
  }

  /**
   * @param about what its run replaces: {@code experiment} or {@code time}
   */
  record Listed(String name, String title, String text, String about, int steps) {

    static Listed of(Scenario scenario) {
      return new Listed(
          scenario.name(),
          scenario.title(),
          scenario.text(),
          wordFor(scenario),
          scenario.steps().size());
    }
  }

  private static String wordFor(Scenario scenario) {
    return scenario.ofTime() ? "time" : "experiment";
  }

  record ScenarioList(List<Listed> scenarios) {}

  record InFull(
      String name,
      String title,
      String text,
      String about,
      int partitions,
      int batchSize,
      List<String> steps,
      String source) {}

  record RunAnswer(long id, String scenario, Run.State state, List<Run.Step> steps) {

    static RunAnswer of(Run run) {
      return new RunAnswer(run.id(), run.scenario(), run.state(), run.steps());
    }
  }

  record RunList(List<RunAnswer> runs) {}

  @GetMapping(path = "/scenarios", produces = MediaType.APPLICATION_JSON_VALUE)
  @Operation(summary = "The scenarios that the lab brings along")
  ScenarioList all() {
    return new ScenarioList(
        scenarios.all().stream().map(each -> Listed.of(each.scenario())).toList());
  }

  @GetMapping("/scenarios/{name}")
  @Operation(
      summary = "One scenario: its YAML, or with Accept: application/json its steps in words")
  @ApiResponse(
      responseCode = "200",
      content = {
        @Content(mediaType = TEXT_YAML, schema = @Schema(type = "string")),
        @Content(
            mediaType = MediaType.APPLICATION_JSON_VALUE,
            schema = @Schema(implementation = InFull.class))
      })
  ResponseEntity<?> one(
      @PathVariable String name,
      @Parameter(hidden = true) @RequestHeader(name = HttpHeaders.ACCEPT, required = false)
          @Nullable String accept) {
    Scenarios.Bundled found = scenarios.named(name);
    if (accept != null && accept.contains(MediaType.APPLICATION_JSON_VALUE)) {
      Scenario scenario = found.scenario();
      return ResponseEntity.ok()
          .contentType(MediaType.APPLICATION_JSON)
          .body(
              new InFull(
                  scenario.name(),
                  scenario.title(),
                  scenario.text(),
                  wordFor(scenario),
                  scenario.partitions(),
                  scenario.batchSize(),
                  scenario.steps(),
                  found.source()));
    }
    return text(TEXT_YAML_UTF_8, found.source());
  }

  @PostMapping(path = "/scenarios/{name}/runs", produces = MediaType.APPLICATION_JSON_VALUE)
  @Operation(
      summary =
          "Runs a bundled scenario; it replaces the current experiment, or the current time log")
  RunAnswer run(@PathVariable String name, @RequestParam(defaultValue = "0") int wait) {
    Duration patience = patience(wait);
    return started(scenarios.named(name).scenario(), patience);
  }

  @PostMapping(
      path = "/scenarios/runs",
      consumes = {YAML, X_YAML, TEXT_YAML, MediaType.APPLICATION_JSON_VALUE},
      produces = MediaType.APPLICATION_JSON_VALUE)
  @Operation(summary = "Runs a scenario of your own")
  RunAnswer runOwn(
      @RequestBody(required = false) byte @Nullable [] source,
      @Parameter(hidden = true) @RequestHeader(HttpHeaders.CONTENT_TYPE) MediaType type,
      @RequestParam(defaultValue = "0") int wait) {
    Duration patience = patience(wait);
    boolean isJson = type.getSubtype().toLowerCase(Locale.ROOT).equals("json");
    return started(
        Scenarios.parse(
            source == null ? new byte[0] : source,
            isJson ? Scenarios.Format.JSON : Scenarios.Format.YAML),
        patience);
  }

  @GetMapping(path = "/runs", produces = MediaType.APPLICATION_JSON_VALUE)
  @Operation(summary = "The latest runs, newest first")
  RunList latest(@RequestParam(defaultValue = "20") int limit) {
    Limits.limit(limit);
    return new RunList(runs.latest(limit).stream().map(RunAnswer::of).toList());
  }

  @GetMapping(path = "/runs/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
  @Operation(summary = "A run as it stands")
  RunAnswer run(@PathVariable long id) {
    return RunAnswer.of(runs.run(id));
  }

  @DeleteMapping(path = "/runs/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
  @Operation(summary = "Ends a run before its end; one that is over stays as it is")
  RunAnswer stop(@PathVariable long id) {
    return RunAnswer.of(runs.stop(id));
  }

  @GetMapping("/runs/{id}/report")
  @Operation(summary = "A run's report to take away: format=text, csv or json")
  @ApiResponse(
      responseCode = "200",
      content = {
        @Content(mediaType = MediaType.TEXT_PLAIN_VALUE, schema = @Schema(type = "string")),
        @Content(mediaType = "text/csv", schema = @Schema(type = "string")),
        @Content(
            mediaType = MediaType.APPLICATION_JSON_VALUE,
            schema = @Schema(implementation = RunAnswer.class))
      })
  ResponseEntity<?> report(
      @PathVariable long id, @RequestParam(defaultValue = "text") String format) {
    Run run = runs.run(id);
    return switch (format) {
      case "text" -> text("text/plain;charset=UTF-8", new Report(run).text());
      case "csv" -> file(run, "csv", "text/csv;charset=UTF-8", new Report(run).csv());
      case "json" ->
          file(
              run,
              "json",
              MediaType.APPLICATION_JSON_VALUE,
              json.writeValueAsString(RunAnswer.of(run)));
      default ->
          throw new IllegalArgumentException("format: text, csv or json; it was '" + format + "'");
    };
  }

  @ExceptionHandler
  ProblemDetail onRefused(ScenarioRefused e) {
    ProblemDetail problem =
        ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, String.valueOf(e.getMessage()));
    problem.setTitle("Scenario not understood");
    problem.setProperty("line", e.line());
    problem.setProperty("column", e.column());
    problem.setProperty("reason", e.reason());
    return problem;
  }

  @ExceptionHandler({Scenarios.Unknown.class, Runs.Unknown.class})
  ProblemDetail onUnknown(RuntimeException e) {
    return problem(HttpStatus.NOT_FOUND, "Not found", e);
  }

  @ExceptionHandler
  ProblemDetail onUnderWay(Runs.UnderWay e) {
    return problem(HttpStatus.CONFLICT, "Not now", e);
  }

  private RunAnswer started(Scenario scenario, Duration patience) {
    Run run = runs.start(scenario);
    return RunAnswer.of(runs.await(run.id(), patience));
  }

  private static Duration patience(int wait) {
    if (wait < 0 || wait > MAX_WAIT_SECONDS) {
      throw new IllegalArgumentException(
          "wait: 0 to " + MAX_WAIT_SECONDS + " seconds; it was " + wait);
    }
    return Duration.ofSeconds(wait);
  }

  private static ResponseEntity<byte[]> text(String type, String text) {
    return ResponseEntity.ok()
        .header(HttpHeaders.CONTENT_TYPE, type)
        .body(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  /** The name is the lab's own, so no file name of anybody's choosing gets into the header. */
  private static ResponseEntity<byte[]> file(Run run, String ending, String type, String text) {
    return ResponseEntity.ok()
        .header(HttpHeaders.CONTENT_TYPE, type)
        .header(
            HttpHeaders.CONTENT_DISPOSITION,
            "attachment; filename=\"run-" + run.id() + "." + ending + "\"")
        .body(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  private static ProblemDetail problem(HttpStatus status, String title, RuntimeException e) {
    ProblemDetail problem =
        ProblemDetail.forStatusAndDetail(status, String.valueOf(e.getMessage()));
    problem.setTitle(title);
    return problem;
  }
}
