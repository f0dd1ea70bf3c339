package dev.deliverylab;

import java.util.OptionalInt;

/**
 * Something to do instead of serving pages, asked for by an argument. Rooms bring theirs along as
 * Java services, so that this package, which all of them may use, knows none of them.
 */
public interface CommandLine {

  /** Does it and gives the exit code of the process; empty if these arguments do not ask for it. */
  OptionalInt run(String[] args);
}
