package dev.deliverylab.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.RequestOptions;
import dev.deliverylab.DeliveryLab;
import dev.deliverylab.web.Chromium.Visit;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The five-minute tour of the README, click by click, in a real browser on the real lab. It takes
 * the pictures on the way: into {@code target/pictures}, or into the folder that {@code
 * -Dlab.pictures=docs/pictures} names.
 */
class TourIT {

  private static final Path PICTURES =
      Path.of(System.getProperty("lab.pictures", "target/pictures"));

  /** Where the four lanes of the tour die. */
  private static final Map<String, String> GAPS =
      Map.of(
          "at-most-once", "effect-1",
          "at-least-once", "effect-2",
          "transactional", "store-offset",
          "idempotent-key", "effect-2");

  @TempDir private static Path data;

  private static ConfigurableApplicationContext lab;
  private static Chromium chromium;

  @BeforeAll
  static void start() {
    chromium = Chromium.open();
    lab =
        new SpringApplication(DeliveryLab.class)
            .run("--server.port=0", "--lab.data-dir=" + data.resolve("lab"));
  }

  @AfterAll
  static void stop() {
    if (lab != null) {
      lab.close();
    }
    if (chromium != null) {
      chromium.close();
    }
  }

  private static final String COVERED_GAPS =
      """
      [...document.querySelectorAll('.gapx')].filter(gap => {
        const box = gap.getBoundingClientRect();
        const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return !gap.contains(seen);
      }).map(gap => gap.id)
      """;

  @Test
  void theFiveMinuteTour() {
    try (Visit visit = visit(ColorScheme.LIGHT)) {
      Page page = open(visit, "/");
      reset(page);
      page.locator("#append").click();
      assertThat(page.locator(".truth")).containsText("149.45", patiently());

      GAPS.forEach(
          (lane, gap) -> {
            page.locator("#" + lane + "-g-" + gap).click();
            assertThat(page.locator("#" + lane + "-g-" + gap)).hasAttribute("aria-pressed", "true");
          });

      page.locator("#start-all").click();
      GAPS.keySet().forEach(lane -> isNow(page, lane, "crashed"));
      isNow(page, "insert-ignore", "running");
      shows(page, "at-least-once", "37.50");
      shows(page, "insert-ignore", "number right");
      picture(page, "crashed-light");

      GAPS.keySet().forEach(lane -> page.locator("#b-start-" + lane).click());
      shows(page, "at-least-once", "2 twice", "186.95");
      shows(page, "at-most-once", "1 lost", "137.45");
      shows(page, "transactional", "number right", "149.45");
      shows(page, "idempotent-key", "number right", "149.45");
      GAPS.keySet()
          .forEach(lane -> assertThat(page.locator("#verdict-" + lane)).containsText("kept"));

      replay(page, "transactional");
      replay(page, "idempotent-key");
      page.navigate(address("/"));
      shows(page, "transactional", "5 twice", "298.90");
      shows(page, "idempotent-key", "number right", "149.45");
      picture(page, "replayed-light");
    }
  }

  @Test
  void aScenarioByOneClick() {
    try (Visit light = visit(ColorScheme.LIGHT);
        Visit dark = visit(ColorScheme.DARK)) {
      Page page = open(light, "/");
      page.locator("#scenario select").selectOption("side-by-side");
      page.locator("#scenario button").click();
      shows(page, "auto-commit-handoff", "4 lost", "25.50");
      shows(page, "dedup-on-read", "view 5 rows", "186.95");
      shows(page, "random-key", "2 twice", "186.95");
      shows(page, "increment-in-place", "number wrong", "186.95");
      shows(page, "at-least-once", "2 twice", "186.95");
      shows(page, "transactional", "number right", "149.45");
      assertThat(page.locator("#run-end")).hasText("passed", patientlyExact());
      picture(page, "dashboard-light");

      Page night = open(dark, "/");
      shows(night, "at-least-once", "2 twice", "186.95");
      picture(night, "dashboard-dark");
      night.locator("#run-link").click();
      assertThat(night.locator("#run-head")).containsText("passed");
      assertThat(night.locator("#run-steps")).containsText("recount increment-in-place");
      assertThat(night.locator("#run-steps tr.wrong")).hasCount(0);
      assertThat(night.locator("#live-state")).hasText("live");
      picture(night, "run-dark");

      page.navigate(address("/lanes/at-least-once"));
      assertThat(page.locator("#live-state")).hasText("live");
      picture(page, "lane-light");

      page.navigate(address("/orders"));
      assertThat(page.locator("main")).containsText("1002");
      picture(page, "orders-light");
    }
  }

  /** The pictures of docs/time.md: the five late events by each rule, and the curve. */
  @Test
  void timeByOneClickAndByDragging() {
    try (Visit light = visit(ColorScheme.LIGHT);
        Visit dark = visit(ColorScheme.DARK)) {
      Page page = open(light, "/time?lane=per-record");
      page.locator("summary:has-text('scenario')").click();
      page.locator("#scenario select").selectOption("late-crash");
      page.locator("#scenario button").click();
      assertThat(page.locator("#run-end")).hasText("passed", patientlyExact());
      for (String lane : List.of("per-record", "arrival-watermark")) {
        assertThat(page.locator("#card-" + lane)).containsText("86.25", patiently());
        assertThat(page.locator("#card-" + lane)).containsText("42.3 %");
      }
      for (String lane : List.of("event-time-watermark", "streams-window")) {
        assertThat(page.locator("#card-" + lane)).containsText("149.45", patiently());
      }
      quiet(page);
      picture(page, "time-per-record-light");

      Page night = open(dark, "/time?lane=arrival-watermark");
      assertThat(night.locator("#time-story")).containsText("42.3 %", patiently());
      picture(night, "time-arrival-dark");

      page.navigate(address("/time?lane=event-time-watermark"));
      assertThat(page.locator("#live-state")).hasText("live");
      page.locator("#further").click();
      assertThat(page.locator("#card-event-time-watermark"))
          .containsText("Watermark at 09:10", patiently());
      quiet(page);
      picture(page, "time-event-light");

      reset(page, "/api/time/reset");
      page.request()
          .put(
              address("/api/time/lanes/streams-window/policy"),
              RequestOptions.create().setData(Map.of("boundMinutes", 4)));
      page.request()
          .post(
              address("/api/time/records"),
              RequestOptions.create()
                  .setData(
                      Map.of(
                          "generate",
                          Map.of("count", 1500, "seed", 7, "keys", 20, "delay", "uniform"))));
      page.navigate(address("/time?lane=streams-window"));
      assertThat(page.locator("#time-clock")).containsText("1,500 orders", patiently());
      String drained = "/api/lanes/streams-window?await=drained&timeout=60";
      PlaywrightAssertions.assertThat(
              page.request().get(address(drained), RequestOptions.create().setTimeout(90_000)))
          .isOK();
      quiet(page);
      picture(page, "time-many-light");
    }
  }

  @Test
  void aRunIsWatchedAndStoppedFromTheKeyboard() {
    try (Visit visit = visit(ColorScheme.LIGHT)) {
      Page page = open(visit, "/");
      page.request()
          .post(
              address("/api/scenarios/runs"),
              RequestOptions.create()
                  .setHeader("Content-Type", "application/yaml")
                  .setData(
                      """
                      name: endless
                      title: "<b>no markup</b>"
                      steps:
                        - start: at-least-once
                        - await: {lane: at-least-once, condition: crashed, timeoutSeconds: 600}
                      """));
      assertThat(page.locator("#story"))
          .containsText("step 2 of 3:await at-least-once crashed", patiently());
      page.locator("#run-stop").focus();
      assertThat(page.locator("#curl")).containsText("curl -X DELETE 127.0.0.1:");
      page.keyboard().press("Enter");
      assertThat(page.locator("#run-end")).hasText("failed", patientlyExact());
      page.locator("#run-link").click();
      assertThat(page.locator("#run-head")).containsText("<b>no markup</b>");
      assertThat(page.locator("#run-steps")).containsText("Stopped before its end, by request.");
      assertThat(page.locator("#live-state")).hasText("live");
      picture(page, "run-light");
    }
  }

  /** At 1280 by 720, where the rows are tightest. A gap below something else takes no press. */
  @Test
  void everyGapOfABigBatchCanBePressed() {
    try (Visit visit = visit(ColorScheme.LIGHT)) {
      Page page = open(visit, "/");
      for (int batchSize : List.of(1, 3, 10, 1000)) {
        page.request()
            .post(
                address("/api/experiment"),
                RequestOptions.create().setData(Map.of("batchSize", batchSize)));
        page.reload();
        assertThat(page.locator("#live-state")).hasText("live");
        org.assertj.core.api.Assertions.assertThat(page.evaluate(COVERED_GAPS))
            .as("batches of " + batchSize)
            .isEqualTo(List.of());
      }
    }
  }

  private static Page open(Visit visit, String path) {
    Page page = visit.page();
    page.setDefaultTimeout(60_000);
    page.navigate(address(path));
    assertThat(page.locator("#live-state")).hasText("live");
    return page;
  }

  /** Each test begins with an experiment of its own. */
  private static void reset(Page page) {
    reset(page, "/api/experiment");
  }

  private static void reset(Page page, String path) {
    page.request().post(address(path), RequestOptions.create().setData(Map.of()));
    page.reload();
    assertThat(page.locator("#live-state")).hasText("live");
  }

  /** Without what was said about the last press. */
  private static void quiet(Page page) {
    page.reload();
    assertThat(page.locator("#live-state")).hasText("live");
  }

  private static void isNow(Page page, String lane, String state) {
    assertThat(page.locator("#who-" + lane + " .state"))
        .hasText(state, new LocatorAssertions.HasTextOptions().setTimeout(60_000));
  }

  private static void replay(Page page, String lane) {
    page.navigate(address("/lanes/" + lane));
    assertThat(page.locator("#live-state")).hasText("live");
    page.locator("#replay-dry").click();
    assertThat(page.locator("#replay-preview"))
        .containsText("partition 0: 5 → 0, 5 records to read", patiently());
    page.locator("#replay-go").click();
    assertThat(page.locator("#replay-preview")).containsText("Moved.", patiently());
  }

  private static void shows(Page page, String lane, String... texts) {
    for (String text : texts) {
      assertThat(page.locator("#verdict-" + lane)).containsText(text, patiently());
    }
  }

  private static LocatorAssertions.HasTextOptions patientlyExact() {
    return new LocatorAssertions.HasTextOptions().setTimeout(60_000);
  }

  private static LocatorAssertions.ContainsTextOptions patiently() {
    return new LocatorAssertions.ContainsTextOptions().setTimeout(60_000);
  }

  private static Visit visit(ColorScheme scheme) {
    return chromium.visit(
        new Browser.NewContextOptions().setViewportSize(1280, 720).setColorScheme(scheme));
  }

  private static void picture(Page page, String name) {
    page.screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve(name + ".png")));
  }

  private static String address(String path) {
    return "http://127.0.0.1:" + lab.getEnvironment().getProperty("local.server.port") + path;
  }
}
