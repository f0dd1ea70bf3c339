package dev.deliverylab.web;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * The pages on a real Tomcat over a board that somebody drew: no broker, no database. Whatever a
 * control sends is kept for the test to read, and answered as the REST API would.
 */
final class PagesServer implements AutoCloseable {

  /** The policy under which the pages must work. */
  static final String POLICY =
      "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

  /** A request that changes something, as it arrived. */
  record Command(String line, String body) {}

  private final ConfigurableApplicationContext context;
  final FakeBoard board;
  final FakeTimeBoard time;
  final List<Command> commands;

  PagesServer(FakeBoard board, int port) {
    this(board, new FakeTimeBoard(), port);
  }

  PagesServer(FakeBoard board, FakeTimeBoard time, int port) {
    this.board = board;
    this.time = time;
    this.commands = new CopyOnWriteArrayList<>();
    this.context =
        new SpringApplicationBuilder(Pages.class)
            .initializers(
                c -> {
                  c.getBeanFactory().registerSingleton("board", board);
                  c.getBeanFactory().registerSingleton("timeBoard", time);
                  c.getBeanFactory().registerSingleton("commands", new Commands(commands, time));
                })
            .run(
                "--server.port=" + port,
                "--server.address=127.0.0.1",
                "--spring.main.banner-mode=off",
                "--spring.web.error.include-message=never",
                "--logging.level.root=warn");
  }

  String address() {
    Environment environment = context.getEnvironment();
    return "http://127.0.0.1:" + environment.getProperty("local.server.port");
  }

  int port() {
    return Integer.parseInt(
        String.valueOf(context.getEnvironment().getProperty("local.server.port")));
  }

  LiveStream stream() {
    return context.getBean(LiveStream.class);
  }

  @Override
  public void close() {
    context.close();
  }

  record Commands(List<Command> list, FakeTimeBoard time) {}

  // Without an annotation of its own, so that the lab's component scan in other tests passes it by.
  @Import({
    DashboardPage.class,
    LanePage.class,
    OrdersPage.class,
    RunPage.class,
    TimePage.class,
    LiveFragments.class,
    LiveConfiguration.class
  })
  @ImportAutoConfiguration({
    org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration
        .class,
    org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration.class,
    org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration.class,
    org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration.class,
    org.springframework.boot.thymeleaf.autoconfigure.ThymeleafAutoConfiguration.class
  })
  static class Pages {

    @Bean
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }

    @Bean
    FilterRegistrationBean<Filter> guard(Commands commands) {
      FilterRegistrationBean<Filter> guard =
          new FilterRegistrationBean<>(
              (request, response, chain) -> {
                HttpServletRequest http = (HttpServletRequest) request;
                HttpServletResponse answer = (HttpServletResponse) response;
                answer.setHeader("Content-Security-Policy", POLICY);
                if (http.getRequestURI().startsWith("/api/")) {
                  answerCommand(http, answer, commands);
                } else {
                  chain.doFilter(request, response);
                }
              });
      guard.setAsyncSupported(true);
      return guard;
    }

    private static void answerCommand(
        HttpServletRequest request, HttpServletResponse response, Commands commands)
        throws IOException {
      String body =
          new String(
              request.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
      commands.list().add(new Command(request.getMethod() + " " + request.getRequestURI(), body));
      String refusal = commands.time().refusal;
      if (body.contains("\"record\":9")) {
        refusal = "record lies between 1 and 2";
      }
      if (refusal == null && request.getRequestURI().startsWith("/api/time/")) {
        commands.time().obey(request.getMethod() + " " + request.getRequestURI(), body);
      }
      if (refusal != null) {
        response.setStatus(400);
        response.setContentType("application/problem+json");
        response.getWriter().print("{\"status\":400,\"detail\":\"" + refusal + "\"}");
      } else if (request.getRequestURI().endsWith("/replay")) {
        response.setContentType("application/json");
        response
            .getWriter()
            .print(
                "{\"group\":\"g\",\"partitions\":[{\"partition\":0,\"from\":5,\"to\":3,\"records\":2}]}");
      } else {
        response.setContentType("application/json");
        response.getWriter().print("{}");
      }
    }
  }
}
