package dev.deliverylab.scenario;

import dev.deliverylab.lane.Lane;
import java.util.List;
import java.util.function.Consumer;

/**
 * A command without details, to one lane or to several at once.
 *
 * @param whom the lanes in words
 */
record Command<P>(Kind kind, List<String> lanes, String whom) implements Line<P> {

  Command {
    lanes = List.copyOf(lanes);
  }

  /** The words of the file, and what the lane is told. */
  enum Kind {
    START("start", Lane::start),
    STOP("stop", Lane::stop),
    RESTART("restart", Lane::restart),
    PAUSE("pause", Lane::pause),
    RESUME("resume", Lane::resume),
    CRASH_NOW("crash-now", Lane::crashNow);

    private final String word;

    @SuppressWarnings("ImmutableEnumChecker") // a method reference without state
    private final Consumer<Lane> order;

    Kind(String word, Consumer<Lane> order) {
      this.word = word;
      this.order = order;
    }

    String word() {
      return word;
    }
  }

  @Override
  public String action() {
    return kind.word() + " " + whom;
  }

  @Override
  public Run.Step on(Stage<P> stage) {
    stage.each(lanes, kind.order);
    // Not the lanes' states: a crash that waits may come before one can look, or after.
    return Run.Step.done(action(), "done");
  }
}
