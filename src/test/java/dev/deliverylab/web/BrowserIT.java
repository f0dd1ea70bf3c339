package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.deliverylab.scenario.Run;
import dev.deliverylab.web.Chromium.Visit;
import dev.deliverylab.web.FakeBoard.Situation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pages in a real browser, under the policy that forbids everything inline. */
class BrowserIT {

  private static final Path SHOTS = Path.of("target", "screenshots");

  private static Chromium chromium;
  private static PagesServer server;

  private Visit visit;
  private Page page;

  /** What the browser may say: the refusals and the outage that a test makes on purpose. */
  private String expected = "(?s).*(status of|Error Code) 400.*";

  private final List<String> complaints = new ArrayList<>();

  @BeforeAll
  static void start() {
    chromium = Chromium.open();
    server = new PagesServer(new FakeBoard(Situation.AFTER_THE_CRASH), 0);
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
    show(Situation.AFTER_THE_CRASH);
    newVisit(1280, 720);
  }

  private void newVisit(int width, int height) {
    if (visit != null) {
      visit.close();
    }
    visit = chromium.visit(new Browser.NewContextOptions().setViewportSize(width, height));
    page = visit.page();
    visit.collect(
        complaints, message -> message.type().equals("error") && !message.text().matches(expected));
  }

  @AfterEach
  void close() {
    visit.close();
    assertThat(complaints).as("what the browser complained about").isEmpty();
  }

  private static void show(Situation situation) {
    server.board.nowRecord = null;
    server.board.run = null;
    server.board.situation = situation;
    server.board.version.incrementAndGet();
  }

  private static void play(Run run) {
    server.board.run = run;
    server.board.version.incrementAndGet();
  }

  private void go(String path) {
    page.navigate(server.address() + path);
    if (!path.startsWith("/orders/")) {
      PlaywrightAssertions.assertThat(page.locator("#live-state")).hasText("live");
    }
  }

  private void shoot(String name) {
    page.screenshot(new Page.ScreenshotOptions().setPath(SHOTS.resolve(name + ".png")));
  }

  @ParameterizedTest
  @CsvSource({
    "EMPTY,light", "AFTER_THE_CRASH,light", "AFTER_THE_CRASH,dark", "AFTER_THE_RESTART,light",
    "AFTER_THE_RESTART,dark", "TROUBLE,light", "TROUBLE,dark", "SIXTEEN_PARTITIONS,light",
    "FOUR_PARTITIONS,light", "A_MILLION,dark", "LONG_IDS,light", "MARKUP,light"
  })
  void theDashboardFitsAProjector(Situation situation, String theme) {
    show(situation);
    go("/?theme=" + theme);
    shoot("dashboard-" + situation.name().toLowerCase(java.util.Locale.ROOT) + "-" + theme);
    assertThat(page.evaluate("document.documentElement.scrollWidth")).isEqualTo(1280);
    assertThat(((Number) page.evaluate("document.documentElement.scrollHeight")).intValue())
        .as("ten lanes without scrolling")
        .isLessThanOrEqualTo(720);
  }

  @Test
  void theOtherPagesAndSizes() {
    show(Situation.AFTER_THE_RESTART);
    for (String theme : List.of("light", "dark")) {
      go("/lanes/at-least-once?theme=" + theme);
      page.screenshot(
          new Page.ScreenshotOptions()
              .setFullPage(true)
              .setPath(SHOTS.resolve("lane-" + theme + ".png")));
      go("/orders?theme=" + theme);
      shoot("orders-" + theme);
      go("/orders/1002?theme=" + theme);
      shoot("order-" + theme);
    }
    go("/lanes/dedup-on-read?theme=light");
    page.screenshot(
        new Page.ScreenshotOptions()
            .setFullPage(true)
            .setPath(SHOTS.resolve("lane-dedup-on-read.png")));
    go("/?theme=dark&present");
    shoot("present-dark");
    newVisit(1920, 1080);
    go("/?theme=light");
    shoot("dashboard-1080p");
    newVisit(390, 844);
    for (String path : List.of("/", "/lanes/at-least-once", "/orders")) {
      go(path + "?theme=light");
      page.screenshot(
          new Page.ScreenshotOptions()
              .setFullPage(true)
              .setPath(SHOTS.resolve("phone" + path.replaceAll("\\W", "-") + ".png")));
      assertThat(page.evaluate("document.documentElement.scrollWidth"))
          .as("no sideways scrolling on " + path)
          .isEqualTo(390);
    }
  }

  @Test
  void aGapArmsAndItsStateArrivesLiveWhileItKeepsTheFocus() {
    go("/");
    String gap = "#at-least-once-g-effect-2";
    page.locator(gap).focus();
    PlaywrightAssertions.assertThat(page.locator("#curl"))
        .containsText("curl -X POST 127.0.0.1:" + server.port() + "/api/lanes/at-least-once/crash");
    page.keyboard().press("Enter");
    await().until(() -> !server.commands.isEmpty());
    assertThat(server.commands)
        .containsExactly(
            new PagesServer.Command(
                "POST /api/lanes/at-least-once/crash", "{\"after\":\"effect\",\"record\":2}"));
    PlaywrightAssertions.assertThat(page.locator("#status")).containsText("done");

    show(Situation.AFTER_THE_RESTART);
    PlaywrightAssertions.assertThat(page.locator("#who-random-key .state")).hasText("running");
    assertThat(page.evaluate("document.activeElement.id")).isEqualTo(gap.substring(1));

    // The armed one is disarmed by the same button.
    page.locator("#transactional-g-store-offset").click();
    await().until(() -> server.commands.size() == 2);
    assertThat(server.commands.get(1).line()).isEqualTo("DELETE /api/lanes/transactional/crash");
  }

  @Test
  void halfTypedInputSurvivesAndARefusalIsASentence() {
    go("/lanes/at-least-once");
    page.locator("#arm input[name=record]").fill("9");
    server.board.nowRecord = 1;
    show(Situation.AFTER_THE_RESTART);
    server.board.nowRecord = 1;
    server.board.version.incrementAndGet();
    PlaywrightAssertions.assertThat(page.locator("#lane-source li.now")).containsText("effect");
    assertThat(page.locator("#arm input[name=record]").inputValue()).isEqualTo("9");
    page.locator("#arm select").selectOption("effect");
    page.locator("#arm-go").click();
    PlaywrightAssertions.assertThat(page.locator("#status"))
        .hasText("arm: record lies between 1 and 2");
    assertThat(server.commands.get(0).body())
        .isEqualTo("{\"after\":\"effect\",\"record\":9,\"batch\":1}");
  }

  @Test
  void aReplayIsPreviewedFirst() {
    go("/lanes/at-least-once");
    PlaywrightAssertions.assertThat(page.locator("#replay-go")).isDisabled();
    page.locator("#replay-form .seg label")
        .filter(new com.microsoft.playwright.Locator.FilterOptions().setHasText("offset"))
        .click();
    page.locator("#replay-value").fill("3");
    page.locator("#replay-dry").click();
    PlaywrightAssertions.assertThat(page.locator("#replay-preview"))
        .containsText("Preview, nothing changed. partition 0: 5 → 3, 2 records to read");
    page.locator("#replay-go").click();
    PlaywrightAssertions.assertThat(page.locator("#replay-preview")).containsText("Moved.");
    assertThat(server.commands.stream().map(PagesServer.Command::body))
        .containsExactly(
            "{\"to\":\"offset\",\"value\":3,\"group\":\"same\",\"dryRun\":true}",
            "{\"to\":\"offset\",\"value\":3,\"group\":\"same\"}");
  }

  @Test
  void theHeaderControlsSendWhatTheirCurlLinesSay() {
    go("/");
    page.locator("#append").click();
    await().until(() -> server.commands.size() == 1);
    page.locator("#start-all").click();
    await().until(() -> server.commands.size() == 2);
    page.locator("#scenario-name").selectOption("replay-parts-ways");
    page.locator("#run").click();
    await().until(() -> server.commands.size() == 3);
    page.locator("summary:has-text('load')").click();
    page.locator("#load-start").hover();
    PlaywrightAssertions.assertThat(page.locator("#curl"))
        .containsText("--json '{\"ratePerSecond\":200,\"seconds\":60,\"seed\":42}'");
    page.locator("#load-start").click();
    await().until(() -> server.commands.size() == 4);
    page.locator("#load-stop").click();
    await().until(() -> server.commands.size() == 5);
    page.locator("#pace").selectOption("250");
    await().until(() -> server.commands.size() == 6);
    assertThat(server.commands)
        .containsExactly(
            new PagesServer.Command("POST /api/log/records", "{\"dataset\":\"five-orders\"}"),
            new PagesServer.Command("POST /api/lanes/start", "{}"),
            new PagesServer.Command("POST /api/scenarios/replay-parts-ways/runs", "{}"),
            new PagesServer.Command(
                "POST /api/load", "{\"ratePerSecond\":200,\"seconds\":60,\"seed\":42}"),
            new PagesServer.Command("DELETE /api/load", ""),
            new PagesServer.Command("POST /api/pace", "{\"stepMillis\":250}"));
  }

  @Test
  void aRunIsFollowedStepByStepAndStoppedFromTheKeyboard() {
    play(FakeBoard.run(7, 17, 42));
    go("/");
    PlaywrightAssertions.assertThat(page.locator("#story")).containsText("step 18 of 42");
    PlaywrightAssertions.assertThat(page.locator("#story")).containsText("dedup-on-read drained");
    PlaywrightAssertions.assertThat(page.locator("#run-steps-done")).hasText("17 of 42 steps");
    page.locator("#run-stop").focus();
    PlaywrightAssertions.assertThat(page.locator("#curl"))
        .hasText("curl -X DELETE 127.0.0.1:" + server.port() + "/api/runs/7");

    play(FakeBoard.run(7, 18, 42));
    PlaywrightAssertions.assertThat(page.locator("#run-steps-done")).hasText("18 of 42 steps");
    PlaywrightAssertions.assertThat(page.locator("#run-bar")).hasAttribute("value", "18");
    PlaywrightAssertions.assertThat(page.locator("#run-stop")).isFocused();
    shoot("run-on-the-dashboard-light");
    page.keyboard().press("Enter");
    await().until(() -> !server.commands.isEmpty());
    assertThat(server.commands).containsExactly(new PagesServer.Command("DELETE /api/runs/7", ""));

    play(FakeBoard.run(7, 42, 42));
    PlaywrightAssertions.assertThat(page.locator("#run-end")).hasText("passed");
    PlaywrightAssertions.assertThat(page.locator("#run-stop")).hasCount(0);
    PlaywrightAssertions.assertThat(page.locator("#run-link")).isFocused();
    page.keyboard().press("Enter");
    PlaywrightAssertions.assertThat(page).hasURL(server.address() + "/runs/7");
  }

  @Test
  void aRunsOwnPageGrowsWithTheRun() {
    for (String theme : List.of("dark", "light")) {
      play(FakeBoard.run(7, 17, 42));
      go("/?theme=" + theme);
      shoot("run-on-the-dashboard-" + theme);
      go("/runs/7?theme=" + theme);
      PlaywrightAssertions.assertThat(page.locator("#run-steps tr.now"))
          .containsText("await dedup-on-read drained");
      PlaywrightAssertions.assertThat(page.locator("#run-steps tr.wrong"))
          .containsText("rows: expected 7, observed 8");
      page.screenshot(
          new Page.ScreenshotOptions()
              .setFullPage(true)
              .setPath(SHOTS.resolve("run-" + theme + ".png")));
    }
    play(FakeBoard.run(7, 18, 42));
    PlaywrightAssertions.assertThat(page.locator("#run-steps tbody tr")).hasCount(19);
    page.locator("#run-stop").click();
    await().until(() -> server.commands.size() == 1);
    assertThat(server.commands.get(0).line()).isEqualTo("DELETE /api/runs/7");
    play(FakeBoard.run(7, 42, 42));
    PlaywrightAssertions.assertThat(page.locator("#run-head")).containsText("passed");
    PlaywrightAssertions.assertThat(page.locator("#run-stop")).hasCount(0);
    newVisit(390, 844);
    go("/runs/7?theme=light");
    page.screenshot(
        new Page.ScreenshotOptions().setFullPage(true).setPath(SHOTS.resolve("phone-run.png")));
    assertThat(page.evaluate("document.documentElement.scrollWidth")).isEqualTo(390);
  }

  @Test
  void sevenTabsAllLoadAndAHiddenOneGivesItsConnectionBack() {
    List<Page> tabs = new ArrayList<>();
    for (int n = 0; n < 7; n++) {
      Page tab = visit.context().newPage();
      tab.addInitScript(
          "Object.defineProperty(document, 'hidden', {get: () => window.isHidden === true})");
      tab.navigate(server.address() + "/");
      PlaywrightAssertions.assertThat(tab.locator("#live-state")).hasText("live");
      tab.evaluate("window.isHidden = true; document.dispatchEvent(new Event('visibilitychange'))");
      PlaywrightAssertions.assertThat(tab.locator("#live-state")).hasText("asleep");
      tabs.add(tab);
    }
    Page last = tabs.get(6);
    last.evaluate("window.isHidden = false; document.dispatchEvent(new Event('visibilitychange'))");
    PlaywrightAssertions.assertThat(last.locator("#live-state")).hasText("live");
    last.locator("#append").click();
    await().until(() -> server.commands.size() == 1);
  }

  @Test
  void cutOffItSaysSinceWhenAndComesBackByItself() {
    FakeBoard board = new FakeBoard(Situation.AFTER_THE_CRASH);
    PagesServer first = new PagesServer(board, 0);
    int port = first.port();
    expected = "(?s).*ERR_.*";
    page.navigate(first.address());
    PlaywrightAssertions.assertThat(page.locator("#live-state")).hasText("live");
    first.close();
    PlaywrightAssertions.assertThat(page.locator("#live-state"))
        .containsText(java.util.regex.Pattern.compile("not live since \\d\\d:\\d\\d:\\d\\d"));
    shoot("cut-off");
    board.situation = Situation.AFTER_THE_RESTART;
    try (PagesServer second = new PagesServer(board, port)) {
      assertThat(second.port()).isEqualTo(port);
      PlaywrightAssertions.assertThat(page.locator("#live-state"))
          .hasText(
              "live",
              new com.microsoft.playwright.assertions.LocatorAssertions.HasTextOptions()
                  .setTimeout(20_000));
      PlaywrightAssertions.assertThat(page.locator("#who-random-key .state")).hasText("running");
      PlaywrightAssertions.assertThat(page.locator("#prog-at-least-once .chip")).hasCount(7);
    }
  }
}
