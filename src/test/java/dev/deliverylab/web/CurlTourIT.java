package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** docs/curl.md, pasted block by block into a shell. */
@ExtendWith(SharedLab.class)
class CurlTourIT {

  private static final Path PAGE = Path.of("docs", "curl.md");
  private static final Pattern VERSION = Pattern.compile("curl (\\d+)\\.(\\d+)");

  private final Lab lab;

  CurlTourIT(Lab lab) {
    this.lab = lab;
  }

  @Test
  void everyBlockPrintsWhatThePageShows() throws Exception {
    assumeCurl();
    String page = Files.readString(PAGE);
    Map<Integer, String> printed = new LinkedHashMap<>();
    for (CurlTour block : CurlTour.blocks(page)) {
      printed.put(block.line(), run(block));
      assertThat(differences(List.of(block), printed)).isEmpty();
    }
    assertThat(printed).hasSizeGreaterThan(10);

    // A negative control: with any number of any answer changed, the page is wrong.
    for (String number :
        List.of("186.95", "137.45", "298.90", "\"rows\":10", "\"lost\":1", "recognised\":7")) {
      String changed = page.replaceFirst(Pattern.quote(number), number.replaceFirst("[0-9]", "8"));
      assertThat(changed).isNotEqualTo(page);
      assertThat(differences(CurlTour.blocks(changed), printed)).as(number).hasSize(1);
    }
  }

  private static void assumeCurl() throws IOException, InterruptedException {
    String says;
    try {
      says =
          new String(
              shell("curl --version").getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      says = "";
    }
    Matcher version = VERSION.matcher(says);
    Assumptions.assumeTrue(
        version.find()
            && (Integer.parseInt(version.group(1)) > 7 || Integer.parseInt(version.group(2)) >= 82),
        "No curl of 7.82 or newer on the path, so docs/curl.md was not run: install the package curl");
  }

  private static Process shell(String commands) throws IOException {
    ProcessBuilder shell = new ProcessBuilder("sh", "-c", commands);
    shell.environment().put("no_proxy", "127.0.0.1");
    return shell.redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private String run(CurlTour block) throws Exception {
    Process process = shell(block.commands().replace("127.0.0.1:8080", "127.0.0.1:" + lab.port()));
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("line %d: %s", block.line(), printed).isZero();
    return printed;
  }

  /** Where the page shows something else, or hides a refusal. */
  private static List<String> differences(List<CurlTour> blocks, Map<Integer, String> printed) {
    List<String> differences = new ArrayList<>();
    for (CurlTour block : blocks) {
      String came = printed.getOrDefault(block.line(), "nothing");
      boolean right = block.shown().isEmpty() ? !came.contains("\"detail\":") : block.shows(came);
      if (!right) {
        differences.add(
            PAGE
                + ", line "
                + block.line()
                + " shows\n"
                + block.shown()
                + "\nbut this came\n"
                + came);
      }
    }
    return differences;
  }
}
