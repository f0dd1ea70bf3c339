package dev.deliverylab;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The service: a broker, a database, ten lanes and the pages that show them, in one process. */
@SpringBootApplication
public class DeliveryLab {

  public static void main(String[] args) {
    SpringApplication.run(DeliveryLab.class, args);
  }
}
