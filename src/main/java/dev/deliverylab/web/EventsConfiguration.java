package dev.deliverylab.web;

import dev.deliverylab.history.History;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Puts the events at {@code /api/events}. */
@Configuration(proxyBeanMethods = false)
class EventsConfiguration {

  @Bean
  ServletRegistrationBean<EventsServlet> eventsServlet(
      History history, JsonMapper json, MeterRegistry meters) {
    EventsServlet servlet = new EventsServlet(history, json);
    Gauge.builder("lab.event.readers", servlet, EventsServlet::readers)
        .description("Programs that follow the events")
        .register(meters);
    ServletRegistrationBean<EventsServlet> registration =
        new ServletRegistrationBean<>(servlet, "/api/events");
    registration.setAsyncSupported(true);
    return registration;
  }
}
