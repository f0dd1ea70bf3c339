package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;

/** The description of the calls is whole, and true: what it says is what the lab does. */
@ExtendWith(SharedLab.class)
class OpenApiIT {

  /** The contract's calls, which scripts outside the project use. */
  private static final String CONTRACT =
      """
      GET    /api/experiment
      POST   /api/experiment
      POST   /api/log/records
      POST   /api/log/import
      GET    /api/log/records
      POST   /api/load
      DELETE /api/load
      GET    /api/lanes
      GET    /api/lanes/{lane}
      POST   /api/lanes/start
      POST   /api/lanes/stop
      POST   /api/lanes/{lane}/start
      POST   /api/lanes/{lane}/stop
      POST   /api/lanes/{lane}/restart
      POST   /api/lanes/{lane}/pause
      POST   /api/lanes/{lane}/resume
      POST   /api/lanes/{lane}/crash
      DELETE /api/lanes/{lane}/crash
      POST   /api/lanes/{lane}/replay
      GET    /api/lanes/{lane}/sink
      GET    /api/lanes/{lane}/history
      POST   /api/lanes/{lane}/recount
      GET    /api/events
      GET    /api/scenarios
      POST   /api/scenarios/{name}/runs
      POST   /api/scenarios/runs
      GET    /api/runs/{id}
      """;

  private final Lab lab;
  private final JsonNode api;

  OpenApiIT(Lab lab) {
    this.lab = lab;
    this.api = lab.get("/v3/api-docs").ok().json();
  }

  /** The calls by method and path. */
  private Map<String, JsonNode> described() {
    Map<String, JsonNode> calls = new TreeMap<>();
    api.get("paths")
        .forEachEntry(
            (path, item) ->
                item.forEachEntry(
                    (method, call) ->
                        calls.put(method.toUpperCase(java.util.Locale.ROOT) + " " + path, call)));
    return calls;
  }

  @Test
  void everyCallIsDescribedAndEveryDescribedCallIsThere() {
    TreeSet<String> registered = new TreeSet<>();
    lab.bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
        .getHandlerMethods()
        .keySet()
        .forEach(
            mapping ->
                mapping.getMethodsCondition().getMethods().stream()
                    .flatMap(m -> mapping.getPatternValues().stream().map(p -> m + " " + p))
                    .filter(call -> call.contains(" /api/"))
                    .forEach(registered::add));
    assertThat(registered).hasSizeGreaterThan(25);
    registered.addAll(List.of("GET /api/events", "GET /api/time/events")); // own servlets
    assertThat(described().keySet()).isEqualTo(registered);
  }

  @Test
  void everyCallOfTheContractIsDescribed() {
    assertThat(described().keySet())
        .containsAll(CONTRACT.lines().map(line -> line.replaceAll(" +", " ")).toList());
  }

  @Test
  void everyCallSaysWhatItDoesWhatItTakesAndWhatMayComeBack() {
    described()
        .forEach(
            (call, described) -> {
              assertThat(described.path("summary").asString()).as(call).isNotBlank();
              assertThat(described.path("tags")).as(call).hasSize(1);
              for (JsonNode parameter : described.path("parameters")) {
                String name = parameter.path("name").asString();
                assertThat(parameter.has("example") || name.equals("id"))
                    .as(call + " " + name)
                    .isTrue();
                assertThat(name).as(call).isNotIn("Content-Type", "Accept");
              }
              JsonNode answers = described.get("responses");
              answers
                  .at("/200/content")
                  .forEachEntry(
                      (type, answer) -> {
                        assertThat(type).as(call).isNotEqualTo("*/*");
                        assertThat(answer.has("schema")).as(call).isTrue();
                      });
              assertThat(answers.at("/200/content").size()).as(call).isPositive();
              assertThat(answers.propertyNames()).as(call).contains("400", "403");
              answers.forEachEntry(
                  (status, answer) -> {
                    if (!status.equals("200")) {
                      JsonNode problem = answer.at("/content/application~1problem+json");
                      assertThat(problem.at("/schema/$ref").asString())
                          .as(call + " " + status)
                          .isEqualTo("#/components/schemas/Problem");
                      assertThat(problem.at("/example/detail").asString()).isNotBlank();
                    }
                  });
              if (call.contains("{")) {
                assertThat(answers.has("404")).as(call).isTrue();
              }
              if (described.has("requestBody")) {
                assertThat(answers.propertyNames()).as(call).contains("413", "415");
                described
                    .at("/requestBody/content")
                    .forEachEntry(
                        (type, body) ->
                            assertThat(body.has("example") || body.has("examples") || !json(type))
                                .as(call + " " + type)
                                .isTrue());
              }
            });
  }

  private static boolean json(String type) {
    return type.equals("application/json");
  }

  /** A body that the page fills in must be one that the lab takes. */
  @Test
  void everyExampleIsAccepted() {
    List<String> tried = new ArrayList<>();
    lab.fresh(1, 2);
    described()
        .forEach(
            (call, described) -> {
              String method = call.substring(0, call.indexOf(' '));
              String path =
                  call.substring(call.indexOf(' ') + 1)
                      .replace("time/lanes/{lane}", "time/lanes/per-record")
                      .replace("{lane}", "at-least-once");
              described
                  .at("/requestBody/content/application~1json/examples")
                  .forEachEntry(
                      (name, example) -> {
                        somethingToWorkOn();
                        JsonNode value = example.get("value");
                        String body = value.isString() ? value.asString() : value.toString();
                        lab.send(
                                method,
                                path,
                                BodyPublishers.ofString(body),
                                "Content-Type",
                                "application/json")
                            .ok();
                        lab.delete("/api/load").ok();
                        tried.add(call + " " + name);
                      });
            });
    lab.post("/api/pace", "{\"stepMillis\":0}").ok();
    assertThat(tried).hasSizeGreaterThan(12);
  }

  /** Five orders at least, and a lane that runs. */
  private void somethingToWorkOn() {
    if (lab.get("/api/experiment").number("/truth/records") < 5) {
      lab.fiveOrders();
    }
    lab.post("/api/lanes/at-least-once/start").ok();
  }

  /** Every field that comes back is described, and every described one comes back. */
  @Test
  void theAnswersHaveTheFieldsThatAreDescribed() {
    lab.fresh(1, 2);
    lab.fiveOrders();
    lab.append(Lab.order("1001", "1.00")).ok();
    lab.crashAfter("dedup-on-read", "effect", 2);
    lab.post("/api/lanes/dedup-on-read/start").ok();
    lab.await("dedup-on-read", "crashed");
    lab.crashAfter("dedup-on-read", "effect", 2);
    for (String path :
        List.of(
            "/api/experiment",
            "/api/lanes",
            "/api/lanes/{lane}",
            "/api/lanes/{lane}/sink",
            "/api/lanes/{lane}/history",
            "/api/log/records",
            "/api/log/conflicts",
            "/api/load",
            "/api/scenarios")) {
      JsonNode answer = lab.get(path.replace("{lane}", "dedup-on-read")).ok().json();
      JsonNode schema =
          described().get("GET " + path).at("/responses/200/content/application~1json/schema");
      List<String> wrong = new ArrayList<>();
      compare(path, answer, schema, wrong);
      assertThat(wrong).isEmpty();
    }
    // A negative control: another call's schema does not fit.
    List<String> wrong = new ArrayList<>();
    compare(
        "",
        lab.get("/api/experiment").json(),
        described().get("GET /api/load").at("/responses/200/content/application~1json/schema"),
        wrong);
    assertThat(wrong).isNotEmpty();
  }

  private void compare(String where, JsonNode value, JsonNode schema, List<String> wrong) {
    JsonNode resolved = schema;
    if (schema.has("oneOf")) {
      if (value.isNull()) {
        return; // the other one is null
      }
      resolved = schema.at("/oneOf/0");
    }
    if (resolved.has("$ref")) {
      resolved = api.at(resolved.get("$ref").asString().substring(1));
    }
    if (value.isObject()) {
      TreeSet<String> names = new TreeSet<>(value.propertyNames());
      if (!names.equals(new TreeSet<>(resolved.path("properties").propertyNames()))) {
        wrong.add(where + ": " + names + " is described as " + resolved);
      }
      for (String name : names) {
        compare(where + "/" + name, value.get(name), resolved.at("/properties/" + name), wrong);
      }
    } else if (value.isArray()) {
      for (JsonNode item : value) {
        compare(where + "[]", item, resolved.path("items"), wrong);
      }
    } else if (!types(resolved).anyMatch(type(value)::equals)) {
      wrong.add(where + ": " + value + " is described as " + resolved);
    }
  }

  private static String type(JsonNode value) {
    return switch (value.getNodeType()) {
      case NULL -> "null";
      case STRING -> "string";
      case BOOLEAN -> "boolean";
      default -> "integer";
    };
  }

  private static Stream<String> types(JsonNode schema) {
    JsonNode type = schema.path("type");
    return type.isArray()
        ? type.valueStream().map(JsonNode::asString)
        : Stream.of(type.asString(""));
  }
}
