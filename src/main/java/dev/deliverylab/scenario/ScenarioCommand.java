package dev.deliverylab.scenario;

import dev.deliverylab.CommandLine;
import dev.deliverylab.DeliveryLab;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * {@code --lab.run=FILE}: runs one scenario without a web server, for a build server. FILE is the
 * name of a bundled scenario or a path. The report goes to standard output, everything else to
 * standard error. Unless {@code lab.data-dir} is given (as an argument, a system property or in the
 * environment), the data go to a temporary folder that is removed at the end, so that a build never
 * touches the experiment somebody is looking at.
 */
public final class ScenarioCommand implements CommandLine {

  /** The exit code of a run in which everything came as expected. */
  public static final int PASSED = 0;

  /** The exit code of a run that failed, or of a lab that could not start. */
  public static final int FAILED = 1;

  /** The exit code for a file that is missing or wrong; nothing was started. */
  public static final int WRONG_FILE = 2;

  private static final String OPTION = "lab.run";

  @Override
  public OptionalInt run(String[] args) {
    String file = new SimpleCommandLinePropertySource(args).getProperty(OPTION);
    return file == null ? OptionalInt.empty() : OptionalInt.of(run(file, args));
  }

  private static int run(String file, String[] args) {
    PrintStream out = System.out;
    // The console's log follows System.out wherever it goes.
    System.setOut(System.err);
    try {
      Scenario scenario;
      try {
        scenario = read(file);
      } catch (WrongFile e) {
        System.err.println(e.getMessage());
        return WRONG_FILE;
      }
      return isDataFolderGiven(args)
          ? play(scenario, args, null, out)
          : inTemp(scenario, args, out);
    } finally {
      System.setOut(out);
      out.flush();
    }
  }

  private static int inTemp(Scenario scenario, String[] args, PrintStream out) {
    Path folder;
    try {
      folder = Files.createTempDirectory("delivery-lab-run");
    } catch (IOException e) {
      System.err.println("There is no place for temporary files: " + e.getMessage());
      return FAILED;
    }
    try {
      return play(scenario, args, folder, out);
    } finally {
      remove(folder);
    }
  }

  private static int play(
      Scenario scenario, String[] args, @Nullable Path folder, PrintStream out) {
    SpringApplication application = new SpringApplication(DeliveryLab.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    // Only what a run needs: no pages, no controllers.
    application.setLazyInitialization(true);
    String[] all =
        folder == null
            ? args
            : Stream.concat(Stream.of(args), Stream.of("--lab.data-dir=" + folder))
                .toArray(String[]::new);
    try (ConfigurableApplicationContext context = application.run(all)) {
      Runs runs = context.getBean(Runs.class);
      Run run = runs.start(scenario);
      while (!run.isOver()) {
        run = runs.await(run.id(), Duration.ofMinutes(1));
      }
      out.print(new Report(run).text());
      return run.state() == Run.State.PASSED ? PASSED : FAILED;
    } catch (RuntimeException e) {
      // Spring has told it already, with the sentence of whoever could not start.
      System.err.println("The run could not be made: " + e.getMessage());
      return FAILED;
    }
  }

  /** A sentence for the one who typed the command. */
  private static final class WrongFile extends Exception {
    private static final long serialVersionUID = 1L;

    WrongFile(String message) {
      super(message);
    }
  }

  private static Scenario read(String file) throws WrongFile {
    if (Scenarios.names().contains(file)) {
      return new Scenarios().named(file).scenario();
    }
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      boolean json = file.toLowerCase(Locale.ROOT).endsWith(".json");
      return Scenarios.parse(
          in.readNBytes(Scenarios.MAX_BYTES + 1),
          json ? Scenarios.Format.JSON : Scenarios.Format.YAML);
    } catch (ScenarioRefused e) {
      throw new WrongFile(file + ": " + e.getMessage());
    } catch (IOException | InvalidPathException e) {
      throw new WrongFile(
          "'"
              + file
              + "' is neither a file that can be read nor a bundled scenario; those are "
              + String.join(", ", Scenarios.names()));
    }
  }

  private static boolean isDataFolderGiven(String[] args) {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new SimpleCommandLinePropertySource(args));
    return environment.containsProperty("lab.data-dir");
  }

  private static void remove(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("Left behind, as it could not be removed: " + folder);
    }
  }
}
