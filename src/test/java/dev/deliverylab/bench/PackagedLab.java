package dev.deliverylab.bench;

import dev.deliverylab.LabProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a benchmark wants to know of the packaged lab in its process. */
final class PackagedLab {

  private static final Pattern BROKER = Pattern.compile("Kafka listens on .* after (\\d+) ms");
  private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+(\\d+) kB");

  private PackagedLab() {}

  /**
   * @param heap an option of the virtual machine, as {@code -Xmx1g}
   */
  static LabProcess launch(Path data, String heap) throws IOException {
    String jar = System.getProperty("bench.jar");
    if (jar == null) {
      throw new IllegalStateException("-Dbench.jar names the packaged lab");
    }
    return LabProcess.launchPackaged(Path.of(jar), data, heap);
  }

  /** Milliseconds that the broker took, by the lab's own log. */
  static double brokerMillis(LabProcess lab) {
    Matcher line = BROKER.matcher(lab.said());
    if (!line.find()) {
      throw new IllegalStateException("the log does not tell when the broker was up");
    }
    return Double.parseDouble(line.group(1));
  }

  /** Bytes of all files in the data folder. */
  static long bytes(Path data) throws IOException {
    long bytes = 0;
    try (var files = Files.walk(data)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  /** The most memory it ever held, in MiB; NaN where the system does not tell. */
  static double peakMebibytes(LabProcess lab) throws IOException {
    Path status = Path.of("/proc", Long.toString(lab.pid()), "status");
    if (!Files.isReadable(status)) {
      return Double.NaN;
    }
    Matcher peak = PEAK.matcher(Files.readString(status));
    return peak.find() ? Double.parseDouble(peak.group(1)) / 1024 : Double.NaN;
  }
}
