package dev.deliverylab.web;

import dev.deliverylab.broker.BrokerUnavailable;
import dev.deliverylab.experiment.UnknownLane;
import dev.deliverylab.lane.LaneRefused;
import dev.deliverylab.lane.LaneUnavailable;
import dev.deliverylab.log.AppendFailed;
import dev.deliverylab.log.ImportNotKept;
import dev.deliverylab.log.ImportRefused;
import dev.deliverylab.log.LogUnreachable;
import dev.deliverylab.sink.SinkUnreachable;
import dev.deliverylab.time.TimeLab;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Turns what went wrong into a problem (RFC 9457) whose detail says what is allowed, or what to do
 * next.
 */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {

  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);
  private static final JsonMapper JSON = new JsonMapper();

  /** A problem from outside the controllers. */
  static void write(HttpServletResponse response, int status, String title, String detail)
      throws IOException {
    response.setStatus(status);
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    response
        .getOutputStream()
        .write(
            JSON.writeValueAsString(
                    JSON.createObjectNode()
                        .put("title", title)
                        .put("status", status)
                        .put("detail", detail))
                .getBytes(StandardCharsets.UTF_8));
  }

  @ExceptionHandler
  ProblemDetail onBadInput(IllegalArgumentException e) {
    return problem(HttpStatus.BAD_REQUEST, "Not allowed", e.getMessage());
  }

  @ExceptionHandler
  ProblemDetail onImportRefused(ImportRefused e) {
    ProblemDetail problem = problem(HttpStatus.BAD_REQUEST, "File refused", e.getMessage());
    problem.setProperty("line", e.line());
    problem.setProperty("field", e.field());
    return problem;
  }

  @ExceptionHandler
  ProblemDetail onUnreadableBody(UncheckedIOException e) {
    return problem(
        HttpStatus.BAD_REQUEST,
        "Body not understood",
        "the body ended too early; nothing was appended");
  }

  @ExceptionHandler
  ProblemDetail onNotKept(ImportNotKept e) {
    LOG.warn("An import was not kept", e);
    return problem(
        HttpStatus.SERVICE_UNAVAILABLE,
        "Not kept",
        e.getMessage() + ". Is the disk full? Make room, and send it again.");
  }

  /** A query that is no query, as {@code ?limit=%zz}: Tomcat finds out when it is first read. */
  @ExceptionHandler
  ProblemDetail onUnreadableQuery(InvalidParameterException e) {
    return problem(
        HttpStatus.BAD_REQUEST,
        "Not allowed",
        "the query cannot be read; write parameters as name=value, and % as %25");
  }

  @ExceptionHandler
  ProblemDetail onUnknownLane(UnknownLane e) {
    return TimeLab.has(e.name())
        ? problem(
            HttpStatus.NOT_FOUND,
            "Not of a window lane",
            "%s counts in windows and has no rows: see /api/time/lanes/%s/windows and /api/time/lanes/%s/late"
                .formatted(e.name(), e.name(), e.name()))
        : problem(HttpStatus.NOT_FOUND, "No such lane", e.getMessage());
  }

  @ExceptionHandler
  ProblemDetail onUnknownWindowLane(TimeApi.UnknownWindowLane e) {
    return problem(HttpStatus.NOT_FOUND, "No such lane", e.getMessage());
  }

  @ExceptionHandler
  ProblemDetail onNotFound(NotFound e) {
    return problem(HttpStatus.NOT_FOUND, "Not found", e.getMessage());
  }

  @ExceptionHandler
  ProblemDetail onRefused(LaneRefused e) {
    return problem(HttpStatus.CONFLICT, "Not now", e.getMessage());
  }

  @ExceptionHandler
  ProblemDetail onConflict(Conflict e) {
    return problem(HttpStatus.CONFLICT, "Not now", e.getMessage());
  }

  @ExceptionHandler
  ProblemDetail onTimeout(StillWaiting e) {
    return problem(HttpStatus.GATEWAY_TIMEOUT, "Still waiting", e.getMessage());
  }

  @ExceptionHandler({
    LaneUnavailable.class,
    LogUnreachable.class,
    SinkUnreachable.class,
    BrokerUnavailable.class,
    Waiting.TooMany.class
  })
  ProblemDetail onUnavailable(RuntimeException e) {
    return problem(HttpStatus.SERVICE_UNAVAILABLE, "Not reachable", e.getMessage());
  }

  @ExceptionHandler
  ProblemDetail onAppendFailed(AppendFailed e) {
    ProblemDetail problem =
        problem(HttpStatus.SERVICE_UNAVAILABLE, "The log did not take it all", e.getMessage());
    problem.setProperty("acknowledged", e.acknowledged());
    return problem;
  }

  @ExceptionHandler
  ProblemDetail onTooLong(BodyLimit.TooLong e) {
    return problem(HttpStatus.CONTENT_TOO_LARGE, "Body too long", e.getMessage());
  }

  @ExceptionHandler
  ProblemDetail onWrongType(MethodArgumentTypeMismatchException e) {
    Class<?> type = e.getRequiredType();
    return problem(
        HttpStatus.BAD_REQUEST,
        "Not allowed",
        "'"
            + e.getName()
            + "' is "
            + (type == null ? "something else" : allowed(type))
            + "; it was '"
            + e.getValue()
            + "'");
  }

  @ExceptionHandler
  ProblemDetail onAnythingElse(Exception e) {
    LOG.error("Unexpected", e);
    return problem(
        HttpStatus.INTERNAL_SERVER_ERROR,
        "Unexpected",
        "The lab did not expect this; its own log says more. Nothing is known to be half done, but look at the lanes before you go on.");
  }

  @Override
  protected ResponseEntity<Object> handleHttpMessageNotReadable(
      HttpMessageNotReadableException e,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof BodyLimit.TooLong tooLong) {
        return ResponseEntity.status(HttpStatus.CONTENT_TOO_LARGE)
            .contentType(MediaType.APPLICATION_PROBLEM_JSON)
            .body(onTooLong(tooLong));
      }
    }
    String detail =
        e.getCause() instanceof JacksonException json
            ? JsonComplaint.of(json)
            : "the body is empty, or null; this call takes a JSON object";
    return ResponseEntity.badRequest()
        .contentType(MediaType.APPLICATION_PROBLEM_JSON)
        .body(problem(HttpStatus.BAD_REQUEST, "Body not understood", detail));
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleNoResourceFoundException(
      NoResourceFoundException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
    ProblemDetail nothing =
        problem(
            HttpStatus.NOT_FOUND,
            "Not found",
            "there is nothing at /" + e.getResourcePath() + "; /v3/api-docs lists every call");
    return handleExceptionInternal(e, nothing, headers, status, request);
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleHttpRequestMethodNotSupported(
      HttpRequestMethodNotSupportedException e,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    ProblemDetail wrong =
        problem(
            HttpStatus.METHOD_NOT_ALLOWED,
            "Wrong method",
            "this call takes "
                + Stream.ofNullable(e.getSupportedMethods())
                    .flatMap(Arrays::stream)
                    .sorted()
                    .collect(Collectors.joining(" or "))
                + ", not "
                + e.getMethod());
    return handleExceptionInternal(e, wrong, headers, status, request);
  }

  @Override
  protected ResponseEntity<Object> handleHttpMediaTypeNotSupported(
      HttpMediaTypeNotSupportedException e,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    return ResponseEntity.status(HttpStatus.UNSUPPORTED_MEDIA_TYPE)
        .contentType(MediaType.APPLICATION_PROBLEM_JSON)
        .body(
            problem(
                HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                "Wrong content type",
                "this call takes "
                    + types(e.getSupportedMediaTypes())
                    + "; send a Content-Type header that says so"));
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleHttpMediaTypeNotAcceptable(
      HttpMediaTypeNotAcceptableException e,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    ProblemDetail wrong =
        problem(
            HttpStatus.NOT_ACCEPTABLE,
            "Wrong Accept header",
            "this call answers "
                + types(e.getSupportedMediaTypes())
                + "; leave the Accept header out, or let it say so");
    return handleExceptionInternal(e, wrong, headers, status, request);
  }

  private static String types(List<MediaType> types) {
    return types.stream().map(MediaType::toString).collect(Collectors.joining(" or "));
  }

  private static String allowed(Class<?> type) {
    return Number.class.isAssignableFrom(type) || type.isPrimitive()
        ? "a whole number"
        : type.getSimpleName();
  }

  private static ProblemDetail problem(HttpStatus status, String title, @Nullable String detail) {
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, String.valueOf(detail));
    problem.setTitle(title);
    return problem;
  }

  /** Something that a path names is not there. */
  static final class NotFound extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotFound(String message) {
      super(message);
    }
  }

  /** Something else is under way. */
  static final class Conflict extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Conflict(String message) {
      super(message);
    }
  }

  /** What was waited for did not happen in time. */
  static final class StillWaiting extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StillWaiting(String message) {
      super(message);
    }
  }
}
