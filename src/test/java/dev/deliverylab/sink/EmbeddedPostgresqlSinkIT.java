package dev.deliverylab.sink;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The sink in PostgreSQL's own server, unpacked from an archive and started here: no Docker. */
class EmbeddedPostgresqlSinkIT extends SinkContract {

  private static EmbeddedPostgres server;

  @BeforeAll
  static void start() throws IOException {
    server = EmbeddedPostgres.start();
  }

  @AfterAll
  static void stop() throws IOException {
    if (server != null) {
      server.close();
    }
  }

  @Override
  SinkAddress address() {
    return new SinkAddress(
        "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres", "postgres", "postgres");
  }
}
