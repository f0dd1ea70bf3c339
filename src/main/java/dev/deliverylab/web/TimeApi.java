package dev.deliverylab.web;

import dev.deliverylab.lane.Source;
import dev.deliverylab.sink.LedgerRow;
import dev.deliverylab.time.Arrival;
import dev.deliverylab.time.ArrivalDeserializer;
import dev.deliverylab.time.ClockChange;
import dev.deliverylab.time.Curve;
import dev.deliverylab.time.Generate;
import dev.deliverylab.time.PolicyChange;
import dev.deliverylab.time.TimeLab;
import dev.deliverylab.time.TimeSnapshot;
import dev.deliverylab.time.WindowLaneSnapshot;
import dev.deliverylab.time.WindowLanes;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  private final TimeLab time;

  TimeApi(TimeLab time) {
    this.time = time;
  }

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
    String start = wanted.start();
    Instant from =
        start == null
            ? Generate.FROM
            : start.equals("now") ? Instant.now() : Limits.instant("start", start);
    return wanted.arrivals(from, lanes.nextId(), lanes.partitions());
  }

  @PutMapping(path = "/lanes/{lane}/policy", consumes = MediaType.APPLICATION_JSON_VALUE)
  @Operation(summary = "Sets window, bound and what becomes of late ones; the lane begins anew")
  TimeAnswers.Lane policy(
      @PathVariable String lane, @RequestBody Map<String, @Nullable Object> body) {
    known(lane);
    return time.with(
        lanes -> {
          lanes.follow(lane, change(body).of(lanes.policy(lane)));
          return TimeAnswers.Lane.of(lanes.snapshot(lane));
        });
  }

  private static PolicyChange change(Map<String, @Nullable Object> body) {
    Map<String, @Nullable Long> numbers = new HashMap<>();
    body.forEach(
        (name, value) -> {
          if (!PolicyChange.NAMES.contains(name)) {
            throw new IllegalArgumentException(
                "a policy has " + String.join(", ", PolicyChange.NAMES) + "; not '" + name + "'");
          }
          if (PolicyChange.NUMBERS.contains(name)) {
            boolean none = value == null && PolicyChange.NULLABLE.contains(name);
            // Boxed by hand: a conditional with null in it would unbox.
            Long number =
                none
                    ? null
                    : Long.valueOf(
                        Limits.wholeNumber(value, "\"" + name + "\": a whole number, 0 or more"));
            numbers.put(name, number);
          }
        });
    return new PolicyChange(
        numbers, body.containsKey("late") ? String.valueOf(body.get("late")) : null);
  }

  @PostMapping(path = "/clock", consumes = MediaType.APPLICATION_JSON_VALUE)
  @Operation(summary = "Advances the clock, sets its pace or its mode, or takes a step")
  TimeSnapshot.ClockView clock(@RequestBody ClockBody body) {
    String advanceTo = body.advanceTo();
    ClockChange change =
        new ClockChange(
            advanceTo == null ? null : Limits.instant("advanceTo", advanceTo),
            body.mode(),
            body.pace(),
            body.step());
    return time.with(
        lanes -> {
          change.on(lanes);
          return lanes.clock();
        });
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
