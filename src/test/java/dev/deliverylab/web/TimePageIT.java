package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.BoundingBox;
import dev.deliverylab.lane.LaneState;
import dev.deliverylab.scenario.Run;
import dev.deliverylab.web.Chromium.Visit;
import dev.deliverylab.web.PagesServer.Command;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of time in a real browser, under the policy that forbids everything inline. */
class TimePageIT {

  private static final Path SHOTS = Path.of("target", "screenshots");

  /** All that a bound changes in the two pictures. */
  private static final String PICTURE =
      """
      () => {
        const places = (css, shape) => [
          ...(document.querySelector('.dots.' + css).getAttribute('d') ?? '').replaceAll('h0', '').split('M').slice(1),
          ...[...document.querySelectorAll('#plane .pt.' + css + ' ' + shape)].map(c => c.getAttribute('cx') + ' ' + c.getAttribute('cy')),
        ].sort();
        return {
        late: places('late', '.ring'),
        inTime: places('in', '.dot'),
        shut: [...document.querySelectorAll('#plane .shut')].map(r => Math.round(r.getAttribute('x'))),
        closing: [...document.querySelectorAll('#plane .closing')].filter(t => t.getAttribute('x') !== '900').map(t => t.textContent + ' ' + Math.round(t.getAttribute('x'))),
        label: document.querySelector('#plane-label').textContent,
        line: (() => {
          const line = document.querySelector('#plane-line');
          const end = line.getPointAtLength(line.getTotalLength() - 1).matrixTransform(line.getCTM());
          const start = line.getPointAtLength(1).matrixTransform(line.getCTM());
          return line.closest('#plane').dataset.slope === 'true'
              ? Math.round(start.x + (end.x - start.x) * (0 - start.y) / (end.y - start.y))
              : Math.round(end.y);
        })(),
        figures: [...document.querySelectorAll('#trade .value')].map(t => t.textContent),
        handle: document.querySelector('#trade-handle').getCTM().e.toFixed(0),
        bound: document.querySelector('#bound-out').textContent,
      }}
      """;

  private static Chromium chromium;
  private static PagesServer server;

  private Visit visit;
  private Page page;

  /** What the browser may say: the refusal that a test makes on purpose. */
  private String expected = "nothing";

  private final List<String> complaints = new ArrayList<>();

  @BeforeAll
  static void start() {
    chromium = Chromium.open();
    server = new PagesServer(new FakeBoard(FakeBoard.Situation.EMPTY), new FakeTimeBoard(), 0);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
    if (chromium != null) {
      chromium.close();
    }
  }

  @BeforeEach
  void open() {
    server.commands.clear();
    server.time.reset();
    newVisit(1280, 720, "UTC");
  }

  private void newVisit(int width, int height, String zone) {
    if (visit != null) {
      visit.close();
    }
    visit =
        chromium.visit(
            new Browser.NewContextOptions().setViewportSize(width, height).setTimezoneId(zone));
    page = visit.page();
    visit.collect(
        complaints, message -> message.type().equals("error") && !message.text().matches(expected));
  }

  @AfterEach
  void close() {
    visit.close();
    assertThat(complaints).as("what the browser complained about").isEmpty();
  }

  private void go(String query) {
    page.navigate(server.address() + "/time" + query);
    PlaywrightAssertions.assertThat(page.locator("#live-state")).hasText("live");
  }

  private void shoot(String name) {
    page.screenshot(new Page.ScreenshotOptions().setPath(SHOTS.resolve("time-" + name + ".png")));
  }

  private void shootAll(String name) {
    page.screenshot(
        new Page.ScreenshotOptions()
            .setFullPage(true)
            .setPath(SHOTS.resolve("time-" + name + ".png")));
  }

  private int number(String script) {
    return ((Number) page.evaluate(script)).intValue();
  }

  private List<String> sent() {
    return server.commands.stream().map(c -> c.line() + " " + c.body()).toList();
  }

  private static void expectText(Locator locator, String text) {
    PlaywrightAssertions.assertThat(locator).containsText(text);
  }

  /** As if the slider were dragged there and held: the lab is not told yet. */
  private void drag(long bound) {
    page.locator("#bound")
        .evaluate(
            "(slider, bound) => { slider.step = 1; slider.value = bound;"
                + " slider.dispatchEvent(new Event('input', {bubbles: true})); }",
            String.valueOf(bound));
  }

  private void letGo() {
    page.locator("#bound").dispatchEvent("change");
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void itFitsAProjector(String theme) {
    for (String situation : List.of("empty", "five", "many")) {
      server.time.reset();
      if (situation.equals("five")) {
        server.time.fiveLateEvents();
      } else if (situation.equals("many")) {
        server.time.many(2000, 42, Duration.ofMinutes(12));
      }
      for (String lane : FakeTimeBoard.LANES) {
        go("?theme=" + theme + "&lane=" + lane);
        shoot(situation + "-" + lane + "-" + theme);
        assertThat(number("document.documentElement.scrollWidth")).isEqualTo(1280);
        assertThat(
                number(
                    "document.querySelector('.rules').getBoundingClientRect().bottom"
                        + " - document.querySelector('.foot').getBoundingClientRect().top"))
            .as("plane, curve and rules above the foot, for " + situation)
            .isLessThanOrEqualTo(0);
      }
    }
  }

  @Test
  void otherSituationsAndSizes() {
    server.time.fiveLateEvents();
    for (String theme : List.of("light", "dark")) {
      go("?theme=" + theme + "&lane=event-time-watermark");
      shootAll("full-" + theme);
      go("?present&theme=" + theme);
      shoot("present-" + theme);
      assertThat(number("document.documentElement.scrollWidth")).isEqualTo(1280);
    }
    server.time.obey("PUT /api/time/lanes/arrival-watermark/policy", "{\"late\":\"restate\"}");
    server.time.obey("PUT /api/time/lanes/per-record/policy", "{\"late\":\"side-output\"}");
    server.time.state("event-time-watermark", LaneState.CRASHED);
    server.time.order(0, 1006, "10.00", "2031-01-01T00:00:00Z", "2026-01-04T09:42:00Z");
    server.time.order(0, 1007, "5.00", "2025-12-31T23:59:00Z", "2026-01-04T09:42:30Z");
    go("?theme=light");
    expectText(page.locator("#wl-windows-arrival-watermark .rev.old").last(), "60.75");
    expectText(page.locator("#wl-windows-arrival-watermark"), "123.95");
    shootAll("trouble-light");
    newVisit(1920, 1080, "UTC");
    go("?theme=dark");
    shoot("1080p-dark");
    newVisit(390, 844, "UTC");
    go("?theme=light");
    shootAll("phone");
    assertThat(number("document.documentElement.scrollWidth")).isEqualTo(390);
  }

  @Test
  void theFiveEventsAreSteppedThroughOneByOne() {
    go("?lane=event-time-watermark");
    page.locator("#time-pace").selectOption("step");
    await().until(() -> server.commands.size() == 1);
    page.locator("#append").click();
    expectText(page.locator("#time-clock"), "5 records to come");
    for (int step = 1; step <= 4; step++) {
      page.locator("#step").click();
      PlaywrightAssertions.assertThat(page.locator("#plane .pt")).hasCount(step);
    }
    expectText(page.locator("#plane-label"), "it stands at 08:59");
    // One more, before the fifth arrives: the window closes, and 1005 is late for it.
    page.locator("#further").click();
    await().until(() -> server.commands.size() == 7);
    server.time.obey("POST /api/time/clock", "{\"step\":1}");
    server.time.obey("POST /api/time/clock", "{\"step\":1}");
    PlaywrightAssertions.assertThat(page.locator("#plane .pt")).hasCount(6);
    assertThat(sent().subList(0, 7))
        .containsExactly(
            "POST /api/time/clock {\"pace\":\"step\"}",
            "POST /api/time/records {\"dataset\":\"five-late-events\"}",
            "POST /api/time/clock {\"step\":1}",
            "POST /api/time/clock {\"step\":1}",
            "POST /api/time/clock {\"step\":1}",
            "POST /api/time/clock {\"step\":1}",
            "POST /api/time/records {\"records\":[{\"orderId\":1006,\"amount\":\"10.00\","
                + "\"eventTime\":\"2026-01-04T09:20:00Z\",\"arrivalTime\":\"2026-01-04T09:20:05Z\"}]}");
  }

  @ParameterizedTest
  @CsvSource({
    "per-record, 0", "per-record, 379", "per-record, 380", "per-record, 2100",
    "arrival-watermark, 0", "arrival-watermark, 840", "arrival-watermark, 1860",
        "arrival-watermark, 1861",
    "event-time-watermark, 0", "event-time-watermark, 60", "streams-window, 300",
  })
  void whatADraggedBoundShowsIsWhatTheLabThenDraws(String lane, long bound) {
    server.time.fiveLateEvents();
    go("?lane=" + lane);
    Object before = page.evaluate(PICTURE);
    drag(bound);
    Object preview = page.evaluate(PICTURE);
    assertThat(preview).isNotEqualTo(before);
    assertThat(server.commands).isEmpty();
    letGo();
    PlaywrightAssertions.assertThat(page.locator("#plane"))
        .hasAttribute("data-bound", String.valueOf(bound));
    assertThat(page.evaluate(PICTURE)).isEqualTo(preview);
    assertThat(server.commands)
        .containsExactly(
            new Command(
                "PUT /api/time/lanes/" + lane + "/policy", "{\"boundSeconds\":" + bound + "}"));
    PlaywrightAssertions.assertThat(page.locator("html"))
        .not()
        .hasClass(Pattern.compile("previewing"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"per-record", "arrival-watermark", "event-time-watermark"})
  void soItIsWithTwoThousandRecordsOnThreePartitions(String lane) {
    server.time.partitions = 3;
    server.time.many(2000, 7, Duration.ofMinutes(12));
    go("?lane=" + lane);
    // The figures of a bound between two points of the curve are those of the point before.
    String picture = PICTURE.replaceAll("figures: .*", "");
    Object before = page.evaluate(picture);
    drag(420);
    Object preview = page.evaluate(picture);
    assertThat(preview).isNotEqualTo(before);
    letGo();
    PlaywrightAssertions.assertThat(page.locator("#plane")).hasAttribute("data-bound", "420");
    assertThat(page.evaluate(picture)).isEqualTo(preview);
  }

  @Test
  void theHandleOnTheCurveIsDraggedAndTheLabIsToldOnce() {
    server.time.fiveLateEvents();
    go("?lane=per-record");
    BoundingBox box = page.locator("#trade svg").boundingBox();
    double scale = box.width / 374;
    double y = box.y + box.height / 2;
    page.mouse().move(box.x + (9 + 356 * 600.0 / 2400) * scale, y);
    page.mouse().down();
    page.mouse().move(box.x + (9 + 356 * 2000.0 / 2400) * scale, y);
    page.mouse().move(box.x + (9 + 356 * 2250.0 / 2400) * scale, y);
    expectText(page.locator("#bound-out"), "37 min 30 s");
    expectText(page.locator("#trade .dropped .value"), "nothing");
    PlaywrightAssertions.assertThat(page.locator("#plane .pt.late")).hasCount(0);
    assertThat(server.commands).isEmpty();
    // A record that arrives meanwhile is drawn, and the bound stays in the hand.
    server.time.order(0, 1006, "1.00", "2026-01-04T09:41:00Z", "2026-01-04T09:41:30Z");
    PlaywrightAssertions.assertThat(page.locator("#plane .pt")).hasCount(6);
    PlaywrightAssertions.assertThat(page.locator("#plane .pt.late")).hasCount(0);
    expectText(page.locator("#bound-out"), "37 min 30 s");
    page.mouse().up();
    PlaywrightAssertions.assertThat(page.locator("#plane")).hasAttribute("data-bound", "2250");
    assertThat(sent())
        .containsExactly("PUT /api/time/lanes/per-record/policy {\"boundSeconds\":2250}");
    expectText(page.locator("#card-per-record"), "150.45");
  }

  @Test
  void theBoundAndTheLaneObeyTheKeyboard() {
    server.time.fiveLateEvents();
    go("?lane=arrival-watermark");
    page.locator("#bound").focus();
    expectText(
        page.locator("#curl"),
        "curl -X PUT 127.0.0.1:%d/api/time/lanes/arrival-watermark/policy --json '{\"boundSeconds\":600}'"
            .formatted(server.port()));
    page.keyboard().press("ArrowRight");
    page.keyboard().press("ArrowRight");
    expectText(page.locator("#bound-out"), "11 min");
    PlaywrightAssertions.assertThat(page.locator("#plane")).hasAttribute("data-bound", "660");
    assertThat(sent())
        .containsExactly("PUT /api/time/lanes/arrival-watermark/policy {\"boundSeconds\":660}");
    PlaywrightAssertions.assertThat(page.locator("#bound")).isFocused();
    PlaywrightAssertions.assertThat(page.locator("#bound"))
        .hasAttribute("aria-valuetext", "11 min");

    page.locator("#drawn input:checked").focus();
    page.keyboard().press("ArrowRight");
    PlaywrightAssertions.assertThat(page.locator("#plane"))
        .hasAttribute("data-lane", "event-time-watermark");
    PlaywrightAssertions.assertThat(page).hasURL(Pattern.compile("lane=event-time-watermark"));
    PlaywrightAssertions.assertThat(page.locator(".rule.sel h2")).hasText("event-time-watermark");
    PlaywrightAssertions.assertThat(page.locator("#drawn input:checked")).isFocused();
    expectText(page.locator("#bound-out"), "10 min");
    expectText(page.locator("#time-story h1"), "Nothing is late, and nothing is answered yet.");
    // What is sent now is for the lane that is drawn now.
    page.locator("#late-form label:has-text('restate')").click();
    await().until(() -> server.commands.size() == 2);
    assertThat(sent().get(1))
        .isEqualTo("PUT /api/time/lanes/event-time-watermark/policy {\"late\":\"restate\"}");
  }

  @Test
  void theWholePolicyIsSentAndARefusalIsASentenceThatPutsTheBoundBack() {
    server.time.fiveLateEvents();
    go("?lane=event-time-watermark");
    page.locator("summary:has-text('more')").click();
    page.locator("#policy input[name=windowSeconds]").fill("60");
    server.time.order(0, 1006, "1.00", "2026-01-04T09:41:00Z", "2026-01-04T09:41:30Z");
    PlaywrightAssertions.assertThat(page.locator("#plane .pt")).hasCount(6);
    assertThat(page.locator("#policy input[name=windowSeconds]").inputValue())
        .as("half-typed input survives")
        .isEqualTo("60");
    page.locator("#policy-go").click();
    await().until(() -> server.commands.size() == 1);
    assertThat(sent().get(0))
        .isEqualTo(
            "PUT /api/time/lanes/event-time-watermark/policy"
                + " {\"windowSeconds\":60,\"boundSeconds\":600,\"idleSeconds\":null,\"maxAheadSeconds\":60}");
    expectText(page.locator("#wl-windows-event-time-watermark"), "09:04–09:05");

    expected = "(?s).*(status of|Error Code) 400.*";
    server.time.refusal = "boundSeconds: 0 to 31536000 (a year)";
    drag(1200);
    expectText(page.locator("#bound-out"), "20 min");
    letGo();
    PlaywrightAssertions.assertThat(page.locator("#status"))
        .hasText("bound: boundSeconds: 0 to 31536000 (a year)");
    expectText(page.locator("#bound-out"), "10 min");
    PlaywrightAssertions.assertThat(page.locator("#bound")).hasValue("600");
  }

  @Test
  void theHeaderControlsSendWhatTheirCurlLinesSay() {
    server.time.fiveLateEvents();
    go("");
    page.locator("summary:has-text('clock')").click();
    page.locator("#onward").click();
    await().until(() -> server.commands.size() == 1);
    page.locator("#advance-to").fill("2026-01-04T11:00:00Z");
    page.locator("#advance button").click();
    await().until(() -> server.commands.size() == 2);
    page.locator("#clock-wall").click();
    await().until(() -> server.commands.size() == 3);
    PlaywrightAssertions.assertThat(page.locator("#clock-wall"))
        .hasAttribute("aria-pressed", "true");
    page.locator("summary:has-text('generate')").click();
    page.locator("#generate input[name=idlePartition]").fill("2");
    page.locator("#generate-go").hover();
    expectText(page.locator("#curl"), "--json '{\"generate\":{\"count\":500,\"seed\":42");
    page.locator("#generate-go").click();
    await().until(() -> server.commands.size() == 4);
    page.locator("summary:has-text('reset')").click();
    page.locator("#time-reset input[name=partitions]").fill("3");
    page.locator("#time-reset-go").click();
    await().until(() -> server.commands.size() == 5);
    assertThat(sent())
        .containsExactly(
            "POST /api/time/clock {\"advanceTo\":\"2026-01-04T10:11:00Z\"}",
            "POST /api/time/clock {\"advanceTo\":\"2026-01-04T11:00:00Z\"}",
            "POST /api/time/clock {\"mode\":\"wall\"}",
            "POST /api/time/records {\"generate\":{\"count\":500,\"seed\":42,\"delay\":\"uniform\","
                + "\"delaySeconds\":1200,\"idlePartition\":2,\"future\":0}}",
            "POST /api/time/reset {\"partitions\":3,\"batchSize\":2}");
    expectText(page.locator("#time-story h1"), "Nothing has arrived yet.");
  }

  @Test
  void whatIsSetAsideIsSaidToBe() {
    server.time.fiveLateEvents();
    server.time.obey("PUT /api/time/lanes/arrival-watermark/policy", "{\"late\":\"side-output\"}");
    go("?lane=arrival-watermark");
    expectText(page.locator("#time-story h1"), "42.3 % of the money is set aside.");
    expectText(page.locator("#card-arrival-watermark"), "63.20 set aside, 42.3 %");
    expectText(page.locator("#trade"), "set aside");
  }

  @Test
  void aScenarioIsStartedHereAndSaysHowFarItIs() {
    go("");
    page.locator("summary:has-text('scenario')").click();
    page.locator("#scenario select").selectOption("late-crash");
    page.locator("#run").hover();
    expectText(page.locator("#curl"), "/api/scenarios/late-crash/runs");
    page.locator("#run").click();
    await().until(() -> server.commands.size() == 1);
    assertThat(sent().get(0)).startsWith("POST /api/scenarios/late-crash/runs");
    Run.Step step = new Run.Step("start all", null, "done", true);
    server.time.play(
        new Run(
            7, "late-crash", "A", true, Run.State.RUNNING, List.of(step), 9, "await per-record"));
    expectText(page.locator("#run-line"), "1 of 9 steps");
    PlaywrightAssertions.assertThat(page.locator("#run-stop")).isVisible();
    server.time.play(new Run(7, "late-crash", "A", true, Run.State.FAILED, List.of(step), 9, null));
    expectText(page.locator("#run-end"), "failed");
    PlaywrightAssertions.assertThat(page.locator("#run-link")).hasAttribute("href", "/runs/7");
  }

  @Test
  void aLaneIsArmedCrashedAndReplayedFromItsPanel() {
    server.time.fiveLateEvents();
    go("");
    page.locator("#per-record-g-effect-2").focus();
    page.keyboard().press("Enter");
    await().until(() -> server.commands.size() == 1);
    // The armed one is disarmed by the same button.
    page.locator("#event-time-watermark-g-store-offset").click();
    await().until(() -> server.commands.size() == 2);
    page.locator("#b-crash-per-record").click();
    await().until(() -> server.commands.size() == 3);
    page.locator("#b-replay-per-record").click();
    await().until(() -> server.commands.size() == 4);
    server.time.state("per-record", LaneState.CRASHED);
    PlaywrightAssertions.assertThat(page.locator("#b-start-per-record"))
        .hasClass(Pattern.compile("go"));
    page.locator("#b-start-per-record").click();
    await().until(() -> server.commands.size() == 5);
    assertThat(sent())
        .containsExactly(
            "POST /api/lanes/per-record/crash {\"after\":\"effect\",\"record\":2}",
            "DELETE /api/lanes/event-time-watermark/crash ",
            "POST /api/lanes/per-record/crash {\"now\":true}",
            "POST /api/lanes/per-record/replay {\"to\":\"earliest\"}",
            "POST /api/lanes/per-record/restart {}");
  }

  @Test
  void timesAreInTheViewersZoneWhichIsNamedOrInUtc() {
    newVisit(1280, 720, "Asia/Kolkata");
    server.time.fiveLateEvents();
    go("?lane=arrival-watermark");
    expectText(page.locator("#time-story"), "happened at 14:36 and arrived at 15:11");
    expectText(page.locator("#plane .axis"), "times in Asia/");
    expectText(page.locator("#plane .axis"), "14:40");
    expectText(page.locator("#plane-label"), "it stands at 15:01");
    // A piece that comes later is written in the same zone.
    server.time.order(0, 1006, "1.00", "2026-01-04T09:42:00Z", "2026-01-04T09:43:00Z");
    expectText(page.locator("#time-clock"), "15:13");
    shoot("kolkata");
    page.locator("#zone").click();
    expectText(page.locator("#time-clock"), "09:43");
    expectText(page.locator("#plane .axis"), "times in UTC");
    page.reload();
    expectText(page.locator("#time-clock"), "09:43");
  }

  @Test
  void aDayWithTheHourThatIsThereTwiceIsWrittenAsTheViewersClocksShowIt() {
    newVisit(1280, 720, "Europe/Berlin");
    server.time.order(0, 1, "1.00", "2026-10-25T00:30:00Z", "2026-10-25T00:31:00Z");
    server.time.order(0, 2, "1.00", "2026-10-25T01:30:00Z", "2026-10-25T01:31:00Z");
    go("?lane=per-record");
    // 02:30 in summer time, and an hour later 02:30 again: apart in the plane, and in the titles.
    List<String> places =
        page.locator("#plane .pt .dot").all().stream().map(dot -> dot.getAttribute("cx")).toList();
    assertThat(places).doesNotHaveDuplicates().hasSize(2);
    expectText(page.locator("#time-clock"), "02:31");
  }
}
