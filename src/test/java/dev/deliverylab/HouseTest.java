package dev.deliverylab;

import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModules;

/** The arrows between the rooms are the ones that their package-info files allow. */
class HouseTest {

  @Test
  void arrowsPointOneWay() {
    ApplicationModules.of(DeliveryLab.class).verify();
  }
}
