package dev.deliverylab.web;

import dev.deliverylab.lane.Source;
import dev.deliverylab.sink.LedgerRow;
import dev.deliverylab.time.Arrival;
import dev.deliverylab.time.ArrivalDeserializer;
import dev.deliverylab.time.ArrivalPace;
import dev.deliverylab.time.Curve;
import dev.deliverylab.time.Delay;
import dev.deliverylab.time.DelayGenerator;
import dev.deliverylab.time.Late;
import dev.deliverylab.time.Policy;
import dev.deliverylab.time.TimeLab;
import dev.deliverylab.time.TimeSnapshot;
import dev.deliverylab.time.WindowLaneSnapshot;
import dev.deliverylab.time.WindowLanes;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.annotation.JsonDeserialize;

/** Windows, watermarks and late records by REST. */
@RestController
@RequestMapping(path = "/api/time", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "time")
class TimeApi {

  private static final String ALLOWED =
      "say one of \"dataset\":\"five-late-events\", \"records\":[…] or \"generate\":{\"count\":…}";
  private static final Set<String> POLICY =
      Set.of(
          "windowMinutes",
          "windowSeconds",
          "boundMinutes",
          "boundSeconds",
          "late",
          "idleSeconds",
          "maxAheadSeconds");
  private static final Instant GENERATED_FROM = Instant.parse("2026-01-04T09:00:00Z");

  private final TimeLab time;

  TimeApi(TimeLab time) {
    this.time = time;
  }

  record Generate(
      @Nullable Integer count,
      @Nullable Long seed,
      @Nullable Integer keys,
      @Nullable String delay,
      @Nullable Integer delaySeconds,
      @Nullable Integer outOfOrder,
      @Nullable Integer idlePartition,
      @Nullable Integer future,
      @Nullable String start,
      @Nullable Integer everySeconds) {}

  record RecordsBody(
      @Nullable String dataset,
      @JsonDeserialize(contentUsing = ArrivalDeserializer.class) @Nullable List<Arrival> records,
      @Nullable Generate generate) {}

  /**
   * @param ahead how many of them happen after they arrive: they are accepted, and push a watermark
   *     only as far as the policy allows
   */
  record Appended(int appended, int queued, long ahead) {}

  record ClockBody(
      @Nullable String advanceTo,
      @Nullable String mode,
      @Nullable String pace,
      @Nullable Integer step) {}

  record ResetBody(@Nullable Integer partitions, @Nullable Integer batchSize) {}

  @GetMapping
  @Operation(summary = "The time log, its clock and its lanes")
  TimeAnswers.Time all() {
    return TimeAnswers.Time.of(time.current().snapshot());
  }

  @PostMapping(path = "/records", consumes = MediaType.APPLICATION_JSON_VALUE)
  @Operation(summary = "Lets records arrive, in order of arrival, at the pace that is set")
  Appended append(@RequestBody RecordsBody body) {
    int said =
        (body.dataset() == null ? 0 : 1)
            + (body.records() == null ? 0 : 1)
            + (body.generate() == null ? 0 : 1);
    if (said != 1) {
      throw new IllegalArgumentException(ALLOWED);
    }
    return time.with(
        lanes -> {
          if (body.dataset() != null) {
            return appended(lanes.append(body.dataset()), List.of());
          }
          List<Arrival> arrivals =
              body.generate() != null
                  ? generated(body.generate(), lanes)
                  : given(Objects.requireNonNull(body.records()));
          return appended(lanes.arrive(arrivals), arrivals);
        });
  }

  private static Appended appended(WindowLanes.Appended done, List<Arrival> arrivals) {
    return new Appended(
        done.appended(),
        done.queued(),
        arrivals.stream()
            .filter(each -> each.order().eventTime().isAfter(each.arrivalTime()))
            .count());
  }

  private static List<Arrival> given(List<Arrival> records) {
    if (records.stream().anyMatch(each -> each == null)) {
      throw new IllegalArgumentException("records: each is a JSON object, none is null");
    }
    if (records.isEmpty()) {
      throw new IllegalArgumentException("records: at least one order");
    }
    return records;
  }

  private static List<Arrival> generated(Generate wanted, WindowLanes lanes) {
    if (wanted.count() == null) {
      throw new IllegalArgumentException(
          "generate: \"count\" from 1 to " + DelayGenerator.MAX_COUNT + ", and more if you like");
    }
    return new DelayGenerator(
            wanted.count(),
            wanted.seed() == null ? 1 : wanted.seed(),
            or(wanted.keys(), 1),
            Delay.of(wanted.delay() == null ? "uniform" : wanted.delay()),
            or(wanted.delaySeconds(), 600),
            or(wanted.outOfOrder(), 0),
            wanted.idlePartition(),
            or(wanted.future(), 0),
            wanted.start() == null
                ? GENERATED_FROM
                : wanted.start().equals("now")
                    ? Instant.now()
                    : Limits.instant("start", wanted.start()),
            or(wanted.everySeconds(), 1))
        .arrivals(lanes.nextId(), lanes.partitions());
  }

  private static int or(@Nullable Integer given, int otherwise) {
    return given == null ? otherwise : given;
  }

  @PutMapping(path = "/lanes/{lane}/policy", consumes = MediaType.APPLICATION_JSON_VALUE)
  @Operation(summary = "Sets window, bound and what becomes of late ones; the lane begins anew")
  TimeAnswers.Lane policy(
      @PathVariable String lane, @RequestBody Map<String, @Nullable Object> body) {
    known(lane);
    return time.with(
        lanes -> {
          lanes.follow(lane, changed(lanes.policy(lane), body));
          return TimeAnswers.Lane.of(lanes.snapshot(lane));
        });
  }

  /** What the body does not name stays as it is. */
  private static Policy changed(Policy before, Map<String, @Nullable Object> body) {
    for (String name : body.keySet()) {
      if (!POLICY.contains(name)) {
        throw new IllegalArgumentException(
            "a policy has " + String.join(", ", new TreeSet<>(POLICY)) + "; not '" + name + "'");
      }
    }
    if (body.isEmpty()) {
      throw new IllegalArgumentException(
          "a policy has " + String.join(", ", new TreeSet<>(POLICY)) + "; name at least one");
    }
    return new Policy(
        duration(body, "window", before.window()),
        duration(body, "bound", before.bound()),
        body.containsKey("late") ? late(body.get("late")) : before.late(),
        orNull(body, "idleSeconds", before.idleAfter()),
        orNull(body, "maxAheadSeconds", before.maxAhead()));
  }

  private static Duration duration(
      Map<String, @Nullable Object> body, String name, Duration otherwise) {
    boolean minutes = body.containsKey(name + "Minutes");
    boolean seconds = body.containsKey(name + "Seconds");
    if (minutes && seconds) {
      throw new IllegalArgumentException(
          "say " + name + "Minutes or " + name + "Seconds, not both");
    }
    if (minutes) {
      return seconds(name + "Minutes", body.get(name + "Minutes"), 60);
    }
    return seconds ? seconds(name + "Seconds", body.get(name + "Seconds"), 1) : otherwise;
  }

  private static Duration seconds(String name, @Nullable Object value, int factor) {
    long whole = Limits.wholeNumber(value, "\"" + name + "\": a whole number, 0 or more");
    if (whole < 0 || whole > Policy.MAX_BOUND.toSeconds() / factor) {
      throw new IllegalArgumentException(
          "\""
              + name
              + "\": 0 to "
              + Policy.MAX_BOUND.toSeconds() / factor
              + " (a year); it was "
              + whole);
    }
    return Duration.ofSeconds(whole * factor);
  }

  private static @Nullable Duration orNull(
      Map<String, @Nullable Object> body, String name, @Nullable Duration otherwise) {
    Object value = body.get(name);
    return value == null ? body.containsKey(name) ? null : otherwise : seconds(name, value, 1);
  }

  private static Late late(@Nullable Object value) {
    return Late.of(String.valueOf(value));
  }

  @PostMapping(path = "/clock", consumes = MediaType.APPLICATION_JSON_VALUE)
  @Operation(summary = "Advances the clock, sets its pace or its mode, or takes a step")
  TimeSnapshot.ClockView clock(@RequestBody ClockBody body) {
    int said =
        (body.advanceTo() == null ? 0 : 1)
            + (body.mode() == null ? 0 : 1)
            + (body.pace() == null ? 0 : 1)
            + (body.step() == null ? 0 : 1);
    if (said != 1) {
      throw new IllegalArgumentException(
          "say one of \"advanceTo\":\"2026-01-04T09:45:00Z\", \"mode\":\"virtual\" or \"wall\","
              + " \"pace\":\"at-once\", \"x1\", \"x60\" or \"step\", or \"step\":1");
    }
    return time.with(
        lanes -> {
          if (body.advanceTo() != null) {
            lanes.advanceTo(Limits.instant("advanceTo", body.advanceTo()));
          } else if (body.mode() != null) {
            lanes.onWallClock(wall(body.mode()));
          } else if (body.pace() != null) {
            lanes.pace(ArrivalPace.of(body.pace()));
          } else {
            step(lanes, Objects.requireNonNull(body.step()));
          }
          return lanes.clock();
        });
  }

  private static void step(WindowLanes lanes, int records) {
    if (records < 1 || records > Limits.MAX_LIMIT) {
      throw new IllegalArgumentException(
          "\"step\": 1 to " + Limits.MAX_LIMIT + " records; it was " + records);
    }
    lanes.step(records);
  }

  private static boolean wall(String mode) {
    if (!mode.equals("wall") && !mode.equals("virtual")) {
      throw new IllegalArgumentException("\"mode\": virtual or wall; it was '" + mode + "'");
    }
    return mode.equals("wall");
  }

  @GetMapping("/lanes/{lane}/windows")
  @Operation(summary = "Windows of one lane, in order of time, with the true ones beside them")
  TimeAnswers.Windows windows(
      @PathVariable String lane,
      @RequestParam(defaultValue = "100") int limit,
      @RequestParam(required = false) @Nullable String after) {
    known(lane);
    Limits.limit(limit);
    List<WindowLaneSnapshot.WindowView> found =
        time.current()
            .windows(lane, after == null ? null : Limits.instant("after", after), limit + 1);
    List<WindowLaneSnapshot.WindowView> shown = Limits.shown(found, limit);
    return new TimeAnswers.Windows(
        shown.stream().map(TimeAnswers.Window::of).toList(),
        found.size() > limit ? shown.get(limit - 1).start().toString() : null);
  }

  @GetMapping("/lanes/{lane}/late")
  @Operation(summary = "Late records of one lane, with the numbers that explain each")
  TimeAnswers.LateRecords late(
      @PathVariable String lane,
      @RequestParam(defaultValue = "100") int limit,
      @RequestParam(defaultValue = "0") long after) {
    known(lane);
    Limits.limit(limit);
    Limits.after(after);
    List<LedgerRow> found = time.current().late(lane, after, limit + 1);
    return new TimeAnswers.LateRecords(
        Limits.shown(found, limit).stream().map(TimeAnswers.LateRecord::of).toList(),
        Limits.next(found, limit, LedgerRow::seq));
  }

  @GetMapping("/curve")
  @Operation(summary = "What each bound would cost on the log as it is")
  Curve curve(@RequestParam(defaultValue = "event-time-watermark") String lane) {
    known(lane);
    return time.current().curve(lane);
  }

  @PostMapping("/reset")
  @Operation(summary = "An empty log, a virtual clock at full pace, the lanes running")
  TimeAnswers.Time reset(@RequestBody(required = false) @Nullable ResetBody body) {
    WindowLanes fresh =
        time.reset(
            body == null || body.partitions() == null
                ? Source.DEFAULT_PARTITIONS
                : body.partitions(),
            body == null || body.batchSize() == null
                ? Source.DEFAULT_BATCH_SIZE
                : body.batchSize());
    return TimeAnswers.Time.of(fresh.snapshot());
  }

  private static void known(String lane) {
    if (!TimeLab.has(lane)) {
      throw new UnknownWindowLane(lane);
    }
  }

  /** There is no such window lane. */
  static final class UnknownWindowLane extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnknownWindowLane(String lane) {
      super(
          "there is no window lane '"
              + (lane.length() > 40 ? lane.substring(0, 40) + "…" : lane)
              + "'; the window lanes are "
              + String.join(", ", TimeLab.names()));
    }
  }
}
