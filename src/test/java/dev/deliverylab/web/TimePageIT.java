package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of time in a real browser, under the policy that forbids everything inline. */
class TimePageIT {

  private static final Path SHOTS = Path.of("target", "screenshots");

  private static Playwright playwright;
  private static Browser browser;
  private static PagesServer server;

  private BrowserContext context;
  private Page page;
  private final List<String> complaints = new ArrayList<>();

  @BeforeAll
  static void start() {
    Path chromium = Chromium.orSkip();
    playwright = Playwright.create(Chromium.withoutDownload());
    browser = playwright.chromium().launch(Chromium.options(chromium));
    server = new PagesServer(new FakeBoard(FakeBoard.Situation.EMPTY), new FakeTimeBoard(), 0);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
    if (playwright != null) {
      playwright.close();
    }
  }

  @BeforeEach
  void open() {
    server.commands.clear();
    server.time.reset();
    newContext(1280, 720);
  }

  private void newContext(int width, int height) {
    if (context != null) {
      context.close();
    }
    context =
        browser.newContext(
            new Browser.NewContextOptions().setViewportSize(width, height).setTimezoneId("UTC"));
    page = context.newPage();
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error")) {
            complaints.add(message.text());
          }
        });
    page.onPageError(complaints::add);
  }

  @AfterEach
  void close() {
    context.close();
    assertThat(complaints).as("what the browser complained about").isEmpty();
  }

  private void go(String query) {
    page.navigate(server.address() + "/time" + query);
    PlaywrightAssertions.assertThat(page.locator("#live-state")).hasText("live");
  }

  private void shoot(String name) {
    page.screenshot(new Page.ScreenshotOptions().setPath(SHOTS.resolve("time-" + name + ".png")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void pictures(String theme) {
    go("?theme=" + theme);
    shoot("empty-" + theme);
    server.time.fiveLateEvents();
    for (String lane : FakeTimeBoard.LANES) {
      go("?theme=" + theme + "&lane=" + lane);
      shoot("five-" + lane + "-" + theme);
    }
    page.screenshot(
        new Page.ScreenshotOptions()
            .setFullPage(true)
            .setPath(SHOTS.resolve("time-full-" + theme + ".png")));
    server.time.reset();
    server.time.many(2000, 42, Duration.ofMinutes(12));
    for (String lane : FakeTimeBoard.LANES) {
      go("?theme=" + theme + "&lane=" + lane);
      shoot("many-" + lane + "-" + theme);
    }
  }
}
