package dev.deliverylab.web;

import dev.deliverylab.log.Order;
import java.math.BigInteger;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ResponseStatusException;

/** Where is 1002? The matrix of orders by lanes, and one order's life. */
@Controller
class OrdersPage {

  private final Board board;

  OrdersPage(Board board) {
    this.board = board;
  }

  @GetMapping("/orders")
  String show(
      @RequestParam(defaultValue = "") String search,
      @RequestParam(defaultValue = "0") String from,
      Model model) {
    String digits = search.strip();
    boolean valid = digits.matches("\\d{0," + Order.MAX_DIGITS + "}");
    // What was typed comes back as it was, with a sentence, instead of an error page.
    OrdersView orders =
        OrdersView.of(
            board, valid ? digits : "", from.matches("\\d{1,12}") ? Long.parseLong(from) : 0);
    model.addAttribute("o", orders);
    model.addAttribute("typed", search);
    model.addAttribute("valid", valid);
    model.addAttribute("live", "/live?on=orders/" + orders.from() + "/" + orders.search());
    return "orders";
  }

  @GetMapping("/orders/{orderId}")
  String life(@PathVariable String orderId, Model model) {
    Board.Life life =
        (orderId.matches("\\d{1," + Order.MAX_DIGITS + "}")
                ? board.life(new BigInteger(orderId))
                : java.util.Optional.<Board.Life>empty())
            .orElseThrow(
                () ->
                    new ResponseStatusException(
                        HttpStatus.NOT_FOUND, "The log holds no order with this id."));
    model.addAttribute("life", LifeView.of(life));
    return "order";
  }
}
