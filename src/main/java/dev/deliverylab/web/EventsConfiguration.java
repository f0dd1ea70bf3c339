package dev.deliverylab.web;

import dev.deliverylab.history.History;
import dev.deliverylab.time.TimeLab;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Puts the events at {@code /api/events}, those of time at {@code /api/time/events}. */
@Configuration(proxyBeanMethods = false)
class EventsConfiguration {

  @Bean
  ServletRegistrationBean<EventsServlet> eventsServlet(
      History history, JsonMapper json, MeterRegistry meters) {
    return at("/api/events", history, json, meters);
  }

  /** The window lanes have a history of their own. */
  @Bean
  ServletRegistrationBean<EventsServlet> timeEventsServlet(
      TimeLab time, JsonMapper json, MeterRegistry meters) {
    return at("/api/time/events", time.history(), json, meters);
  }

  private static ServletRegistrationBean<EventsServlet> at(
      String path, History history, JsonMapper json, MeterRegistry meters) {
    EventsServlet servlet = new EventsServlet(history, json);
    Gauge.builder("lab.event.readers", servlet, EventsServlet::readers)
        .tag("path", path)
        .description("Programs that follow the events")
        .register(meters);
    ServletRegistrationBean<EventsServlet> registration =
        new ServletRegistrationBean<>(servlet, path);
    registration.setName(path);
    registration.setAsyncSupported(true);
    return registration;
  }
}
