package dev.deliverylab.web;

import dev.deliverylab.guarantee.Step;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.server.ResponseStatusException;

/** One lane: its source, its loop, its past, its sink, its progress. */
@Controller
class LanePage {

  private final Board board;

  LanePage(Board board) {
    this.board = board;
  }

  @GetMapping("/lanes/{lane}")
  String show(@PathVariable String lane, Model model) {
    Board.Detail detail =
        board
            .lane(lane)
            .orElseThrow(
                () -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such lane."));
    model.addAttribute("l", LaneView.of(detail));
    model.addAttribute("batchSize", detail.batchSize());
    model.addAttribute("stepMillis", detail.stepMillis());
    List<String> steps = detail.lane().snapshot().steps();
    model.addAttribute("steps", steps);
    // The last gap before the end of the loop: where a crash shows the most.
    boolean effects = steps.contains(Step.EFFECT.label());
    model.addAttribute(
        "crashBody", effects ? "{\"after\":\"effect\",\"record\":1}" : "{\"after\":\"poll\"}");
    model.addAttribute("live", "/live?on=lane/" + lane);
    return "lane";
  }
}
