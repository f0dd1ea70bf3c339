package dev.deliverylab.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deliverylab.DataFolder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The broker as the application gets it. */
@ExtendWith(OutputCaptureExtension.class)
class BrokerConfigurationIT {

  @TempDir Path folder;

  private ApplicationContextRunner application() {
    return new ApplicationContextRunner()
        .withUserConfiguration(BrokerConfiguration.class)
        .withBean(DataFolder.class, () -> DataFolder.open(folder));
  }

  @Test
  void withoutAnAddressItIsTheLabsOwn() {
    application()
        .run(
            lab -> {
              assertThat(lab).getBean(Broker.class).isInstanceOf(EmbeddedBroker.class);
              assertThat(lab.getBean(Broker.class).names().prefix()).isEqualTo("delivery-lab.");
              assertThat(lab.getBean(Topics.class).topics()).isEmpty();
              assertThat(folder.resolve("kafka/meta.properties")).exists();
            });
    // The context closed the broker and gave the folder up.
    DataFolder.open(folder).close();
    EmbeddedBroker.start(folder.resolve("kafka"), 0, new Names("delivery-lab.")).close();
  }

  @Test
  void withAnAddressItIsThatCluster() {
    try (EmbeddedBroker elsewhere =
        EmbeddedBroker.start(folder.resolve("elsewhere"), 0, new Names("elsewhere."))) {
      application()
          .withPropertyValues(
              "lab.kafka.bootstrap-servers=" + elsewhere.bootstrapServers(),
              "lab.kafka.prefix=team-a.")
          .run(
              lab -> {
                assertThat(lab).getBean(Broker.class).isInstanceOf(ExistingCluster.class);
                assertThat(lab.getBean(Broker.class).names().prefix()).isEqualTo("team-a.");
              });
    }
  }

  @Test
  void aStartThatFailsEndsWithASentenceAndNoStackTrace(CapturedOutput output) {
    SpringApplication application = new SpringApplication(BrokerConfiguration.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.addInitializers(
        context ->
            ((org.springframework.context.support.GenericApplicationContext) context)
                .registerBean(DataFolder.class, () -> DataFolder.open(folder)));
    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(
                () -> application.run("--lab.kafka.bootstrap-servers=nowhere")))
        .hasRootCauseInstanceOf(BrokerUnavailable.class);
    assertThat(output).contains("'nowhere' is no broker address.").doesNotContain("\tat ");
  }
}
