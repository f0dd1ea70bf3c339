package dev.deliverylab.web;

import dev.deliverylab.experiment.Experiments;
import dev.deliverylab.experiment.LaneSnapshot;
import dev.deliverylab.history.Event;
import dev.deliverylab.lane.Lane;
import dev.deliverylab.lane.Lanes;
import dev.deliverylab.lane.Rewind;
import dev.deliverylab.sink.SinkRow;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The lanes by REST: look, start, stop, crash, replay, recount. */
@RestController
@RequestMapping(path = "/api/lanes", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "lanes")
class LanesApi {

  private static final int MAX_WAIT_SECONDS = 120;

  private final Experiments experiments;
  private final LanesByName lanes;
  private final Waiting waiting;

  LanesApi(Experiments experiments, LanesByName lanes, Waiting waiting) {
    this.experiments = experiments;
    this.lanes = lanes;
    this.waiting = waiting;
  }

  record LaneList(List<LaneSnapshot> lanes) {}

  record CrashBody(
      @Nullable String after,
      @Nullable Integer record,
      @Nullable Integer batch,
      @Nullable Boolean now) {}

  record ReplayBody(
      @Nullable String to,
      @Nullable Object value,
      @Nullable Integer partition,
      @Nullable String group,
      @Nullable Boolean dryRun) {}

  record Row(
      long row,
      BigInteger orderId,
      String amount,
      Instant eventTime,
      @Nullable String customer,
      String key,
      int partition,
      long offset,
      Instant appliedAt,
      int life,
      int writes) {

    static Row of(SinkRow row) {
      return new Row(
          row.row(),
          row.orderId(),
          row.amount().toPlainString(),
          row.eventTime(),
          row.customer(),
          row.key(),
          row.partition(),
          row.offset(),
          row.appliedAt(),
          row.life(),
          row.writes());
    }
  }

  record Rows(List<Row> rows, @Nullable Long next) {}

  record Events(List<Event> events, @Nullable Long next) {}

  @GetMapping
  @Operation(summary = "All lanes, counted up to now")
  LaneList all() {
    return new LaneList(experiments.current().snapshots());
  }

  @GetMapping("/{lane}")
  @Operation(summary = "One lane; with await it answers once the lane is so, or 504")
  LaneSnapshot one(
      @PathVariable String lane,
      @RequestParam(required = false) @Nullable String await,
      @RequestParam(defaultValue = "30") int timeout) {
    lanes.lane(lane); // refuses an unknown one before anything else
    if (await != null) {
      Lane.Condition condition = condition(await);
      if (timeout < 0 || timeout > MAX_WAIT_SECONDS) {
        throw new IllegalArgumentException(
            "timeout: 0 to " + MAX_WAIT_SECONDS + " seconds; it was " + timeout);
      }
      if (!waiting.until(() -> lanes.lane(lane).is(condition), Duration.ofSeconds(timeout))) {
        throw new Problems.StillWaiting(
            lane
                + " is "
                + lanes.lane(lane).state()
                + " and was not "
                + await
                + " within "
                + timeout
                + " s");
      }
    }
    return lanes.snapshot(lane);
  }

  @PostMapping("/start")
  @Operation(summary = "Starts every lane that does not run")
  LaneList startAll() {
    return each(Lane::start);
  }

  @PostMapping("/stop")
  @Operation(summary = "Stops every lane politely")
  LaneList stopAll() {
    return each(Lane::stop);
  }

  @PostMapping("/{lane}/start")
  @Operation(summary = "Starts; from CRASHED a restart, from PAUSED a resume")
  LaneSnapshot start(@PathVariable String lane) {
    return command(lane, Lane::start);
  }

  @PostMapping("/{lane}/stop")
  @Operation(summary = "Stops politely")
  LaneSnapshot stop(@PathVariable String lane) {
    return command(lane, Lane::stop);
  }

  @PostMapping("/{lane}/restart")
  @Operation(summary = "Starts a new life; a running one is stopped first")
  LaneSnapshot restart(@PathVariable String lane) {
    return command(lane, Lane::restart);
  }

  @PostMapping("/{lane}/pause")
  @Operation(summary = "Stays in the group and reads nothing")
  LaneSnapshot pause(@PathVariable String lane) {
    return command(lane, Lane::pause);
  }

  @PostMapping("/{lane}/resume")
  @Operation(summary = "Reads again")
  LaneSnapshot resume(@PathVariable String lane) {
    return command(lane, Lane::resume);
  }

  @PostMapping(path = "/{lane}/crash", consumes = MediaType.APPLICATION_JSON_VALUE)
  @Operation(summary = "Puts a crash behind a step, or kills at once")
  LaneSnapshot crash(@PathVariable String lane, @RequestBody CrashBody body) {
    boolean now = Boolean.TRUE.equals(body.now());
    if (now && (body.after() != null || body.record() != null || body.batch() != null)) {
      throw new IllegalArgumentException(
          "\"now\" goes without \"after\", \"record\" and \"batch\"");
    }
    return command(
        lane,
        it -> {
          if (now) {
            it.crashNow();
          } else if (body.after() == null) {
            throw new IllegalArgumentException(
                "say {\"now\":true}, or \"after\" with a step of this lane: "
                    + String.join(", ", it.rule().steps().stream().map(s -> s.label()).toList()));
          } else {
            it.arm(body.after(), body.record(), body.batch());
          }
        });
  }

  @DeleteMapping("/{lane}/crash")
  @Operation(summary = "Takes away the crash that waits")
  LaneSnapshot disarm(@PathVariable String lane) {
    return command(lane, Lane::disarm);
  }

  @PostMapping(path = "/{lane}/replay", consumes = MediaType.APPLICATION_JSON_VALUE)
  @Operation(summary = "Moves the progress on purpose; with dryRun it only says what would move")
  Rewind.Plan replay(@PathVariable String lane, @RequestBody ReplayBody body) {
    Rewind rewind = rewind(body);
    return lanes.with(
        lane, it -> Boolean.TRUE.equals(body.dryRun()) ? it.preview(rewind) : it.replay(rewind));
  }

  @PostMapping("/{lane}/recount")
  @Operation(summary = "Counts from nothing; a difference makes the verdict unknown")
  LaneSnapshot recount(@PathVariable String lane) {
    return experiments.with(
        experiment -> {
          experiment.recount(lane);
          return experiment.snapshot(lane);
        });
  }

  @GetMapping("/{lane}/sink")
  @Operation(summary = "Rows of the sink; view=deduplicated as the view shows them")
  Rows sink(
      @PathVariable String lane,
      @RequestParam(defaultValue = "100") int limit,
      @RequestParam(defaultValue = "0") long after,
      @RequestParam(required = false) @Nullable String view) {
    Limits.limit(limit);
    Limits.after(after);
    if (view != null && !view.equals("deduplicated")) {
      throw new IllegalArgumentException(
          "view: deduplicated, or leave it out; it was '" + view + "'");
    }
    List<SinkRow> rows = experiments.current().table(lane).page(after, limit + 1, view != null);
    return new Rows(
        Limits.shown(rows, limit).stream().map(Row::of).toList(),
        Limits.next(rows, limit, SinkRow::row));
  }

  @GetMapping("/{lane}/history")
  @Operation(summary = "What happened, oldest first")
  Events history(
      @PathVariable String lane,
      @RequestParam(defaultValue = "100") int limit,
      @RequestParam(defaultValue = "0") long after) {
    Limits.limit(limit);
    Limits.after(after);
    lanes.lane(lane);
    List<Event> events = lanes.history(lane, after, limit + 1);
    return new Events(Limits.shown(events, limit), Limits.next(events, limit, Event::seq));
  }

  private LaneSnapshot command(String lane, Consumer<Lane> command) {
    return lanes.with(
        lane,
        it -> {
          command.accept(it);
          return lanes.snapshot(lane);
        });
  }

  /** All at once; the first refusal is told when every lane has had its turn. */
  private LaneList each(Consumer<Lane> command) {
    return experiments.with(
        experiment -> {
          Lanes.each(experiment.lanes(), command);
          return new LaneList(experiment.snapshots());
        });
  }

  private static Lane.Condition condition(String word) {
    for (Lane.Condition each : Lane.Condition.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(word)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "await: drained, crashed, stopped or running; it was '" + word + "'");
  }

  private static Rewind rewind(ReplayBody body) {
    Rewind.Target to = null;
    for (Rewind.Target each : Rewind.Target.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(body.to())) {
        to = each;
      }
    }
    if (to == null) {
      throw new IllegalArgumentException(
          "\"to\": earliest, latest, offset, timestamp or shift; it was "
              + (body.to() == null ? "left out" : "'" + body.to() + "'"));
    }
    String group = body.group() == null ? "same" : body.group();
    if (!group.equals("same") && !group.equals("new")) {
      throw new IllegalArgumentException("\"group\": same or new; it was '" + group + "'");
    }
    Long number = null;
    Instant timestamp = null;
    if (to == Rewind.Target.OFFSET || to == Rewind.Target.SHIFT) {
      number =
          Limits.wholeNumber(
              body.value(),
              "\"value\": a whole number of records, as in {\"to\":\""
                  + body.to()
                  + "\",\"value\":3}");
    } else if (to == Rewind.Target.TIMESTAMP) {
      timestamp = Limits.instant("value", body.value());
    }
    return new Rewind(to, number, timestamp, body.partition(), group.equals("new"));
  }
}
