package dev.deliverylab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a run says to people and to sheets. */
class ReportTest {

  private final Run run =
      new Run(
          7,
          "mine",
          "Mine",
          false,
          Run.State.FAILED,
          List.of(
              Run.Step.done("append dataset five-orders", "5 records"),
              new Run.Step(
                  "expect at-least-once",
                  fields("rows", 8, "committed", Arrays.asList(5L, null)),
                  fields("rows", 7, "committed", Arrays.asList(5L, null)),
                  false),
              Run.Step.failed("=start", "said \"no\"")),
          5,
          null);

  @Test
  void textNamesTheFieldThatDiffersAndNoOther() {
    assertThat(new Report(run).text())
        .isEqualTo(
            """
            scenario mine, run 7

              ok     append dataset five-orders: 5 records
              WRONG  expect at-least-once
                       rows: expected 8, observed 7
              WRONG  =start
                       said "no"

            FAILED: 3 of 5 steps done, 2 not well
            """);
  }

  @Test
  void csvQuotesAndStartsNoFormula() {
    assertThat(new Report(run).csv())
        .isEqualTo(
            "action,expected,observed,ok\r\n"
                + "\"append dataset five-orders\",\"\",\"5 records\",\"true\"\r\n"
                + "\"expect at-least-once\",\"rows 8, committed [5, none]\",\"rows 7, committed [5, none]\",\"false\"\r\n"
                + "\"'=start\",\"\",\"said \"\"no\"\"\",\"false\"\r\n");
  }

  @Test
  void rowsOfAListAreWordsToo() {
    Run windows =
        new Run(
            8,
            "mine",
            "Mine",
            true,
            Run.State.PASSED,
            List.of(
                new Run.Step(
                    "expect per-record",
                    Map.of(),
                    Map.of(
                        "windows",
                        List.of(
                            fields("events", 1L, "published", List.of("25.50")),
                            fields("events", 3L, "published", List.of()))),
                    true)),
            1,
            null);
    assertThat(new Report(windows).rows().get(0).observed())
        .isEqualTo("windows [(events 1, published [25.50]), (events 3, published [])]");
  }

  private static Map<String, Object> fields(String one, Object a, String two, Object b) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(one, a);
    fields.put(two, b);
    return fields;
  }
}
