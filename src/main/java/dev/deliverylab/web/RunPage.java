package dev.deliverylab.web;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.server.ResponseStatusException;

/** One run of a scenario, step by step. */
@Controller
class RunPage {

  private final Board board;

  RunPage(Board board) {
    this.board = board;
  }

  @GetMapping("/runs/{id:\\d{1,12}}")
  String show(@PathVariable long id, Model model) {
    RunView run =
        board
            .run(id)
            .map(RunView::of)
            .orElseThrow(
                () -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such run."));
    model.addAttribute("r", run);
    model.addAttribute("live", "/live?on=run/" + id);
    return "run";
  }
}
