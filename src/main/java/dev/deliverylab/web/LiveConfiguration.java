package dev.deliverylab.web;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the live stream at {@code /live} and counts who watches. */
@Configuration(proxyBeanMethods = false)
class LiveConfiguration {

  @Bean(initMethod = "start", destroyMethod = "close")
  LiveStream liveStream(LiveFragments fragments, MeterRegistry meters) {
    LiveStream stream = new LiveStream(fragments, LiveStream.Limits.USUAL);
    Gauge.builder("lab.viewers", stream, LiveStream::viewers)
        .description("Pages that follow the lab live")
        .register(meters);
    return stream;
  }

  @Bean
  ServletRegistrationBean<LiveServlet> liveServlet(LiveStream stream, LiveFragments fragments) {
    ServletRegistrationBean<LiveServlet> registration =
        new ServletRegistrationBean<>(new LiveServlet(stream, fragments::knows), "/live");
    registration.setAsyncSupported(true);
    return registration;
  }
}
