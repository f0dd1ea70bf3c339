package dev.deliverylab.web;

import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The Chromium that is on this machine. None is ever downloaded. */
final class Chromium {

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

  private Chromium() {}

  static Path orSkip() {
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

  static Playwright.CreateOptions withoutDownload() {
    return new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"));
  }

  static BrowserType.LaunchOptions options(Path chromium) {
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
}
