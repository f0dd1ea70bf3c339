package dev.deliverylab.web;

import dev.deliverylab.time.TimeSnapshot;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thymeleaf.ITemplateEngine;
import org.thymeleaf.context.Context;

/**
 * The parts of the page of time, drawn once for each version of its board: other pages' changes do
 * not draw it anew. Only the renderer's thread asks.
 */
final class TimeFragments {

  private record Look(long version, TimeSnapshot state, TimeSnapshot.Plane plane) {}

  private final TimeBoard board;
  private final ITemplateEngine templates;
  private final Map<String, String> drawn = new HashMap<>();
  private @Nullable Look last;

  TimeFragments(TimeBoard board, ITemplateEngine templates) {
    this.board = board;
    this.templates = templates;
  }

  /** What all lanes share. */
  String all() {
    Look look = look();
    return drawn.computeIfAbsent(
        "", none -> draw("live-time", "t", TimeView.of(look.state(), look.plane(), board.run())));
  }

  /** What is shown of one lane; empty for a name that is no lane. */
  String lane(String lane) {
    Look look = look();
    return look.state().lanes().stream()
        .filter(known -> known.lane().equals(lane))
        .findAny()
        .map(
            known ->
                drawn.computeIfAbsent(
                    lane,
                    none ->
                        draw(
                            "live-plane",
                            "p",
                            PlaneOfLane.of(look.state(), look.plane(), known, board.curve(lane)))))
        .orElse("");
  }

  private Look look() {
    long version = board.version();
    Look known = last;
    if (known == null || known.version() != version) {
      drawn.clear();
      known = new Look(version, board.state(), board.plane());
      last = known;
    }
    return known;
  }

  private String draw(String template, String name, Object view) {
    return templates.process(template, new Context(Locale.ROOT, Map.of(name, view)));
  }
}
