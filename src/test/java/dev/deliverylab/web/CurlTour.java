package dev.deliverylab.web;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The blocks of docs/curl.md: commands, and what they print. In what is shown, {@code …} stands for
 * anything within one answer, and line breaks do not count.
 *
 * @param line where the block begins, from 1
 * @param shown empty if the page does not show what is printed
 */
record CurlTour(int line, String commands, String shown) {

  private static final String FENCE = "```";

  /** Two answers of JSON meet like this. */
  private static final String ANYTHING_IN_ONE_ANSWER = "(?:(?!\\}\\{).)*?";

  static List<CurlTour> blocks(String page) {
    List<CurlTour> blocks = new ArrayList<>();
    List<String> lines = page.lines().toList();
    for (int at = 0; at < lines.size(); at++) {
      if (lines.get(at).startsWith(FENCE)) {
        int begin = at;
        List<String> inside = new ArrayList<>();
        for (at++; !lines.get(at).equals(FENCE); at++) {
          inside.add(lines.get(at));
        }
        String text = String.join("\n", inside);
        if (lines.get(begin).equals(FENCE + "sh")) {
          blocks.add(new CurlTour(begin + 1, text, ""));
        } else {
          CurlTour before = blocks.remove(blocks.size() - 1);
          blocks.add(new CurlTour(before.line, before.commands, text));
        }
      }
    }
    return blocks;
  }

  /** Whether this could be what was shown. */
  boolean shows(String printed) {
    String pattern =
        Arrays.stream(withoutLineBreaks(shown).split("…", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(ANYTHING_IN_ONE_ANSWER));
    return Pattern.compile(pattern, Pattern.DOTALL).matcher(withoutLineBreaks(printed)).matches();
  }

  private static String withoutLineBreaks(String text) {
    return text.replaceAll("\\R", "");
  }
}
