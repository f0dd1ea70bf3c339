package dev.deliverylab.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import dev.deliverylab.web.Chromium.Visit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Swagger's page in a real browser, under the policy that forbids everything inline. */
@ExtendWith(SharedLab.class)
class SwaggerIT {

  private static final double PATIENCE_MILLIS = 30_000;

  private final Lab lab;

  SwaggerIT(Lab lab) {
    this.lab = lab;
  }

  @Test
  void everyCallIsOnThePageAndOneCanBeTried() {
    lab.fresh(1, 2);
    List<String> complaints = new ArrayList<>();
    try (Chromium chromium = Chromium.open();
        Visit visit = chromium.visit(new Browser.NewContextOptions().setViewportSize(1280, 900))) {
      Page page = visit.page();
      visit.collect(
          complaints,
          message -> message.type().equals("error") || message.type().equals("warning"));
      page.navigate(lab.address() + "/swagger-ui");
      Locator calls = page.locator(".opblock");
      int described =
          lab.get("/v3/api-docs").at("/paths").valueStream().mapToInt(item -> item.size()).sum();
      assertThat(calls)
          .hasCount(described, new LocatorAssertions.HasCountOptions().setTimeout(PATIENCE_MILLIS));
      shoot(page, "swagger");

      Locator append = page.locator(".opblock-post", hasText("/api/log/records"));
      append.locator(".opblock-summary").click();
      append.locator(".try-out__btn").click();
      append.locator(".execute").click();
      Locator answer = append.locator(".live-responses-table .response").first();
      assertThat(answer).containsText("200", patiently());
      assertThat(answer).containsText("\"appended\": 5", patiently());
      answer.scrollIntoViewIfNeeded();
      shoot(page, "swagger-tried");

      // A negative control: what the policy forbids is complained about, and is seen here.
      assertThat(complaints).isEmpty();
      page.evaluate(
          "document.body.insertAdjacentHTML('beforeend', '<b style=\"color:red\">x</b>')");
      assertThat(complaints).anyMatch(text -> text.contains("Content Security Policy"));
    }
    assertThat(lab.get("/api/experiment").number("/truth/appended")).isEqualTo(5);
  }

  private static Page.LocatorOptions hasText(String text) {
    return new Page.LocatorOptions().setHasText(text);
  }

  private static LocatorAssertions.ContainsTextOptions patiently() {
    return new LocatorAssertions.ContainsTextOptions().setTimeout(PATIENCE_MILLIS);
  }

  private static void shoot(Page page, String name) {
    page.screenshot(
        new Page.ScreenshotOptions().setPath(Path.of("target", "screenshots", name + ".png")));
  }
}
