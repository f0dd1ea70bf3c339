package dev.deliverylab.broker;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka's own broker in this process: one node that is broker and controller, on the loopback
 * address, with its data in one folder. Ports may differ at each start; data, offsets and topics
 * stay.
 */
final class EmbeddedBroker implements Broker, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(EmbeddedBroker.class);
  // A port found free can be taken by somebody else before the broker binds it.
  private static final int ATTEMPTS = 5;
  private static final long READY_TIMEOUT_S = 30;

  private final KafkaRaftServer server;
  private final Cluster cluster;

  /**
   * Starts the broker and returns when it answers.
   *
   * @param folder for its data; created and formatted at the first start
   * @param port where it listens; 0: a free one
   * @throws BrokerUnavailable where it cannot start
   */
  static EmbeddedBroker start(Path folder, int port, Names names) {
    long begun = System.nanoTime();
    format(folder);
    if (port != 0 && !free(port)) {
      throw portTaken(port, null);
    }
    for (int attempt = 1; ; attempt++) {
      int brokerPort = port == 0 ? freePort() : port;
      int controllerPort = freePort();
      try {
        EmbeddedBroker broker = new EmbeddedBroker(folder, brokerPort, controllerPort, names);
        log.info(
            "Kafka listens on {} after {} ms, data in {}",
            broker.bootstrapServers(),
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun),
            folder);
        return broker;
      } catch (RuntimeException e) {
        boolean taken = causedBy(e, BindException.class);
        if (!taken || attempt == ATTEMPTS) {
          throw taken && port != 0 ? portTaken(port, e) : notStarted(folder, e);
        }
      }
    }
  }

  private EmbeddedBroker(Path folder, int brokerPort, int controllerPort, Names names) {
    server =
        new KafkaRaftServer(
            new KafkaConfig(EmbeddedSettings.of(folder, brokerPort, controllerPort), false),
            Time.SYSTEM);
    try {
      server.startup();
      cluster = new Cluster(List.of(Address.local(brokerPort)), names);
    } catch (RuntimeException | Error e) {
      server.shutdown();
      throw e;
    }
    awaitAnswer(folder);
  }

  private void awaitAnswer(Path folder) {
    try {
      cluster.admin().describeCluster().nodes().get(READY_TIMEOUT_S, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      close();
      throw notStarted(folder, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
      throw notStarted(folder, e);
    }
  }

  @Override
  public String bootstrapServers() {
    return cluster.bootstrapServers();
  }

  @Override
  public String laneBootstrapServers() {
    return cluster.laneBootstrapServers();
  }

  @Override
  public Admin admin() {
    return cluster.admin();
  }

  @Override
  public Names names() {
    return cluster.names();
  }

  @Override
  public void cut(long experiment, String lane, int life) {
    cluster.cut(experiment, lane, life);
  }

  KafkaRelay relay() {
    return cluster.relay();
  }

  @Override
  public void close() {
    cluster.close();
    server.shutdown();
    server.awaitShutdown();
  }

  private static void format(Path folder) {
    try {
      Files.createDirectories(folder);
      if (!Files.isWritable(folder)) {
        throw notWritable(folder, null);
      }
      // Written last, so a folder that has it was formatted to the end.
      if (Files.exists(folder.resolve("meta.properties"))) {
        return;
      }
      new Formatter()
          .setNodeId(EmbeddedSettings.NODE)
          .setClusterId(Uuid.randomUuid().toString())
          .addDirectory(folder.toString())
          .setMetadataLogDirectory(folder.toString())
          .setReleaseVersion(MetadataVersion.latestProduction())
          .setControllerListenerName(EmbeddedSettings.CONTROLLER)
          .setIgnoreFormatted(true)
          .setPrintStream(
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
          .run();
    } catch (BrokerUnavailable e) {
      throw e;
    } catch (IOException e) {
      throw notWritable(folder, e);
    } catch (Exception e) {
      throw notStarted(folder, e);
    }
  }

  private static boolean free(int port) {
    try (ServerSocket probe = bind(port)) {
      return probe.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private static int freePort() {
    try (ServerSocket probe = bind(0)) {
      return probe.getLocalPort();
    } catch (IOException e) {
      throw new BrokerUnavailable(
          "No port is free on " + Address.LOOPBACK + ". End some programs and start the lab again.",
          e);
    }
  }

  private static ServerSocket bind(int port) throws IOException {
    return new ServerSocket(port, 1, Address.loopback());
  }

  private static boolean causedBy(Throwable e, Class<? extends Throwable> type) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  private static BrokerUnavailable portTaken(int port, @Nullable Throwable cause) {
    return new BrokerUnavailable(
        "Port "
            + port
            + " is taken by another program. End it, or set lab.kafka.port to another port (0: any free one).",
        cause);
  }

  private static BrokerUnavailable notWritable(Path folder, @Nullable Throwable cause) {
    return new BrokerUnavailable(
        "The broker cannot write to "
            + folder
            + ". Make the folder writable, or set lab.data-dir to another one.",
        cause);
  }

  private static BrokerUnavailable notStarted(Path folder, Throwable cause) {
    for (Throwable e = cause; e != null; e = e.getCause()) {
      if (String.valueOf(e.getMessage()).contains("lock")) {
        return new BrokerUnavailable(
            "Another broker uses "
                + folder
                + ". End the other instance of the lab, or set lab.data-dir to another folder.",
            cause);
      }
    }
    return new BrokerUnavailable(
        "The broker did not start on "
            + folder
            + " ("
            + cause.getMessage()
            + "). Set lab.data-dir to a new folder, or empty this one if its data may go.",
        cause);
  }
}
