package dev.deliverylab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file is read exactly or refused with its place; nothing wrong gets as far as a run. */
class ScenarioReaderTest {

  private static final String GOOD =
      """
      name: mine
      experiment: {partitions: 2, batchSize: 3}
      steps:
        - append: {dataset: five-orders}
        - arm: {lane: at-least-once, after: effect, record: 2, batch: 1}
        - start: all
        - await: {lane: at-least-once, condition: crashed, timeoutSeconds: 5}
        - expect: {lane: at-least-once, rows: 2, total: 37.50, view: null}
        - replay: {lane: [transactional, idempotent-key], to: shift, value: -2}
      """;

  @Test
  void readsWhatIsRight() {
    Scenario scenario = yaml(GOOD);
    assertThat(scenario.name()).isEqualTo("mine");
    assertThat(scenario.title()).as("the name, if there is no title").isEqualTo("mine");
    assertThat(scenario.partitions()).isEqualTo(2);
    assertThat(scenario.batchSize()).isEqualTo(3);
    assertThat(scenario.steps())
        .containsExactly(
            "append dataset five-orders",
            "arm at-least-once after effect 2 of batch 1",
            "start all",
            "await at-least-once crashed",
            "expect at-least-once",
            "replay transactional to shift -2",
            "replay idempotent-key to shift -2");
  }

  @Test
  void readsTheSameFromJson() {
    Scenario json =
        json(
            """
            {"name":"mine","steps":[
            \t{"append":{"records":[{"orderId":18446744073709551616,"amount":8.75,"eventTime":"2026-01-04T09:14:02Z"}]}},
            \t{"expect":{"lane":"at-least-once","total":"8.75","lostIds":[18446744073709551616]}}]}
            """);
    Append append = (Append) json.lines().get(0);
    assertThat(append.orders().get(0).orderId()).isEqualTo(new BigInteger("18446744073709551616"));
    assertThat(append.orders().get(0).amount()).isEqualTo(new BigDecimal("8.75"));
    Expect expect = (Expect) json.lines().get(1);
    assertThat(expect.wanted())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                Figure.TOTAL,
                "8.75",
                Figure.LOST_IDS,
                List.of(new BigInteger("18446744073709551616"))));
  }

  @ParameterizedTest
  @CsvSource({
    "99999999999999999999999999.99, 99999999999999999999999999.99",
    "0.1, 0.10",
    "37.5, 37.50",
    "-3, -3.00",
    "37.500, 37.50"
  })
  void moneyStaysExactQuotedOrNot(String written, String meant) {
    for (String value : List.of(written, '"' + written + '"')) {
      Expect expect = (Expect) only("expect: {lane: transactional, total: " + value + "}");
      assertThat(expect.wanted()).containsEntry(Figure.TOTAL, meant);
    }
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          start: at-least-once | there is no lane 'at-least-once'; the lanes are per-record, arrival-watermark
          recount: per-record | there is no action 'recount'; the actions are append, policy, clock, expect,
          append: {dataset: five-orders} | five-late-events
          append: {records: []} | at least one order
          append: {records: [{orderId: 1, amount: 1, eventTime: "2026-01-04T09:06:00Z"}]} | arrivalTime is missing
          append: {generate: {seed: 1}} | generate needs 'count'
          append: {generate: {count: 1, delay: long}} | none, uniform
          append: {generate: {count: 1, idlePartition: 0}} | several partitions
          policy: {lane: per-record} | name at least one
          policy: {lane: per-record, bound: 3} | 'bound' is not a field of policy, which has lane, boundMinutes
          policy: {lane: per-record, boundSeconds: -1} | 'boundSeconds' is a whole number from 0 to 31536000
          policy: {lane: per-record, windowMinutes: 0} | windowSeconds: 1 to 86400
          policy: {lane: per-record, windowMinutes: 1, windowSeconds: 60} | not both
          policy: {lane: per-record, late: keep} | drop, side-output or restate
          policy: {lane: all, idleSeconds: 5} | streams-window has no idleSeconds
          clock: {advanceTo: noon} | 'advanceTo' is a time with its zone
          clock: {mode: fast} | virtual or wall
          clock: {pace: x2} | x60
          clock: {step: 0} | 'step' is a whole number from 1
          clock: {pace: x1, step: 1} | clock takes one of
          expect: {lane: all, rows: 1} | 'rows' is not a field of expect, which has lane, state, run, accepted
          expect: {lane: all, missingShare: 42} | a share in percent with one decimal
          expect: {lane: all, watermark: soon} | 'watermark' is a time with its zone
          expect: {lane: all, windows: [{begin: 1}]} | 'begin' is not a field of a window
          arm: {lane: per-record, after: send, record: 1} | per-record has no step 'send'
          arm: {lane: streams-window, after: store-offset} | poll, begin, effect, send-offsets, commit-tx
          """)
  void inTheTimeRoomItSaysWhatIsAllowedThere(String step, String says) {
    assertThat(refused("name: x\ntime: {}\nsteps:\n  - " + step + "\n"))
        .hasMessageContaining(says)
        .hasMessageStartingWith("line 4, column ");
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          policy:~lane: per-record~windowSeconds: 0~late: drop | 6 | windowSeconds: 1 to 86400
          policy:~lane: per-record~boundMinutes: 600000~late: drop | 6 | "boundMinutes": 0 to 525600
          policy:~lane: per-record~boundSeconds: 5~late: keep | 7 | drop, side-output or restate
          policy:~lane: event-time-watermark~late: drop~idleSeconds: 0 | 7 | idleSeconds: 1 to
          policy:~windowMinutes: 1~windowSeconds: 60~lane: per-record | 5 | not both
          append:~  generate:~    count: 5~    outOfOrder: 101 | 7 | outOfOrder lies between 0 and 100
          append:~  generate:~    count: 5~    start: "1970-06-01T00:00:00Z" | 7 | start lies between
          clock:~advanceTo: "1969-12-31T23:59:59Z" | 5 | between the years 1970 and 9999
          """)
  void theFieldAtFaultGivesThePlace(String step, int line, String says) {
    String lines = step.replace("~", "\n      ");
    assertThat(refused("name: x\ntime: {}\nsteps:\n  - " + lines + "\n"))
        .hasMessageContaining(says)
        .hasMessageStartingWith("line " + line + ", ");
  }

  /** A script knows what policy it has set: the loop has one step more then. */
  @Test
  void aCrashFitsTheLoopOfThePolicyBeforeIt() {
    Scenario scenario =
        yaml(
            """
            name: x
            time: {partitions: 3}
            steps:
              - policy: {lane: per-record, late: side-output}
              - arm: {lane: per-record, after: send, record: 1}
            """);
    assertThat(scenario.partitions()).isEqualTo(3);
    assertThat(scenario.steps().get(0))
        .isEqualTo("policy per-record: windows of 300 s, waits 600 s, then side-output");
    assertThat(refused("name: x\ntime: {}\nexperiment: {}\nsteps:\n  - start: all\n"))
        .hasMessageContaining("not about both");
  }

  @Test
  void nullIsAnExpectation() {
    Expect expect =
        (Expect) only("expect: {lane: increment-in-place, distinct: null, committed: null}");
    assertThat(expect.wanted()).containsEntry(Figure.DISTINCT, null);
    assertThat(expect.wanted()).containsEntry(Figure.COMMITTED, Arrays.asList((Long) null));
  }

  @ParameterizedTest(name = "{2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          explode: all | 5 | there is no action 'explode'
          start: at-last-once | 12 | there is no lane 'at-last-once'; the lanes are at-most-once,
          start: [at-least-once, nobody] | 28 | there is no lane 'nobody'
          start: [at-least-once, at-least-once] | 28 | named twice
          start: {lane: all, now: true} | 24 | 'now' is not a field of start
          expect: {lane: all} | 13 | expect names at least one of state, rows
          expect: {rows: 2} | 13 | expect needs 'lane'
          expect: {lane: all, row: 2} | 25 | 'row' is not a field of expect
          expect: {lane: all, rows: 2.5} | 31 | 'rows' is a whole number from 0
          expect: {lane: all, rows: "2"} | 31 | 'rows' is a whole number from 0
          expect: {lane: all, rows: -1} | 31 | 'rows' is a whole number from 0
          expect: {lane: all, rows: 99999999999999999999} | 31 | 'rows' is a whole number from 0
          expect: {lane: all, total: 1e2} | 32 | 'total' is a decimal
          expect: {lane: all, total: .nan} | 32 | 'total' is a decimal
          expect: {lane: all, total: 1.005} | 32 | at most two decimals
          expect: {lane: all, promiseKept: yes} | 38 | 'promiseKept' is true, false or null
          expect: {lane: all, state: CRASHING} | 32 | 'state' is one of STOPPED, RUNNING
          expect: {lane: all, committed: [1, 2]} | 36 | one position a partition, so 1, not 2
          expect: {lane: all, lostIds: [12, x]} | 39 | an order id is a whole number
          expect: {lane: all, kinds: {reread: 1}} | 33 | 'reread' is not a field of 'kinds'
          expect: {lane: all, rows: 1, rows: 2} | 34 | 'rows' is given twice
          arm: {lane: at-least-once, record: 1} | 10 | arm needs 'after'
          arm: {lane: at-least-once, after: begin} | 39 | at-least-once has no step 'begin'; its steps are poll, effect, commit
          arm: {lane: at-least-once, after: begin, record: 1} | 39 | at-least-once has no step 'begin'
          arm: {lane: at-least-once, after: effect} | 39 | needs the record's place
          arm: {lane: at-least-once, after: commit, record: 1} | 55 | takes no "record"
          arm: {lane: at-least-once, after: effect, record: 3} | 55 | the batch size, which is 2
          arm: {lane: at-least-once, after: commit, batch: 0} | 54 | 'batch' is a whole number from 1
          await: {lane: all, condition: happy} | 35 | 'condition' is one of drained, crashed, stopped, running
          await: {lane: all, condition: drained, timeoutSeconds: 0} | 60 | 'timeoutSeconds' is a whole number from 1 to 600
          append: {} | 13 | append takes one of
          append: {dataset: five-orders, generate: {count: 1}} | 36 | append takes one of
          append: {dataset: six-orders} | 23 | dataset is one of five-orders
          append: {generate: {count: 0}} | 32 | 'count' is a whole number from 1
          append: {generate: {seed: 1}} | 24 | generate needs 'count'
          append: {records: []} | 23 | at least one order
          append: {records: [{orderId: 1, amount: 1.005, eventTime: "2026-01-04T09:14:02Z"}]} | 45 | amount has at most two decimals
          append: {records: [{orderId: 1, amount: x, eventTime: "2026-01-04T09:14:02Z"}]} | 45 | amount is a decimal
          append: {records: [{orderId: 1, amount: 1, eventTime: "2026-01-04T09:14:02"}]} | 59 | eventTime is a time with its offset
          append: {records: [{orderId: 1, amount: 1}]} | 24 | eventTime is missing
          append: {records: [{orderId: 1, price: 1}]} | 44 | price is not a field of an order
          replay: {lane: all, to: start} | 29 | 'to' is one of earliest, latest, offset, timestamp, shift
          replay: {lane: all, to: offset} | 13 | replay needs 'value'
          replay: {lane: all, to: offset, value: -1} | 44 | 'value' is a whole number from 0
          replay: {lane: all, to: earliest, value: 3} | 46 | 'earliest' takes no value
          replay: {lane: all, to: timestamp, value: noon} | 47 | a time with its zone
          replay: {lane: all, to: latest, partition: 1} | 48 | 'partition' is a whole number from 0 to 0
          replay: {lane: all, to: latest, group: old} | 44 | group: same or new
          """)
  void refusesAWrongStepWithItsPlace(String step, int column, String reason) {
    ScenarioRefused refused = refused("name: x\nsteps:\n  - stop: all\n  - " + step + "\n");
    assertThat(refused.reason()).contains(reason);
    assertThat(refused.line()).isEqualTo(4);
    assertThat(refused.column()).isEqualTo(column);
  }

  @ParameterizedTest(name = "{2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          steps: [{start: all}] | 1 | a scenario needs 'name'
          name: x | 1 | a scenario needs 'steps'
          name: x\\nsteps: [] | 2 | at least one
          name: x\\nsteps: 3 | 2 | steps is a list, not '3'
          name: x\\ntitle: ""\\nsteps: [{start: all}] | 2 | 'title' is one line of 1 to 200
          name: x\\ntitle: "a\\u0007b"\\nsteps: [{start: all}] | 2 | 'title' is one line of 1 to 200
          name: a b\\nsteps: [{start: all}] | 1 | a name has
          name: x\\nauthor: me\\nsteps: [{start: all}] | 2 | 'author' is not a field of a scenario
          name: x\\nexperiment: {partitions: 17}\\nsteps: [{start: all}] | 2 | from 1 to 16
          name: x\\nexperiment: {batchSize: 1001}\\nsteps: [{start: all}] | 2 | from 1 to 1000
          name: x\\nsteps:\\n  - start: all\\n    stop: all | 4 | a step is one action
          name: x\\nsteps:\\n  - start | 3 | a step is a mapping of names to values, not 'start'
          name: x\\nsteps:\\n  - start: [all\\n | 4 | cannot be read
          name: x\\nsteps:\\n\\t- start: all\\n | 3 | cannot be read
          name: x\\nsteps: &s [{start: all}]\\ntext: *s | 3 | an alias (*name) is not allowed
          name: x\\nsteps: [{start: all}]\\n---\\nname: y | 4 | a second document
          name: !!binary aGk=\\nsteps: [{start: all}] | 1 | custom tags
          - start: all | 1 | a scenario is a mapping of names to values, not a list
          """)
  void refusesAWrongFileWithItsLine(String source, int line, String reason) {
    ScenarioRefused refused = refused(source.replace("\\n", "\n").replace("\\t", "\t"));
    assertThat(refused.reason()).contains(reason);
    assertThat(refused.line()).isEqualTo(line);
    assertThat(refused).hasMessageStartingWith("line " + line + ", column " + refused.column());
  }

  @Test
  void refusesWhatIsEmptyTooLongTooDeepOrNoText() {
    assertThat(refused("").reason()).contains("empty");
    assertThat(refused("# nothing\n").reason()).contains("empty");
    assertThat(refused("x".repeat(Scenarios.MAX_BYTES + 1)).reason()).contains("at most 1 MiB");
    ScenarioRefused deep = refused("name: " + "[".repeat(10_000));
    assertThat(deep.reason()).isEqualTo("at most 16 levels lie inside one another");
    // The mapping is the first level, so the 16th bracket is the 17th.
    assertThat(deep.column()).isEqualTo("name: ".length() + 16);
    assertThat(refused("name: x\ntitle: a\u0001b\n"))
        .hasMessageStartingWith("line 2, column 9: there is a control character here, number 1");
    assertThatThrownBy(() -> Scenarios.parse(new byte[] {(byte) 0xC3, 0x28}, Scenarios.Format.YAML))
        .hasMessageContaining("not UTF-8");
    assertThatThrownBy(() -> json("{\"name\":\"x\",}"))
        .isInstanceOf(ScenarioRefused.class)
        .hasMessageStartingWith("line 1, column 13");
  }

  /**
   * Nothing of the parsers behind it gets into a sentence, and nothing long that somebody typed.
   */
  @Test
  void saysWhatIsWrongInWordsForPeople() {
    for (String json :
        List.of(
            "[NaN]",
            "{\"name\":",
            "{\"name\":\"x\",}",
            "{'name':1}",
            "{\"name\":\"" + "x".repeat(30_000) + "\"}",
            "{\"name\":" + "9".repeat(2_000) + "}",
            "{\"name\":01}",
            "{\"name\":\"\\q\"}")) {
      assertThat(catchThrowableOfType(ScenarioRefused.class, () -> json(json)).getMessage())
          .matches("line 1, column \\d+: .*")
          .doesNotContain("`", "Feature", "Constraints", "(code", "\n")
          .hasSizeLessThan(200);
    }
    String long300 = "k".repeat(300);
    for (String step :
        List.of(
            long300 + ": all",
            "start: " + long300,
            "start: {" + long300 + ": 1}",
            "stop: {" + long300 + ": 1, " + long300 + ": 1}",
            "await: {lane: all, condition: " + long300 + "}",
            "expect: {lane: all, state: " + long300 + "}")) {
      assertThat(refused(step(step)).reason()).hasSizeLessThan(330).doesNotContain(long300);
    }
  }

  @Test
  void countsAStepForEveryLaneItNames() {
    String hundred = "  - recount: all\n".repeat(100);
    assertThat(yaml("name: x\nsteps:\n" + hundred).steps()).hasSize(Scenario.MAX_LINES);
    ScenarioRefused refused = refused("name: x\nsteps:\n" + hundred + "  - stop: all\n");
    assertThat(refused.line()).isEqualTo(103);
    assertThat(refused.reason()).contains("at most 1000 steps");
  }

  /** Each bundled file: read, named as it is listed, with words for people and worked numbers. */
  @Test
  void everyBundledScenarioSaysWhatItIs() {
    Scenarios scenarios = new Scenarios();
    assertThat(scenarios.all()).hasSameSizeAs(Scenarios.names());
    for (Scenarios.Bundled bundled : scenarios.all()) {
      Scenario scenario = bundled.scenario();
      assertThat(scenarios.named(scenario.name())).isEqualTo(bundled);
      assertThat(scenario.title()).isNotEqualTo(scenario.name());
      assertThat(scenario.text()).isNotBlank();
      assertThat(bundled.source()).contains("#");
    }
    assertThatThrownBy(() -> scenarios.named("nobody"))
        .hasMessageContaining("nobody")
        .hasMessageContaining(Scenarios.names().stream().collect(Collectors.joining(", ")));
  }

  private static String step(String step) {
    return "name: x\nsteps:\n  - " + step + "\n";
  }

  private static Line<?> only(String step) {
    return yaml(step(step)).lines().get(0);
  }

  private static ScenarioRefused refused(String source) {
    return catchThrowableOfType(ScenarioRefused.class, () -> yaml(source));
  }

  private static Scenario yaml(String source) {
    return Scenarios.parse(source.getBytes(StandardCharsets.UTF_8), Scenarios.Format.YAML);
  }

  private static Scenario json(String source) {
    return Scenarios.parse(source.getBytes(StandardCharsets.UTF_8), Scenarios.Format.JSON);
  }
}
