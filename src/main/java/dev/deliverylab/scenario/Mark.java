package dev.deliverylab.scenario;

/** A place in a scenario's source. Both count from 1. */
record Mark(int line, int column) {

  static final Mark START = new Mark(1, 1);

  ScenarioRefused refuse(String reason) {
    return new ScenarioRefused(this, reason);
  }
}
