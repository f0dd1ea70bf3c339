package dev.deliverylab.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Somebody who opened a page gets a page that says what went wrong, not a JSON problem. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ErrorPage implements HandlerExceptionResolver {

  private static final Logger LOG = LoggerFactory.getLogger(ErrorPage.class);

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception e) {
    if (!isForPeople(request)) {
      return null;
    }
    int status = e instanceof ErrorResponse answer ? answer.getStatusCode().value() : 500;
    if (status == 500) {
      LOG.error("A page failed", e);
    }
    response.setStatus(status);
    return new ModelAndView("error", Map.of("status", status));
  }

  /** Whether a browser asks for something that is a page, or would be if it were there. */
  static boolean isForPeople(HttpServletRequest request) {
    String accept = request.getHeader(HttpHeaders.ACCEPT);
    String path = request.getRequestURI();
    return accept != null
        && accept.contains(MediaType.TEXT_HTML_VALUE)
        && !path.startsWith("/api/")
        && !path.startsWith("/actuator")
        && !path.startsWith("/v3/");
  }
}
