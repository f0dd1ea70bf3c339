package dev.deliverylab.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Prints what the lab costs, as Markdown. Nothing is asserted: a figure depends on the machine, so
 * each one that matters is a ratio of two measurements that took turns in the same run. Arguments:
 * the parts to run, {@code lanes}, {@code refresh}, {@code start} and {@code million}; all without
 * any. {@code -Dbench.jar} is the packaged lab.
 */
final class Benchmarks {

  private interface Part {
    void run(Path folder) throws Exception;
  }

  private static final Map<String, Part> PARTS = new LinkedHashMap<>();

  static {
    PARTS.put("lanes", LaneAgainstPlainLoop::run);
    PARTS.put("refresh", CostOfARefresh::run);
    PARTS.put("start", FirstPage::run);
    PARTS.put("million", MillionRecords::run);
  }

  private Benchmarks() {}

  public static void main(String[] arguments) throws Exception {
    List<String> asked = arguments.length == 0 ? List.copyOf(PARTS.keySet()) : List.of(arguments);
    if (!PARTS.keySet().containsAll(asked)) {
      throw new IllegalArgumentException("parts: " + String.join(", ", PARTS.keySet()));
    }
    print(
        "%s %s, %d processors, Java %s",
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        Runtime.getRuntime().availableProcessors(),
        Runtime.version());
    for (String name : asked) {
      Path folder = Files.createTempDirectory("delivery-lab-bench");
      double before = load();
      try {
        PARTS.get(name).run(folder);
      } finally {
        delete(folder);
      }
      print("");
      print("Load average %.1f before, %.1f after.", before, load());
    }
    // The embedded broker leaves threads that are no daemons.
    System.exit(0);
  }

  static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }

  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static void delete(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException thrown)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
