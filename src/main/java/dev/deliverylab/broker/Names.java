package dev.deliverylab.broker;

/**
 * The names of everything the lab owns at a broker. All of them start with one prefix; what does
 * not is not the lab's and is never touched.
 *
 * @param prefix for example {@code delivery-lab.}
 */
public record Names(String prefix) {

  private static final String EXPERIMENT = "experiment-";
  private static final String TIME = "time-";

  /**
   * The source topic of an experiment. A new experiment has a new topic, so no old offset can be
   * mistaken for one of its own.
   */
  public String log(long experiment) {
    return experiment(experiment).topic("orders");
  }

  /**
   * @param generation 1 at first; a replay into a new group counts on
   */
  public String group(long experiment, String lane, int generation) {
    return experiment(experiment).group(lane, generation);
  }

  /** The client id of one life of a lane. */
  public String client(long experiment, String lane, int life) {
    return experiment(experiment).client(lane, life);
  }

  /** The names of everything that belongs to an experiment. */
  public Scope experiment(long experiment) {
    return new Scope(prefix + EXPERIMENT + experiment + ".");
  }

  /** The names of everything that belongs to a time log, which is no experiment's. */
  public Scope timeLog(long log) {
    return new Scope(prefix + TIME + log + ".");
  }

  /** Whether a name belongs to some experiment. */
  public boolean isOfAnExperiment(String name) {
    return name.startsWith(prefix + EXPERIMENT);
  }

  /** Whether a name belongs to some time log. */
  public boolean isOfATimeLog(String name) {
    return name.startsWith(prefix + TIME);
  }

  public boolean owns(String name) {
    return name.startsWith(prefix);
  }
}
