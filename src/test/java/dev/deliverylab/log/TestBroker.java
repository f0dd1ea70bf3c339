package dev.deliverylab.log;

import dev.deliverylab.broker.Broker;
import dev.deliverylab.broker.Names;
import dev.deliverylab.broker.Scope;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * Kafka's own server in the test's folder, without the relay. It can be stopped and started on the
 * same port.
 */
final class TestBroker implements Broker, AutoCloseable {

  private final Path folder;
  private final int port = freePort();
  private final int controllerPort = freePort();
  private KafkaRaftServer server;
  private final Admin admin;

  TestBroker(Path folder) throws Exception {
    this.folder = folder;
    new Formatter()
        .setNodeId(1)
        .setClusterId(Uuid.randomUuid().toString())
        .addDirectory(folder.toString())
        .setMetadataLogDirectory(folder.toString())
        .setControllerListenerName("CONTROLLER")
        .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
        .setPrintStream(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
        .run();
    startServer();
    admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
    admin.describeCluster().nodes().get();
  }

  void startServer() {
    Properties settings = new Properties();
    settings.putAll(
        Map.of(
            "process.roles", "broker,controller",
            "node.id", "1",
            "controller.quorum.voters", "1@127.0.0.1:" + controllerPort,
            "listeners", "LAB://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort,
            "advertised.listeners", "LAB://127.0.0.1:" + port,
            "listener.security.protocol.map", "LAB:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "inter.broker.listener.name", "LAB",
            "controller.listener.names", "CONTROLLER",
            "log.dirs", folder.toString()));
    settings.put("auto.create.topics.enable", "false");
    server = new KafkaRaftServer(new KafkaConfig(settings, false), Time.SYSTEM);
    server.startup();
  }

  void stopServer() {
    server.shutdown();
    server.awaitShutdown();
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  @Override
  public String laneBootstrapServers() {
    return bootstrapServers();
  }

  @Override
  public Admin admin() {
    return admin;
  }

  @Override
  public Names names() {
    return new Names("log-test.");
  }

  @Override
  public void cut(Scope scope, String lane, int life) {
    throw new UnsupportedOperationException("no lanes here");
  }

  @Override
  public void close() {
    admin.close();
    stopServer();
  }
}
