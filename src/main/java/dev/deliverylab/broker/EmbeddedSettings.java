package dev.deliverylab.broker;

import java.nio.file.Path;
import java.util.Properties;

/**
 * The embedded broker's settings: one node, a laptop's memory, and timeouts for demonstrations in
 * seconds.
 */
final class EmbeddedSettings {

  static final int NODE = 1;
  static final String CONTROLLER = "CONTROLLER";
  private static final String LISTENER = "LAB";

  private EmbeddedSettings() {}

  static Properties of(Path folder, int brokerPort, int controllerPort) {
    Properties settings = new Properties();
    node(settings, folder, brokerPort, controllerPort);
    internalTopics(settings);
    groups(settings);
    keepEverything(settings);
    stayModest(settings);
    return settings;
  }

  private static void node(Properties settings, Path folder, int brokerPort, int controllerPort) {
    String broker = LISTENER + "://" + Address.local(brokerPort);
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", String.valueOf(NODE));
    // A fixed list of voters is read at each start and never stored, so the port in it may change.
    // (Voters in the log, the
    // newer way, would remember the port of the first start.)
    settings.put("controller.quorum.voters", NODE + "@" + Address.local(controllerPort));
    settings.put("listeners", broker + "," + CONTROLLER + "://" + Address.local(controllerPort));
    settings.put("advertised.listeners", broker);
    settings.put(
        "listener.security.protocol.map", LISTENER + ":PLAINTEXT," + CONTROLLER + ":PLAINTEXT");
    settings.put("inter.broker.listener.name", LISTENER);
    settings.put("controller.listener.names", CONTROLLER);
    settings.put("log.dirs", folder.toString());
    settings.put("auto.create.topics.enable", "false");
    // After a kill the controller holds the old registration of the broker until its session ends:
    // nine seconds by default,
    // which every start after a kill would wait. Much less, and a pause of a busy laptop would
    // fence the only broker.
    settings.put("broker.session.timeout.ms", "3000");
    settings.put("broker.heartbeat.interval.ms", "250");
    // The only voter waits this long at each start before it elects itself.
    settings.put("controller.quorum.election.timeout.ms", "100");
    settings.put("controller.quorum.election.backoff.max.ms", "50");
  }

  private static void internalTopics(Properties settings) {
    settings.put("offsets.topic.num.partitions", "1");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("transaction.state.log.num.partitions", "1");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("share.coordinator.state.topic.num.partitions", "1");
    settings.put("share.coordinator.state.topic.replication.factor", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");
    settings.put("default.replication.factor", "1");
    settings.put("min.insync.replicas", "1");
  }

  private static void groups(Properties settings) {
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("group.min.session.timeout.ms", "1000");
    for (String kind : new String[] {"consumer", "share", "streams"}) {
      settings.put("group." + kind + ".min.session.timeout.ms", "1000");
      settings.put("group." + kind + ".min.heartbeat.interval.ms", "100");
    }
    settings.put("group.share.min.record.lock.duration.ms", "1000");
    settings.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "200");
  }

  /** An experiment is removed on request, not by age. */
  private static void keepEverything(Properties settings) {
    settings.put("log.retention.ms", "-1");
    settings.put("log.retention.bytes", "-1");
    settings.put("offsets.retention.minutes", String.valueOf(Integer.MAX_VALUE));
  }

  private static void stayModest(Properties settings) {
    settings.put("num.network.threads", "2");
    settings.put("num.io.threads", "4");
    settings.put("background.threads", "2");
    settings.put("log.cleaner.threads", "1");
    settings.put("log.cleaner.dedupe.buffer.size", String.valueOf(4 << 20));
    settings.put("log.cleaner.io.buffer.size", String.valueOf(256 << 10));
    // Two index files are laid out in full for each open segment, which would show as 20 MiB per
    // partition in the folder's size.
    settings.put("log.index.size.max.bytes", String.valueOf(1 << 20));
    settings.put("log.segment.bytes", String.valueOf(256 << 20));
  }
}
