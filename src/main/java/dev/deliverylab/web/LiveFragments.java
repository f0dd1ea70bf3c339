package dev.deliverylab.web;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.thymeleaf.ITemplateEngine;
import org.thymeleaf.context.Context;

/**
 * The parts of pages that change by themselves, drawn by the same templates that draw the page:
 * {@code top}, {@code row/LANE}, {@code lane/LANE}, {@code orders/FROM/SEARCH}, {@code run/ID},
 * {@code time}, {@code time/LANE}.
 */
@Component
final class LiveFragments implements LiveStream.Source {

  private static final Pattern KNOWN =
      Pattern.compile(
          "top|row/[a-z-]{1,40}|lane/[a-z-]{1,40}|orders/\\d{1,12}/\\d{0,64}|run/\\d{1,12}|time(?:/[a-z-]{1,40})?");

  private final Board board;
  private final TimeBoard time;
  private final TimeFragments timeParts;
  private final ITemplateEngine templates;

  /** The state that the rows of one look share. Only the renderer's thread asks. */
  private Board.@Nullable State state;

  private long stateVersion = -1;

  LiveFragments(Board board, TimeBoard time, ITemplateEngine templates) {
    this.board = board;
    this.time = time;
    this.timeParts = new TimeFragments(time, templates);
    this.templates = templates;
  }

  boolean knows(String fragment) {
    return KNOWN.matcher(fragment).matches();
  }

  @Override
  public long version() {
    return board.version() + time.version();
  }

  @Override
  public String render(String fragment, long version) {
    String[] words = fragment.split("/", -1);
    return switch (words[0]) {
      case "top" -> draw("live-top", "d", DashboardView.of(state(version)));
      case "row" ->
          DashboardView.rows(state(version), Set.of(words[1])).stream()
              .map(row -> draw("live-row", "l", row))
              .findAny()
              .orElse("");
      case "lane" ->
          board.lane(words[1]).map(lane -> draw("live-lane", "l", LaneView.of(lane))).orElse("");
      case "orders" ->
          draw("live-orders", "o", OrdersView.of(board, words[2], Long.parseLong(words[1])));
      case "run" ->
          board
              .run(Long.parseLong(words[1]))
              .map(run -> draw("live-run", "r", RunView.of(run)))
              .orElse("");
      case "time" -> words.length == 1 ? timeParts.all() : timeParts.lane(words[1]);
      default -> throw new IllegalArgumentException("no fragment is called " + fragment);
    };
  }

  private Board.State state(long version) {
    Board.State known = state;
    if (known == null || version != stateVersion) {
      known = board.state();
      state = known;
      stateVersion = version;
    }
    return known;
  }

  private String draw(String template, String name, Object view) {
    return templates.process(template, new Context(Locale.ROOT, Map.of(name, view)));
  }
}
