package dev.deliverylab.web;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.servlet.ModelAndView;

/** Answers for what went wrong outside the controllers, in a filter or a servlet. */
@Controller
final class ErrorAnswers implements ErrorController {

  @RequestMapping("${spring.web.error.path:/error}")
  @Nullable ModelAndView answer(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    HttpStatus status = status(request);
    if (ErrorPage.isForPeople(request)) {
      response.setStatus(status.value());
      return new ModelAndView("error", Map.of("status", status.value()));
    }
    Problems.write(
        response,
        status.value(),
        status.getReasonPhrase(),
        switch (status) {
          case NOT_FOUND -> "there is nothing here; /v3/api-docs lists every call";
          case METHOD_NOT_ALLOWED -> "this call takes another method; /v3/api-docs says which";
          case BAD_REQUEST -> "the request cannot be read; its path or query is not well formed";
          default -> "the lab could not answer; its own log says more";
        });
    return null;
  }

  /** Asked for directly, there is nothing. */
  private static HttpStatus status(HttpServletRequest request) {
    return request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code
        ? Objects.requireNonNullElse(HttpStatus.resolve(code), HttpStatus.INTERNAL_SERVER_ERROR)
        : HttpStatus.NOT_FOUND;
  }
}
