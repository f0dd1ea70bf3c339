package dev.deliverylab.broker;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Where a Kafka node listens. */
record Address(String host, int port) {

  static final String LOOPBACK = "127.0.0.1";

  static InetAddress loopback() {
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    } catch (UnknownHostException fourBytesAreAnAddress) {
      throw new IllegalStateException(fourBytesAreAnAddress);
    }
  }

  static Address local(int port) {
    return new Address(LOOPBACK, port);
  }

  /**
   * Reads a list as in {@code bootstrap.servers}; an address without a port in 1..65535 is refused.
   */
  static List<Address> list(String bootstrapServers) {
    return Arrays.stream(bootstrapServers.split(",", -1))
        .map(String::strip)
        .map(Address::of)
        .toList();
  }

  static String join(List<Address> addresses) {
    return addresses.stream().map(Address::toString).collect(Collectors.joining(","));
  }

  private static Address of(String text) {
    int colon = text.lastIndexOf(':');
    if (colon > 0 && text.substring(colon + 1).matches("\\d{1,5}")) {
      int port = Integer.parseInt(text.substring(colon + 1));
      String host = text.substring(0, colon);
      boolean bracketed = host.startsWith("[") && host.endsWith("]");
      if (port >= 1 && port <= 65535) {
        return new Address(bracketed ? host.substring(1, host.length() - 1) : host, port);
      }
    }
    throw new BrokerUnavailable(
        "'"
            + text
            + "' is no broker address. Write lab.kafka.bootstrap-servers as host:port, several separated by commas.");
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
