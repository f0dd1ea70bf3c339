package dev.deliverylab.web;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * The lanes side by side. Which of them are shown stands in the address, so that a link shows the
 * same.
 */
@Controller
class DashboardPage {

  static final int SHOWN = 10;

  private final Board board;

  DashboardPage(Board board) {
    this.board = board;
  }

  @GetMapping("/")
  String show(
      @RequestParam(name = "lanes", required = false) @Nullable List<String> lanes, Model model) {
    Board.State state = board.state();
    List<String> all = state.lanes().stream().map(lane -> lane.snapshot().lane()).toList();
    Set<String> picked = picked(all, lanes);
    model.addAttribute("d", DashboardView.of(state));
    model.addAttribute("partitionCount", state.partitions());
    model.addAttribute("rows", DashboardView.rows(state, picked));
    model.addAttribute("all", all);
    model.addAttribute("picked", picked);
    model.addAttribute("scenarios", state.scenarios());
    model.addAttribute("live", live(picked));
    return "dashboard";
  }

  /** Lanes that are not there are left out; with none left the first ten are shown. */
  static Set<String> picked(List<String> all, @Nullable List<String> wanted) {
    Set<String> picked = new LinkedHashSet<>(all);
    picked.retainAll(wanted == null ? List.of() : wanted);
    if (picked.isEmpty()) {
      all.stream().limit(SHOWN).forEach(picked::add);
    }
    return picked;
  }

  static String live(Set<String> picked) {
    return "/live?on=top,"
        + picked.stream().map(lane -> "row/" + lane).collect(Collectors.joining(","));
  }
}
