package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Other people's pages get nothing and change nothing; other people's words are only words. */
@ExtendWith(SharedLab.class)
class SecurityIT {

  private static final String MARKUP = "<img src=x onerror=alert(1)>\"'&";

  private final Lab lab;

  SecurityIT(Lab lab) {
    this.lab = lab;
  }

  /** One of each kind: pages, streams, REST, files, what the framework serves, nothing at all. */
  static List<String> everyKindOfRoute() {
    return List.of(
        "/",
        "/lanes/at-least-once",
        "/orders",
        "/orders/1001",
        "/api/lanes",
        "/api/scenarios",
        "/api/lanes/at-least-once/sink.csv",
        "/style.css",
        "/webjars/htmx.org/dist/htmx.min.js",
        "/v3/api-docs",
        "/swagger-ui/index.html",
        "/actuator/health",
        "/actuator/prometheus",
        "/no-such-page",
        "/api/no-such-call",
        "/error");
  }

  @ParameterizedTest
  @MethodSource("everyKindOfRoute")
  void aWrongHostIsRefusedEverywhere(String path) {
    for (String host :
        List.of(
            "evil.example",
            "evil.example:" + lab.port(),
            "127.0.0.1.evil.example",
            "localhost.evil.example:" + lab.port(),
            "evil-localhost",
            "127.0.0.1:80@evil.example")) {
      String answer = lab.raw(request("GET", path, host));
      assertThat(answer).as(host).matches("(?s)HTTP/1.1 (403|400) .*");
      if (answer.startsWith("HTTP/1.1 403")) {
        assertThat(answer)
            .contains("application/problem+json", "answers to localhost and 127.0.0.1");
      }
    }
    // A negative control: the right ones are let through.
    for (String host : List.of("localhost", "LOCALHOST:1", "127.0.0.1:" + lab.port(), "[::1]:9")) {
      assertThat(lab.raw(request("GET", path, host))).matches("(?s)HTTP/1.1 (200|404) .*");
    }
  }

  @Test
  void theStreamsRefuseAWrongHostToo() {
    for (String path : List.of("/live?on=top", "/api/events", "/api/time/events")) {
      assertThat(lab.raw(request("GET", path, "evil.example"))).startsWith("HTTP/1.1 403");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Origin: http://evil.example",
        "Origin: null",
        "Origin: http://127.0.0.1",
        "Origin: http://localhost:PORT",
        "Origin: http://127.0.0.1:PORT.evil.example",
        "Origin: not an origin",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "Sec-Fetch-Site: anything else"
      })
  void aForeignPageChangesNothing(String header) {
    lab.fresh(1, 2);
    String[] parts = header.replace("PORT", Integer.toString(lab.port())).split(": ", 2);
    String before = lab.everything();
    for (String path : List.of("/api/lanes/start", "/api/lanes/random-key/start", "/api/pace")) {
      lab.post(path, "{\"stepMillis\":7}", parts[0], parts[1])
          .refused(403, "A page of another site may not change anything here");
    }
    lab.post("/api/experiment", "{}", parts[0], parts[1]).refused(403, "another site");
    for (String method : List.of("DELETE", "PUT", "PATCH")) {
      lab.send(method, "/api/load", BodyPublishers.noBody(), parts[0], parts[1])
          .refused(403, "another site");
    }
    assertThat(lab.everything()).isEqualTo(before);
  }

  @Test
  void theLabsOwnPagesAndProgramsMayChange() {
    String own = "http://127.0.0.1:" + lab.port();
    lab.post("/api/pace", "{\"stepMillis\":0}").ok();
    lab.post("/api/pace", "{\"stepMillis\":0}", "Origin", own).ok();
    lab.post("/api/pace", "{\"stepMillis\":0}", "Sec-Fetch-Site", "same-origin").ok();
    lab.post("/api/pace", "{\"stepMillis\":0}", "Sec-Fetch-Site", "none").ok();
    // No other site may read, either: nothing says that it could.
    Lab.Answer read = lab.get("/api/lanes", "Origin", "http://evil.example").ok();
    assertThat(read.raw().headers().map()).doesNotContainKey("access-control-allow-origin");
    assertThat(read.raw().headers().firstValue("Cross-Origin-Resource-Policy"))
        .contains("same-origin");
  }

  @ParameterizedTest
  @MethodSource("everyKindOfRoute")
  void everyAnswerHasThePolicyAndItIsStrict(String path) {
    for (String accept : List.of("text/html", "*/*")) {
      var headers = lab.get(path, "Accept", accept).raw().headers();
      String policy = headers.firstValue("Content-Security-Policy").orElse("");
      assertThat(policy)
          .contains("default-src 'none'", "script-src 'self';", "frame-ancestors 'none'")
          .doesNotContain("unsafe", "*", "http:");
      assertThat(headers.firstValue("X-Content-Type-Options")).contains("nosniff");
      assertThat(headers.firstValue("Referrer-Policy")).contains("no-referrer");
    }
    assertThat(lab.raw(request("GET", path, "evil.example"))).contains("default-src 'none'");
  }

  /** What the policy would block must not be there in the first place. */
  @ParameterizedTest
  @ValueSource(strings = {"/", "/lanes/at-least-once", "/orders", "/no-such-page"})
  void noPageHasAnythingInline(String path) {
    String page = lab.get(path, "Accept", "text/html").body();
    assertThat(page).contains("</html>");
    assertThat(page)
        .doesNotContainPattern("(?i)<script(?![^>]*\\ssrc=)")
        .doesNotContainPattern("(?i)<style")
        .doesNotContainPattern("(?i)\\sstyle=")
        .doesNotContainPattern("(?i)\\son[a-z]+=")
        .doesNotContainPattern("(?i)(src|href)=\"(https?:)?//");
    assertThat(page).contains("\"allowEval\":false", "\"includeIndicatorStyles\":false");
  }

  @Test
  void theActuatorShowsFourThingsAndThereIsNoConsole() {
    var links = lab.get("/actuator").ok().at("/_links");
    assertThat(links.propertyStream().map(link -> link.getKey().replaceFirst("-.*", "")).distinct())
        .containsExactlyInAnyOrder("self", "health", "info", "metrics", "prometheus");
    assertThat(lab.get("/actuator/health").ok().text("/status")).isEqualTo("UP");
    for (String path :
        List.of(
            "/actuator/env",
            "/actuator/beans",
            "/actuator/heapdump",
            "/actuator/threaddump",
            "/actuator/loggers",
            "/actuator/configprops",
            "/actuator/mappings",
            "/h2-console",
            "/h2-console/login.do",
            "/console")) {
      lab.get(path).refused(404, "there is nothing at");
    }
    assertThat(lab.post("/actuator/shutdown", "{}").status()).isIn(404, 405);
  }

  @Test
  void markupInACustomersNameIsText() {
    lab.fresh(1, 2);
    lab.append(
            "{\"orderId\":66,\"amount\":\"1.00\",\"eventTime\":\"2026-01-04T09:14:02Z\",\"customer\":\""
                + MARKUP.replace("\"", "\\\"")
                + "\"}")
        .ok();
    lab.post("/api/lanes/at-least-once/start").ok();
    lab.await("at-least-once", "drained");
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(page("/")).contains("&lt;img src=x"));
    assertThat(page("/orders/66")).contains("&lt;img src=x onerror=alert(1)&gt;");
    for (String path : List.of("/", "/orders", "/orders/66", "/lanes/at-least-once")) {
      assertThat(page(path)).doesNotContain("<img");
    }
    Lab.Answer rows = lab.get("/api/lanes/at-least-once/sink").ok();
    assertThat(rows.text("/rows/0/customer")).isEqualTo(MARKUP);
    assertThat(rows.type()).isEqualTo("application/json");
  }

  @Test
  void markupInAnAddressComesBackAsText() {
    for (String path :
        List.of("/lanes/%3Cimg%20src=x%3E", "/orders/%3Cimg%20src=x%3E", "/%3Cimg")) {
      Lab.Answer page = lab.get(path, "Accept", "text/html");
      assertThat(page.status()).isIn(400, 404);
      assertThat(page.body()).contains("</html>").doesNotContain("<img");
      Lab.assertNothingOfJava(page.body().replaceAll(Pattern.quote("java") + "script", ""));
    }
    lab.get("/api/lanes/%3Cimg%20src=x%3E").refused(404, "there is no lane '<img src=x>'");
  }

  private String page(String path) {
    return lab.get(path, "Accept", "text/html").ok().body();
  }

  private static String request(String method, String path, String host) {
    return method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
  }
}
