package dev.deliverylab.scenario;

import dev.deliverylab.experiment.Experiment;
import dev.deliverylab.time.WindowLanes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The lines of a scenario, all for the same room. */
sealed interface Script {

  /** As the file has them. */
  List<? extends Line<?>> lines();

  /** Lines as they are played: with what the lab adds. */
  int planned();

  /** Whether they are about the time room. */
  boolean ofTime();

  /** Has them played in their room; true if all went well. */
  boolean play(Player player);

  /** Plays scripts. */
  interface Player {
    boolean inExperiment(List<Line<Experiment>> lines);

    boolean inTime(List<Line<WindowLanes>> lines);
  }

  /** At the end every lane that takes part is recounted. */
  record ForExperiment(List<Line<Experiment>> lines) implements Script {

    public ForExperiment {
      lines = List.copyOf(lines);
    }

    @Override
    public int planned() {
      return whole().size();
    }

    @Override
    public boolean ofTime() {
      return false;
    }

    @Override
    public boolean play(Player player) {
      return player.inExperiment(whole());
    }

    private List<Line<Experiment>> whole() {
      Set<String> lanes = new LinkedHashSet<>();
      lines.forEach(line -> lanes.addAll(line.lanes()));
      List<Line<Experiment>> whole = new ArrayList<>(lines);
      lanes.forEach(lane -> whole.add(new RecountLanes(lane)));
      return whole;
    }
  }

  /** For the window lanes. */
  record ForTime(List<Line<WindowLanes>> lines) implements Script {

    public ForTime {
      lines = List.copyOf(lines);
    }

    @Override
    public int planned() {
      return lines.size();
    }

    @Override
    public boolean ofTime() {
      return true;
    }

    @Override
    public boolean play(Player player) {
      return player.inTime(lines);
    }
  }
}
