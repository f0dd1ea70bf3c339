package dev.deliverylab.web;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.RequestBody;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What {@code /v3/api-docs} says beyond what the controllers' signatures tell: examples to send,
 * the problems that may come back, money as a string, ids of any size.
 */
@Configuration(proxyBeanMethods = false)
class OpenApiConfiguration {

  static {
    SpringDocUtils.getConfig()
        .replaceWithSchema(
            BigDecimal.class, new StringSchema().example("25.50").description("a decimal"));
  }

  private static final String JSON = "application/json";
  private static final String PROBLEM = "application/problem+json";

  private static final String CSV_FILE =
      "orderId,amount,eventTime,customer\n1001,25.50,2026-01-04T09:14:02Z,alice\n";
  private static final String JSON_LINES =
      "{\"orderId\":1001,\"amount\":\"25.50\",\"eventTime\":\"2026-01-04T09:14:02Z\"}\n";

  /** Bodies to send, by path; the first is the one that Swagger's page fills in. */
  private static final Map<String, Map<String, String>> BODIES =
      Map.of(
          "/api/experiment",
          inOrder("new and empty", "{\"partitions\":1,\"batchSize\":2}"),
          "/api/pace",
          inOrder("half a second a step", "{\"stepMillis\":500}"),
          "/api/log/records",
          inOrder(
              "the five orders",
              "{\"dataset\":\"five-orders\"}",
              "your own",
              "{\"records\":[{\"orderId\":1001,\"amount\":\"25.50\",\"eventTime\":\"2026-01-04T09:14:02Z\"}]}",
              "made up",
              "{\"generate\":{\"count\":10000,\"seed\":42,\"keys\":50}}"),
          "/api/load",
          inOrder("a minute", "{\"ratePerSecond\":200,\"seconds\":60,\"seed\":42}"),
          "/api/lanes/{lane}/crash",
          inOrder(
              "behind a step",
              "{\"after\":\"effect\",\"record\":2,\"batch\":1}",
              "at once",
              "{\"now\":true}"),
          "/api/lanes/{lane}/replay",
          inOrder(
              "preview from the start",
              "{\"to\":\"earliest\",\"dryRun\":true}",
              "from an offset",
              "{\"to\":\"offset\",\"value\":3,\"partition\":0}",
              "from a time",
              "{\"to\":\"timestamp\",\"value\":\"2026-01-04T09:17:02Z\"}",
              "two back",
              "{\"to\":\"shift\",\"value\":-2}",
              "a new group",
              "{\"to\":\"earliest\",\"group\":\"new\"}"),
          "/api/scenarios/runs",
          inOrder(
              "two lines",
              "{\"name\":\"mine\",\"steps\":[{\"append\":{\"dataset\":\"five-orders\"}}]}"));

  /** The same for the time room. */
  private static final Map<String, Map<String, String>> TIME_BODIES =
      Map.of(
          "/api/time/records",
          inOrder(
              "the five late events",
              "{\"dataset\":\"five-late-events\"}",
              "your own",
              "{\"records\":[{\"orderId\":1006,\"amount\":\"25.50\",\"eventTime\":\"2026-01-04T09:20:00Z\",\"arrivalTime\":\"2026-01-04T09:20:01Z\"}]}",
              "made up",
              "{\"generate\":{\"count\":500,\"seed\":42,\"delay\":\"heavy-tail\",\"delaySeconds\":1200}}"),
          "/api/time/clock",
          inOrder(
              "close windows",
              "{\"advanceTo\":\"2026-01-04T09:45:00Z\"}",
              "a minute a second",
              "{\"pace\":\"x60\"}",
              "one more",
              "{\"step\":1}",
              "the wall clock",
              "{\"mode\":\"wall\"}"),
          "/api/time/lanes/{lane}/policy",
          inOrder(
              "windows, bound and late ones",
              "{\"windowMinutes\":5,\"boundMinutes\":10,\"late\":\"restate\"}",
              "silent partitions",
              "{\"idleSeconds\":60}"),
          "/api/time/reset",
          inOrder("new and empty", "{\"partitions\":1,\"batchSize\":2}"));

  /** What may come back instead of the answer: status, when, and one detail as an example. */
  private static final Map<String, List<String>> PROBLEMS =
      new TreeMap<>(
          Map.of(
              "400",
              List.of("Outside what is allowed; nothing changed", "limit: 1 to 1000; it was 0"),
              "403",
              List.of(
                  "A wrong Host header, or a page of another site",
                  "This lab answers to localhost and 127.0.0.1."),
              "404",
              List.of("No such lane, scenario or run", "there is no lane 'x'; the lanes are …"),
              "409",
              List.of(
                  "Not in this state, or something else is under way",
                  "a load is at work already; DELETE /api/load stops it"),
              "413",
              List.of("The body is too long", "A body here has at most 1 MiB."),
              "415",
              List.of("Wrong content type", "this call takes application/json"),
              "503",
              List.of("Broker or sink do not answer", "The sink does not answer."),
              "504",
              List.of(
                  "What was waited for did not happen in time",
                  "at-least-once is STOPPED and was not drained within 30 s")));

  @Bean
  OpenAPI describedAs() {
    return new OpenAPI()
        .info(
            new Info()
                .title("Delivery Lab")
                .version("1")
                .description(
                    "One log, many consumers, a crash where you put it, and the truth. docs/curl.md is"
                        + " a tour of these calls. In an answer null stands for what is not known, or not"
                        + " there."));
  }

  @Bean
  OpenApiCustomizer whatSignaturesDoNotTell() {
    return api -> {
      api.setServers(null); // the page's own address is the only one that is right
      api.getComponents().addSchemas("Problem", problem());
      anyIdIsAWord(api.getComponents().getSchemas());
      api.getPaths().addPathItem("/api/events", events("events", "What happens"));
      api.getPaths()
          .addPathItem("/api/time/events", events("time", "What happens to the window lanes"));
      imports(Objects.requireNonNull(api.getPaths().get(BodyLimit.IMPORT)).getPost());
      api.getPaths()
          .forEach(
              (path, item) ->
                  item.readOperationsMap()
                      .forEach((method, operation) -> complete(path, method, operation)));
    };
  }

  private static void complete(String path, PathItem.HttpMethod method, Operation operation) {
    Map<String, String> bodies = BODIES.getOrDefault(path, TIME_BODIES.get(path));
    RequestBody body = operation.getRequestBody();
    if (bodies != null && body != null) {
      MediaType json = Objects.requireNonNull(body.getContent().get(JSON));
      bodies.forEach((name, value) -> json.addExamples(name, new Example().value(value)));
    }
    if (operation.getParameters() != null) {
      operation.getParameters().forEach(OpenApiConfiguration::example);
    }
    PROBLEMS.forEach(
        (status, words) -> {
          if (mayHappen(status, path, method, operation)) {
            operation.getResponses().addApiResponse(status, answer(status, words));
          }
        });
  }

  /** A rough but honest guess from the shape of the call. */
  private static boolean mayHappen(
      String status, String path, PathItem.HttpMethod method, Operation operation) {
    return switch (status) {
      case "404" -> path.contains("{");
      case "409" -> method != PathItem.HttpMethod.GET;
      case "413", "415" -> operation.getRequestBody() != null;
      case "504" ->
          operation.getParameters() != null
              && operation.getParameters().stream().anyMatch(p -> p.getName().equals("await"));
      default -> true;
    };
  }

  private static void example(Parameter parameter) {
    switch (parameter.getName()) {
      case "lane" -> parameter.example("at-least-once").description("a lane's name");
      case "limit" -> parameter.example(100).description("1 to 1000");
      case "after" ->
          parameter.example(0).description("the \"next\" of the answer before; 0 at the start");
      case "await" -> parameter.example("drained").description("drained|crashed|stopped|running");
      case "timeout" -> parameter.example(30).description("seconds, 0 to 120");
      case "wait" -> parameter.example(60).description("seconds, 0 to 120");
      case "view" -> parameter.example("deduplicated").description("deduplicated, or left out");
      case "partition" -> parameter.example(0).description("from 0");
      case "from" -> parameter.example(0).description("an offset");
      case "name" -> parameter.example("side-by-side").description("a scenario's name");
      case "format" -> parameter.example("text").description("text, csv or json");
      default -> {}
    }
  }

  private static ApiResponse answer(String status, List<String> words) {
    Map<String, Object> example = new LinkedHashMap<>();
    example.put("title", words.get(0));
    example.put("status", Integer.parseInt(status));
    example.put("detail", words.get(1));
    return new ApiResponse()
        .description(words.get(0))
        .content(
            new Content()
                .addMediaType(
                    PROBLEM,
                    new MediaType()
                        .schema(new Schema<>().$ref("#/components/schemas/Problem"))
                        .example(example)));
  }

  private static Schema<?> problem() {
    return new ObjectSchema()
        .description("RFC 9457; detail says what is allowed, or what to do next")
        .addProperty("title", new StringSchema())
        .addProperty("status", new IntegerSchema())
        .addProperty("detail", new StringSchema())
        .addProperty("instance", new StringSchema())
        .addProperty("line", new IntegerSchema().description("of an import, from 1"))
        .addProperty("field", new StringSchema().description("of an import"));
  }

  /** In a request an id may be a string of digits; in an answer it is always a number. */
  @SuppressWarnings("rawtypes") // the model's own signature
  private static void anyIdIsAWord(Map<String, Schema> schemas) {
    Schema<?> order = Objects.requireNonNull(schemas.get("Order"));
    order
        .getProperties()
        .put(
            "orderId",
            new JsonSchema()
                .types(Set.of("integer", "string"))
                .description("a whole number of up to 64 digits, or a string of such digits")
                .example(1001));
  }

  private static void imports(Operation operation) {
    operation.setRequestBody(
        new RequestBody()
            .required(true)
            .description("up to 256 MiB, streamed; all or nothing")
            .content(
                new Content()
                    .addMediaType("text/csv", text(CSV_FILE))
                    .addMediaType("application/x-ndjson", text(JSON_LINES))));
  }

  private static PathItem events(String tag, String what) {
    return new PathItem()
        .get(
            new Operation()
                .addTagsItem(tag)
                .summary(what + ", as server-sent events")
                .description(
                    "One JSON event each, its number as the id. A reader that was away for too long"
                        + " gets an event named gap with what it missed.")
                .addParametersItem(
                    new HeaderParameter()
                        .name("Last-Event-ID")
                        .description("the last id you had; left out, only what is new comes")
                        .schema(new IntegerSchema())
                        .example(17))
                .responses(
                    new ApiResponses()
                        .addApiResponse(
                            "200",
                            new ApiResponse()
                                .description("The stream")
                                .content(
                                    new Content()
                                        .addMediaType(
                                            "text/event-stream",
                                            text(
                                                "id: 18\nevent: step\ndata: {\"seq\":18,\"lane\":\"at-least-once\",…}\n\n"))))));
  }

  private static MediaType text(String example) {
    return new MediaType().schema(new StringSchema()).example(example);
  }

  private static Map<String, String> inOrder(String... namesAndValues) {
    Map<String, String> ordered = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      ordered.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return ordered;
  }
}
