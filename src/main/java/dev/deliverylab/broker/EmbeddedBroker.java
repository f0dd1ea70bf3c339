package dev.deliverylab.broker;

import dev.deliverylab.DataFolder;
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
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.internals.Topic;
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

  private final DataFolder claim;
  private final KafkaRaftServer server;
  private final Cluster cluster;

  /**
   * Starts the broker and returns when it answers.
   *
   * @param folder for its data; created and formatted at the first start
   * @param port where it listens; 0: a free one
   * @throws DataFolder.Unusable where the folder is another instance's, or not writable
   * @throws BrokerUnavailable where it cannot start otherwise
   */
  static EmbeddedBroker start(Path folder, int port, Names names) {
    long begun = System.nanoTime();
    // Kafka locks the folder too, but only after its controller has opened, and written to, the
    // metadata in it. A second broker would disturb the first before it is refused.
    DataFolder claim = DataFolder.open(folder);
    try {
      EmbeddedBroker broker = start(claim, port, names);
      log.info(
          "Kafka listens on {} after {} ms, data in {}",
          broker.bootstrapServers(),
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun),
          folder);
      return broker;
    } catch (RuntimeException e) {
      claim.close();
      throw e;
    }
  }

  private static EmbeddedBroker start(DataFolder claim, int port, Names names) {
    Path folder = claim.path();
    format(folder);
    if (port != 0 && !free(port)) {
      throw portTaken(port, null);
    }
    for (int attempt = 1; ; attempt++) {
      int brokerPort = port == 0 ? freePort() : port;
      try {
        return new EmbeddedBroker(claim, brokerPort, freePort(), names);
      } catch (RuntimeException e) {
        boolean taken = causedBy(e, BindException.class);
        if (!taken || attempt == ATTEMPTS) {
          throw taken && port != 0 ? portTaken(port, e) : notStarted(folder, e);
        }
      }
    }
  }

  private EmbeddedBroker(DataFolder claim, int brokerPort, int controllerPort, Names names) {
    this.claim = claim;
    Path folder = claim.path();
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
      awaitGroups();
    } catch (ExecutionException | TimeoutException e) {
      close();
      throw notStarted(folder, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
      throw notStarted(folder, e);
    }
  }

  /**
   * While the coordinator still loads its groups, a list of groups comes back without them and
   * without an error. A question for one group is only answered when the load is done, and with the
   * one partition that {@link EmbeddedSettings} sets, all groups are loaded then.
   */
  private void awaitGroups() throws ExecutionException, TimeoutException, InterruptedException {
    Admin admin = cluster.admin();
    var all = admin.listTopics(new ListTopicsOptions().listInternal(true)).names();
    if (!all.get(READY_TIMEOUT_S, TimeUnit.SECONDS).contains(Topic.GROUP_METADATA_TOPIC_NAME)) {
      return;
    }
    try {
      admin
          .listConsumerGroupOffsets(names().prefix() + "any")
          .all()
          .get(READY_TIMEOUT_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof GroupIdNotFoundException)) {
        throw e;
      }
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
  public void cut(Scope scope, String lane, int life) {
    cluster.cut(scope, lane, life);
  }

  KafkaRelay relay() {
    return cluster.relay();
  }

  @Override
  public void close() {
    cluster.close();
    server.shutdown();
    server.awaitShutdown();
    claim.close();
  }

  private static void format(Path folder) {
    try {
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

  private static BrokerUnavailable notStarted(Path folder, Throwable cause) {
    return new BrokerUnavailable(
        "The broker did not start on "
            + folder
            + " ("
            + cause.getMessage()
            + "). Set lab.data-dir to a new folder, or empty this one if its data may go.",
        cause);
  }
}
