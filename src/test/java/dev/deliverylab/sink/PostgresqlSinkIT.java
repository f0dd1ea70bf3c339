package dev.deliverylab.sink;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * The sink in PostgreSQL: the server named by {@code LAB_TEST_POSTGRES_URL} (with {@code _USER} and
 * {@code _PASSWORD} beside it), else one in a container.
 */
class PostgresqlSinkIT extends SinkContract {

  private static PostgreSQLContainer container;
  private static SinkAddress address;

  @BeforeAll
  static void start() {
    String url = System.getenv("LAB_TEST_POSTGRES_URL");
    if (url != null) {
      address =
          new SinkAddress(
              url,
              System.getenv().getOrDefault("LAB_TEST_POSTGRES_USER", "postgres"),
              System.getenv().getOrDefault("LAB_TEST_POSTGRES_PASSWORD", ""));
      return;
    }
    assumeTrue(
        DockerClientFactory.instance().isDockerAvailable(),
        "no Docker here, and LAB_TEST_POSTGRES_URL names no PostgreSQL server");
    container = new PostgreSQLContainer("postgres:17-alpine");
    container.start();
    address =
        new SinkAddress(
            "jdbc:postgresql://"
                + container.getHost()
                + ":"
                + container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT)
                + "/"
                + container.getDatabaseName(),
            container.getUsername(),
            container.getPassword());
  }

  @AfterAll
  static void stop() {
    if (container != null) {
      container.stop();
    }
  }

  @Override
  SinkAddress address() {
    return address;
  }
}
