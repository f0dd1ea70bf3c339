package dev.deliverylab.bench;

import dev.deliverylab.LabProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** From the start of the process, with an empty data folder, to the first page that is served. */
final class FirstPage {

  private static final int ROUNDS = Integer.getInteger("bench.starts", 5);

  private FirstPage() {}

  static void run(Path folder) throws Exception {
    Benchmarks.print("%n### Start to the first page%n");
    Benchmarks.print("Empty data folder, %d rounds.%n", ROUNDS);
    List<Double> page = new ArrayList<>();
    List<Double> broker = new ArrayList<>();
    List<Double> share = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      try (LabProcess lab = PackagedLab.launch(folder.resolve("start-" + round), "-Xmx1g")) {
        double all = lab.awaitPage();
        page.add(all);
        broker.add(PackagedLab.brokerMillis(lab));
        share.add(PackagedLab.brokerMillis(lab) / all);
      }
    }
    Benchmarks.print("| start to first page, ms | of it the broker, ms | share |");
    Benchmarks.print("|---|---|---|");
    Benchmarks.print(
        "| %s | %s | **%s** |",
        Figures.of(page).shown(".0f"),
        Figures.of(broker).shown(".0f"),
        Figures.of(share).shown(".2f"));
  }
}
