package dev.deliverylab.sink;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import org.h2.tools.Server;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The H2 database inside the lab's process, behind a TCP server on the loopback. Nobody but this
 * class opens its file, for three reasons: a thread that is interrupted inside embedded H2 closes
 * the file for all; a connection that is dropped makes the server roll back by itself, as it would
 * for a killed process; and a lane in a process of its own gets in by the same way.
 *
 * <p>Commits survive a kill of the process: H2 would keep the last half second in memory, and with
 * the offsets safe in Kafka that would turn at-least-once into loss. Written at every commit, the
 * file would grow without bound, were old versions of a page not given up at once (a retention time
 * of 0). H2's automatic ANALYZE does not survive that: it runs behind a commit, outside of any
 * transaction that would hold the pages it reads, and fails a write that has long been kept. So it
 * is switched off; every query here finds its index without statistics.
 */
public final class LabDatabase implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(LabDatabase.class);
  private static final String BIND = "h2.bindAddress";
  private static final String LOOPBACK = "127.0.0.1";
  private static final String NAME = "lab";
  private static final String USER = "lab";

  static {
    // H2 reads this once, when its first class loads, and would else listen everywhere.
    if (System.getProperty(BIND) == null) {
      System.setProperty(BIND, LOOPBACK);
    }
  }

  private final Connection keeper;
  private final Housekeeping housekeeping;
  private final Server server;
  private final SinkAddress address;

  private LabDatabase(
      Connection keeper, Housekeeping housekeeping, Server server, SinkAddress address) {
    this.keeper = keeper;
    this.housekeeping = housekeeping;
    this.server = server;
    this.address = address;
  }

  /**
   * Opens the database in its folder, creating it on the first start.
   *
   * @param room the folder that holds nothing else
   * @throws IllegalStateException in plain words, when it cannot be opened
   */
  public static LabDatabase open(Path room) {
    return open(room, 0);
  }

  /**
   * @param writeDelayMillis how long H2 may keep a commit in memory: 0, but for the test that shows
   *     why
   */
  static LabDatabase open(Path room, int writeDelayMillis) {
    Path folder = room.toAbsolutePath().normalize();
    if (folder.toString().contains(";")) {
      throw new IllegalStateException("H2 cannot open a path with a semicolon: " + folder);
    }
    try {
      Files.createDirectories(folder);
      String password = password(folder.resolve("password"));
      Connection keeper =
          DriverManager.getConnection(
              "jdbc:h2:file:"
                  + folder.resolve(NAME)
                  + ";WRITE_DELAY="
                  + writeDelayMillis
                  + ";RETENTION_TIME=0;ANALYZE_AUTO=0;DB_CLOSE_DELAY=-1;DB_CLOSE_ON_EXIT=FALSE",
              USER,
              password);
      Server server =
          Server.createTcpServer("-tcpPort", "0", "-tcpDaemon", "-baseDir", folder.toString())
              .start();
      if (!LOOPBACK.equals(org.h2.engine.SysProperties.BIND_ADDRESS)) {
        log.warn("H2 was loaded before the lab could set {}={}", BIND, LOOPBACK);
      }
      String url = "jdbc:h2:tcp://" + LOOPBACK + ":" + server.getPort() + "/" + NAME;
      SinkAddress address = new SinkAddress(url, USER, password);
      return new LabDatabase(keeper, Housekeeping.of(keeper), server, address);
    } catch (IOException e) {
      throw new IllegalStateException("The database folder cannot be used: " + folder, e);
    } catch (SQLException e) {
      throw new IllegalStateException(
          "The database in " + folder + " cannot be opened: " + e.getMessage(), e);
    }
  }

  /** How to get in, over TCP. */
  public SinkAddress address() {
    return address;
  }

  /** Stops the server and closes the file in order. Close the pools first. */
  @Override
  public void close() {
    server.stop();
    housekeeping.close();
    try (keeper;
        Statement statement = keeper.createStatement()) {
      statement.execute("SHUTDOWN");
    } catch (SQLException e) {
      log.warn("The database did not shut down in order: {}", e.getMessage());
    }
  }

  /**
   * Made on the first start; moved into place whole, so that a kill leaves all of it or nothing.
   */
  private static String password(Path file) throws IOException {
    if (!Files.exists(file)) {
      byte[] random = new byte[32];
      new SecureRandom().nextBytes(random);
      Path written = Files.createTempFile(file.getParent(), "password", ".new", ownerOnly());
      Files.writeString(written, Base64.getUrlEncoder().withoutPadding().encodeToString(random));
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    }
    return Files.readString(file).strip();
  }

  private static FileAttribute<?>[] ownerOnly() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
