package dev.deliverylab.broker;

/**
 * The names at a broker of all that belongs to one log: its topics, its lanes' groups and clients.
 *
 * @param prefix what they all begin with, for example {@code delivery-lab.experiment-7.}
 */
public record Scope(String prefix) {

  public String topic(String name) {
    return prefix + name;
  }

  /**
   * @param generation 1 at first; a replay into a new group counts on
   */
  public String group(String lane, int generation) {
    return prefix + lane + (generation == 1 ? "" : ".g" + generation);
  }

  /** The client id of one life of a lane. */
  public String client(String lane, int life) {
    return clientOfAnyLife(lane) + life;
  }

  String clientOfAnyLife(String lane) {
    return prefix + lane + ".life-";
  }
}
