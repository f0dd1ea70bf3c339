package dev.deliverylab.web;

import dev.deliverylab.DeliveryLab;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.FileSystemUtils;

/**
 * Gives a test class the one lab that all REST tests share: the real application on a free port,
 * started with the first of them and closed behind the last. Each test makes the experiment that it
 * needs.
 */
final class SharedLab implements ParameterResolver {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Lab.class;
  }

  @Override
  public Lab resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(Namespace.create(SharedLab.class))
        .computeIfAbsent("lab", key -> new Running(), Running.class)
        .lab;
  }

  private static final class Running implements AutoCloseable {

    private final Path data;
    private final ConfigurableApplicationContext context;
    private final Lab lab;

    Running() {
      try {
        data = Files.createTempDirectory("delivery-lab-rest");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      context =
          SpringApplication.run(DeliveryLab.class, "--server.port=0", "--lab.data-dir=" + data);
      lab =
          new Lab(
              context.getEnvironment().getRequiredProperty("local.server.port", Integer.class),
              context);
    }

    @Override
    public void close() throws IOException {
      context.close();
      FileSystemUtils.deleteRecursively(data);
    }
  }
}
