package dev.deliverylab.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LifeTest {

  private final Names names = new Names("delivery-lab.");

  @ParameterizedTest
  @CsvSource({"'',1", "-0,1", "-0-producer-2,1", "2,12", "2-0,12", ".admin,1", "_7,1"})
  void aClientIdTellsTheLife(String suffix, int life) {
    assertThat(Life.of(names.client(7, "at-least-once", 1) + suffix))
        .isEqualTo(new Life("delivery-lab.experiment-7.at-least-once.life-", life));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "delivery-lab.lab",
        "somebody",
        ".life-1",
        "a.life-",
        "a.life-x1",
        "a.life-1234567890123"
      })
  void othersAreNoLane(String clientId) {
    assertThat(Life.of(clientId)).isNull();
    assertThat(Life.of(null)).isNull();
  }

  @Test
  void theHighestDeadLifeCoversTheEarlierOnesOfItsLaneOnly() {
    DeadLives dead = new DeadLives();
    dead.bury(Life.of(names.client(7, "at-least-once", 3)));
    dead.bury(Life.of(names.client(7, "at-least-once", 2)));

    assertThat(dead.includes(Life.of(names.client(7, "at-least-once", 1) + "-0"))).isTrue();
    assertThat(dead.includes(Life.of(names.client(7, "at-least-once", 3)))).isTrue();
    assertThat(dead.includes(Life.of(names.client(7, "at-least-once", 4)))).isFalse();
    assertThat(dead.includes(Life.of(names.client(7, "at-least-once", 31)))).isFalse();
    assertThat(dead.includes(Life.of(names.client(7, "at-most-once", 1)))).isFalse();
    assertThat(dead.includes(Life.of(names.client(8, "at-least-once", 1)))).isFalse();
    assertThat(dead.includes(null)).isFalse();
  }
}
