package dev.deliverylab.web;

import dev.deliverylab.time.Late;
import dev.deliverylab.time.TimeSnapshot;
import dev.deliverylab.time.WindowLaneSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Late events: the plane of one lane, what waiting would buy it, and all window lanes. */
@Controller
class TimePage {

  private final TimeBoard board;

  TimePage(TimeBoard board) {
    this.board = board;
  }

  @GetMapping("/time")
  String show(@RequestParam(name = "lane", required = false) @Nullable String wanted, Model model) {
    TimeSnapshot state = board.state();
    TimeSnapshot.Plane plane = board.plane();
    WindowLaneSnapshot lane = drawn(state, wanted);
    model.addAttribute("t", TimeView.of(state, plane, board.run()));
    model.addAttribute("p", PlaneOfLane.of(state, plane, lane, board.curve(lane.lane())));
    model.addAttribute("lates", List.of(Late.values()).stream().map(Late::label).toList());
    model.addAttribute("scenarios", board.scenarios());
    model.addAttribute("partitionCount", state.partitions());
    model.addAttribute("live", live(lane.lane()));
    return "time";
  }

  /** A lane that is not there is the second one: the clock's watermark, which drops and closes. */
  private static WindowLaneSnapshot drawn(TimeSnapshot state, @Nullable String wanted) {
    return state.lanes().stream()
        .filter(lane -> lane.lane().equals(wanted))
        .findFirst()
        .orElse(state.lanes().get(Math.min(1, state.lanes().size() - 1)));
  }

  static String live(String lane) {
    return "/live?on=time,time/" + lane;
  }
}
