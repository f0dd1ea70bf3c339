package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ui.ExtendedModelMap;
import org.thymeleaf.context.Context;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;

/** Every page and every live part, drawn over each situation, without a server. */
class PagesTest {

  /** What the page's policy forbids: styles and scripts in elements. */
  private static final Pattern INLINE =
      Pattern.compile(
          "\\sstyle\\s*=|<style|\\son[a-z]+\\s*=\\s*[\"']|<script(?![^>]*\\ssrc=)|javascript:",
          Pattern.CASE_INSENSITIVE);

  private final SpringTemplateEngine templates = engine();

  static SpringTemplateEngine engine() {
    ClassLoaderTemplateResolver resolver = new ClassLoaderTemplateResolver();
    resolver.setPrefix("templates/");
    resolver.setSuffix(".html");
    resolver.setCharacterEncoding("UTF-8");
    SpringTemplateEngine engine = new SpringTemplateEngine();
    engine.setTemplateResolver(resolver);
    return engine;
  }

  private String draw(String template, Map<String, Object> model) {
    return templates.process(template, new Context(Locale.ROOT, model));
  }

  private String dashboard(FakeBoard board) {
    ExtendedModelMap model = new ExtendedModelMap();
    return draw(new DashboardPage(board).show(null, model), model);
  }

  private String lane(FakeBoard board, String lane) {
    ExtendedModelMap model = new ExtendedModelMap();
    return draw(new LanePage(board).show(lane, model), model);
  }

  private String orders(FakeBoard board, String search) {
    ExtendedModelMap model = new ExtendedModelMap();
    return draw(new OrdersPage(board).show(search, "0", model), model);
  }

  private String run(FakeBoard board) {
    ExtendedModelMap model = new ExtendedModelMap();
    return draw(new RunPage(board).show(3, model), model);
  }

  @ParameterizedTest
  @EnumSource
  void everyPageDrawsWithoutInlineStylesOrScripts(FakeBoard.Situation situation) {
    FakeBoard board = new FakeBoard(situation);
    assertThat(dashboard(board)).doesNotContainPattern(INLINE).contains("at-least-once");
    for (String lane : FakeBoard.LANES) {
      assertThat(lane(board, lane)).doesNotContainPattern(INLINE).contains("FakeGuarantee.java");
    }
    assertThat(orders(board, "")).doesNotContainPattern(INLINE);
  }

  @Test
  void aRunIsShownStepByStepWithItsTextsAsText() {
    FakeBoard board = new FakeBoard(FakeBoard.Situation.AFTER_THE_CRASH);
    String html = run(board);
    assertThat(html)
        .doesNotContainPattern(INLINE)
        .contains("17 of 42 steps", "await dedup-on-read drained", "rows: expected 7, observed 8")
        .contains("hx-delete=\"/api/runs/3\"")
        .contains("id=\"run-lanes\" href=\"/\"");
    LiveFragments fragments = new LiveFragments(board, new FakeTimeBoard(), templates);
    String page = html.replaceAll("\\s+", " ");
    for (String line : fragments.render("run/3", 1).lines().toList()) {
      assertThat(page).contains(line.strip().replaceAll("\\s+", " "));
    }
    assertThat(fragments.render("run/4", 1)).isEmpty();
    assertThat(run(new FakeBoard(FakeBoard.Situation.MARKUP)))
        .doesNotContain("<img", "hx-delete")
        .contains("id=\"run-lanes\" href=\"/time\"")
        .contains("<p class=\"break\">&lt;img src=x", ": expected &lt;img src=x", "failed");
  }

  @Test
  void thePatternFindsWhatItLooksFor() {
    assertThat("<i style=\"width:1%\">").containsPattern(INLINE);
    assertThat("<a onclick='x()'>").containsPattern(INLINE);
    assertThat("<script>x()</script>").containsPattern(INLINE);
    assertThat("<script src=\"/live.js\" defer></script>").doesNotContainPattern(INLINE);
  }

  @ParameterizedTest
  @EnumSource
  void aLivePartIsThePageOwnPart(FakeBoard.Situation situation) {
    FakeBoard board = new FakeBoard(situation);
    LiveFragments fragments = new LiveFragments(board, new FakeTimeBoard(), templates);
    String page = dashboard(board).replaceAll("\\s+", " ");
    for (String line : fragments.render("row/transactional", 1).lines().toList()) {
      assertThat(page).contains(line.strip().replaceAll("\\s+", " "));
    }
    for (String line : fragments.render("top", 1).lines().toList()) {
      assertThat(page).contains(line.strip().replaceAll("\\s+", " "));
    }
    String lane = lane(board, "at-least-once");
    for (String id :
        List.of(
            "lane-head",
            "lane-source",
            "lane-timeline",
            "lane-strips",
            "lane-sink",
            "lane-history",
            "ctl-at-least-once",
            "loop-at-least-once",
            "turn-at-least-once")) {
      assertThat(fragments.render("lane/at-least-once", 1)).containsOnlyOnce("id=\"" + id + "\"");
      assertThat(lane).containsOnlyOnce("id=\"" + id + "\"");
    }
  }

  @Test
  void markupInIdsCustomersAndTextsIsShownAsText() {
    FakeBoard board = new FakeBoard(FakeBoard.Situation.MARKUP);
    ExtendedModelMap life = new ExtendedModelMap();
    String order = draw(new OrdersPage(board).life("1002", life), life);
    for (String html :
        List.of(
            dashboard(board),
            lane(board, "increment-in-place"),
            lane(board, "at-least-once"),
            orders(board, FakeBoard.MARKUP),
            order)) {
      assertThat(html).doesNotContain("<img").contains("&lt;img src=x");
    }
    assertThat(lane(board, "at-least-once")).contains("&lt;b&gt;not markup&lt;/b&gt;");
  }

  @Test
  void afterTheCrashTheNumbersAreThoseOfTheFacts() {
    FakeBoard board = new FakeBoard(FakeBoard.Situation.AFTER_THE_RESTART);
    String html = dashboard(board);
    // 25.50 + 12.00 + 40.00 + 8.75 + 63.20, and what two orders twice or one lost make of it
    assertThat(html).contains("149.45", "+37.50", "186.95 in 7 rows", "−12.00", "137.45 in 4 rows");
    // dedup-on-read: the view is right above raw rows that are not
    assertThat(html).contains("view 5 rows", "raw 7 rows").containsOnlyOnce("view 5 rows");
  }

  @Test
  void whereEvidenceIsMissingTheVerdictIsUnknownAndNeverGreen() {
    FakeBoard board = new FakeBoard(FakeBoard.Situation.TROUBLE);
    RowView failed =
        DashboardView.rows(board.state(), java.util.Set.of(FakeBoard.LANES.get(5))).get(0);
    assertThat(failed.state()).isEqualTo("failed");
    assertThat(failed.reason()).contains("does not answer");
    assertThat(failed.kept().css()).isEqualTo("unknown");
    assertThat(failed.number().css()).isEqualTo("num unknown");
  }

  @Test
  void aMillionRecordsTakeSixColumns() {
    FakeBoard board = new FakeBoard(FakeBoard.Situation.A_MILLION);
    LogView log = LogView.of(board.state());
    assertThat(log.columns()).hasSize(6);
    assertThat(log.columns().get(0).older()).isEqualTo(999_995);
    assertThat(dashboard(board)).contains("999,995").hasSizeLessThan(200_000);
  }

  @Test
  void anIdOf64DigitsIsCutForTheEyeAndWholeInItsTitle() {
    FakeBoard board = new FakeBoard(FakeBoard.Situation.LONG_IDS);
    String whole = "9".repeat(60) + "1002";
    assertThat(dashboard(board)).contains("99…002").contains("order " + whole);
    assertThat(orders(board, whole)).contains("/orders/" + whole);
  }

  @Test
  void lanesThatAreNotThereAreLeftOutOfThePick() {
    List<String> all = List.of("a", "b", "c");
    assertThat(DashboardPage.picked(all, List.of("c", "nonsense", "a"))).containsExactly("a", "c");
    assertThat(DashboardPage.picked(all, null)).containsExactly("a", "b", "c");
    assertThat(DashboardPage.picked(all, List.of("nonsense"))).hasSize(3);
  }

  @Test
  void aBigBatchShowsItsFirstTwoRecordsAndItsLast() {
    Board.Lane lane = new FakeBoard(FakeBoard.Situation.WAITING).state().lanes().get(1);
    assertThat(LoopView.of(lane, 1000).parts().stream().map(LoopView.Part::id))
        .contains("at-least-once-g-effect-2", "at-least-once-g-effect-1000")
        .doesNotContain("at-least-once-g-effect-3");
    assertThat(LoopView.of(lane, 3).parts().stream().map(LoopView.Part::label)).doesNotContain("…");
  }
}
