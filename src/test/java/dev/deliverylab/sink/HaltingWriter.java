package dev.deliverylab.sink;

import java.nio.file.Path;
import java.time.Clock;

/** A process that holds the whole database, writes, and dies with the last acknowledgement. */
final class HaltingWriter {

  static final String LANE = "at-least-once";
  static final int HALTED = 9;

  private HaltingWriter() {}

  public static void main(String[] args) {
    int writeDelayMillis = Integer.parseInt(args[1]);
    int effects = Integer.parseInt(args[2]);
    LabDatabase database = LabDatabase.open(Path.of(args[0]), writeDelayMillis);
    Sinks sinks = Sinks.at(database.address(), "lab_", Clock.systemUTC());
    Sink sink = sinks.open(1, LANE, Shape.APPEND_ONLY).connect(1).sink();
    for (int id = 0; id < effects; id++) {
      sink.append(SinkContract.record(0, id, SinkContract.order(id, "1.00")));
    }
    Runtime.getRuntime().halt(HALTED);
  }
}
