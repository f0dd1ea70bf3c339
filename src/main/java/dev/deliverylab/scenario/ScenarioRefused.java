package dev.deliverylab.scenario;

/**
 * A scenario file that is wrong. Nothing of it has run. The message is a sentence with the place in
 * front; line and column count from 1.
 */
public final class ScenarioRefused extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;
  private final String reason;

  ScenarioRefused(Mark mark, String reason) {
    super("line " + mark.line() + ", column " + mark.column() + ": " + reason);
    this.line = mark.line();
    this.column = mark.column();
    this.reason = reason;
  }

  public int line() {
    return line;
  }

  public int column() {
    return column;
  }

  /** What is wrong there and what is allowed. */
  public String reason() {
    return reason;
  }
}
