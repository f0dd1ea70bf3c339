package dev.deliverylab.sink;

import java.io.Serializable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a sink's database is and how to get in. All that a lane in a process of its own needs.
 *
 * @param url {@code jdbc:h2:tcp://host:port/name} or {@code jdbc:postgresql://host:port/name}
 */
public record SinkAddress(String url, String user, String password) implements Serializable {

  private static final Pattern URL =
      Pattern.compile(
          "jdbc:(?:h2:tcp|postgresql)://"
              + "(?<host>\\[[0-9a-fA-F:]+]|[^/:,?\\[\\]]+)(?::(?<port>[0-9]{1,5}))?"
              + "/[^/?].*");

  private static final int POSTGRESQL_PORT = 5432;

  /**
   * @throws IllegalArgumentException saying what form the URL must have
   */
  public SinkAddress {
    if (!URL.matcher(url).matches()) {
      throw new IllegalArgumentException(
          "The sink's URL must look like jdbc:postgresql://host:port/database, with one host");
    }
  }

  String host() {
    String host = parts().group("host");
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  int port() {
    String port = parts().group("port");
    return port == null ? POSTGRESQL_PORT : Integer.parseInt(port);
  }

  Dialect dialect() {
    return url.startsWith("jdbc:h2:") ? Dialect.H2 : Dialect.POSTGRESQL;
  }

  private Matcher parts() {
    Matcher matcher = URL.matcher(url);
    if (!matcher.matches()) {
      throw new IllegalStateException("checked when made");
    }
    return matcher;
  }

  /**
   * Without the password, which must not reach a log; nor the URL's options, which may hold one.
   */
  @Override
  public String toString() {
    return dialect() + " at " + host() + ":" + port();
  }
}
