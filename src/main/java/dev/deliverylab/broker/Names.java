package dev.deliverylab.broker;

/**
 * The names of everything the lab owns at a broker. All of them start with one prefix; what does
 * not is not the lab's and is never touched.
 *
 * @param prefix for example {@code delivery-lab.}
 */
public record Names(String prefix) {

  /**
   * The source topic of an experiment. A new experiment has a new topic, so no old offset can be
   * mistaken for one of its own.
   */
  public String log(long experiment) {
    return experiment(experiment) + "orders";
  }

  /**
   * @param generation 1 at first; a replay into a new group counts on
   */
  public String group(long experiment, String lane, int generation) {
    return experiment(experiment) + lane + (generation == 1 ? "" : ".g" + generation);
  }

  /** The client id of one life of a lane. */
  public String client(long experiment, String lane, int life) {
    return clientOfAnyLife(experiment, lane) + life;
  }

  String clientOfAnyLife(long experiment, String lane) {
    return experiment(experiment) + lane + ".life-";
  }

  /** What the names of everything that belongs to an experiment begin with. */
  public String experiment(long experiment) {
    return prefix + "experiment-" + experiment + ".";
  }

  public boolean owns(String name) {
    return name.startsWith(prefix);
  }
}
