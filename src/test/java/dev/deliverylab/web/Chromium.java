package dev.deliverylab.web;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.PlaywrightException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Assumptions;

/** The Chromium that is on this machine, running. None is ever downloaded. */
record Chromium(Playwright playwright, Browser browser) implements AutoCloseable {

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

  /** Starts it. Where there is none, the test that asks is skipped, and a sentence says why. */
  static Chromium open() {
    Path path = orSkip();
    Playwright playwright = Playwright.create(withoutDownload());
    try {
      return new Chromium(playwright, playwright.chromium().launch(options(path)));
    } catch (PlaywrightException e) {
      playwright.close();
      throw e;
    }
  }

  /** A new viewer, who shares neither cookies nor storage with the others. */
  Visit visit(Browser.NewContextOptions options) {
    BrowserContext context = browser.newContext(options);
    return new Visit(context, context.newPage());
  }

  /** Ends the browser too, and with it each visit that is still open. */
  @Override
  public void close() {
    playwright.close();
  }

  private static Path orSkip() {
    Optional<Path> found =
        List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)).stream()
            .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
            .filter(Files::isExecutable)
            .findFirst();
    Assumptions.assumeTrue(
        found.isPresent(),
        "No Chromium on the path, so no page was opened in a browser: install the package chromium");
    return found.orElseThrow();
  }

  private static Playwright.CreateOptions withoutDownload() {
    return new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"));
  }

  private static BrowserType.LaunchOptions options(Path chromium) {
    return new BrowserType.LaunchOptions()
        .setExecutablePath(chromium)
        .setArgs(
            List.of(
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync"));
  }

  /** One viewer, with the first page that is open. */
  record Visit(BrowserContext context, Page page) implements AutoCloseable {

    /**
     * From now on adds to the complaints what the page's console says, where that is a complaint,
     * and each error that the page's scripts do not catch. A message is judged when it comes, so a
     * test can expect a refusal for a part of its way only.
     */
    void collect(List<String> complaints, Predicate<ConsoleMessage> isComplaint) {
      page.onConsoleMessage(
          message -> {
            if (isComplaint.test(message)) {
              complaints.add(message.text());
            }
          });
      page.onPageError(complaints::add);
    }

    @Override
    public void close() {
      context.close();
    }
  }
}
