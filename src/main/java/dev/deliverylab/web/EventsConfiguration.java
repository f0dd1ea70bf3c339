package dev.deliverylab.web;

import dev.deliverylab.history.History;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Puts the events at {@code /api/events}. */
@Configuration(proxyBeanMethods = false)
class EventsConfiguration {

  @Bean
  ServletRegistrationBean<EventsServlet> eventsServlet(History history, JsonMapper json) {
    ServletRegistrationBean<EventsServlet> registration =
        new ServletRegistrationBean<>(new EventsServlet(history, json), "/api/events");
    registration.setAsyncSupported(true);
    return registration;
  }
}
