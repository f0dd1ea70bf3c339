package dev.deliverylab.web;

import dev.deliverylab.DataFolder;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Says where the lab is, last of all that is printed at the start. A run from the command line has
 * no pages, so there it says nothing.
 */
@Component
@ConditionalOnWebApplication
final class Address {

  private static final Logger LOG = LoggerFactory.getLogger(Address.class);

  private final ServerProperties server;
  private final Environment environment;
  private final DataFolder data;

  Address(ServerProperties server, Environment environment, DataFolder data) {
    this.server = server;
    this.environment = environment;
    this.data = data;
  }

  @EventListener(ApplicationReadyEvent.class)
  void print() {
    LOG.info(
        "\n\n  Delivery Lab is at http://{}:{} and keeps everything in {}; Ctrl-C ends it.\n",
        host(server.getAddress()),
        environment.getProperty("local.server.port"),
        data.path());
  }

  /** An address that a browser on this machine can open. */
  static String host(@Nullable InetAddress bound) {
    if (bound == null || bound.isAnyLocalAddress()) {
      return "127.0.0.1";
    }
    String address = bound.getHostAddress();
    return address.indexOf(':') < 0 ? address : "[" + address + "]";
  }
}
