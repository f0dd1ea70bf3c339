package dev.deliverylab.scenario;

import dev.deliverylab.scenario.Source.Field;
import dev.deliverylab.scenario.Source.Fields;
import dev.deliverylab.scenario.Source.Items;
import dev.deliverylab.scenario.Source.Scalar;
import dev.deliverylab.scenario.Source.Written;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Characters in, tree out, for YAML and JSON alike. It reads tokens and builds no objects of the
 * file's choosing; an alias is refused, so a small file cannot unfold into a large one.
 */
final class SourceReader {

  /** Levels inside one another: far more than a scenario has. */
  private static final int MAX_DEPTH = 16;

  private static final StreamReadConstraints BOUNDS =
      StreamReadConstraints.builder()
          .maxNestingDepth(MAX_DEPTH + 1)
          .maxStringLength(20_000)
          .maxNumberLength(100)
          .maxNameLength(200)
          .build();

  private static final Pattern YAML_PLACE =
      Pattern.compile(" in reader, line (\\d+), column (\\d+):");

  /** What a parser says to programmers: its own settings, and characters by number. */
  private static final Pattern TECHNICAL =
      Pattern.compile("(, from|: enable) `[^`]*`( to allow)?| \\(code [^)]*\\)");

  private final Scenarios.Format format;

  SourceReader(Scenarios.Format format) {
    this.format = format;
  }

  Source read(byte[] bytes) {
    if (bytes.length > Scenarios.MAX_BYTES) {
      throw Mark.START.refuse(
          "a scenario has at most " + (Scenarios.MAX_BYTES >> 20) + " MiB of source");
    }
    String text = decode(bytes);
    TokenStreamFactory factory =
        format == Scenarios.Format.JSON
            ? JsonFactory.builder().streamReadConstraints(BOUNDS).build()
            : YAMLFactory.builder().streamReadConstraints(BOUNDS).build();
    try (JsonParser in = factory.createParser(ObjectReadContext.empty(), text)) {
      if (in.nextToken() == null) {
        throw Mark.START.refuse("the file is empty");
      }
      Source root = value(in, 1);
      if (in.nextToken() != null) {
        throw mark(in).refuse("a file holds one scenario, and here a second document begins");
      }
      return root;
    } catch (JacksonException e) {
      throw refused(e);
    }
  }

  private static String decode(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      String plain = text.startsWith("\uFEFF") ? text.substring(1) : text;
      refuseControls(plain);
      return plain;
    } catch (CharacterCodingException e) {
      throw Mark.START.refuse("the file is not UTF-8");
    }
  }

  private static void refuseControls(String text) {
    int line = 1;
    int column = 1;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) && c != '\t' && c != '\n' && c != '\r') {
        throw new Mark(line, column)
            .refuse("there is a control character here, number " + (int) c + ", that no text has");
      }
      column++;
      if (c == '\n') {
        line++;
        column = 1;
      }
    }
  }

  private static Source value(JsonParser in, int depth) {
    Mark mark = mark(in);
    if (depth > MAX_DEPTH) {
      throw mark.refuse("at most " + MAX_DEPTH + " levels lie inside one another");
    }
    if (in instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
      throw mark.refuse("an alias (*name) is not allowed here: write the value out");
    }
    JsonToken token = in.currentToken();
    return switch (token) {
      case START_OBJECT -> fields(in, mark, depth + 1);
      case START_ARRAY -> items(in, mark, depth + 1);
      case VALUE_STRING -> new Scalar(mark, Written.TEXT, in.getString());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Scalar(mark, Written.NUMBER, in.getString());
      case VALUE_TRUE, VALUE_FALSE ->
          new Scalar(mark, Written.TRUTH, token == JsonToken.VALUE_TRUE ? "true" : "false");
      case VALUE_NULL -> new Scalar(mark, Written.NULL, "null");
      default -> throw mark.refuse("binary values and custom tags are not allowed here");
    };
  }

  private static Items items(JsonParser in, Mark mark, int depth) {
    List<Source> items = new ArrayList<>();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      items.add(value(in, depth));
    }
    return new Items(mark, List.copyOf(items));
  }

  private static Fields fields(JsonParser in, Mark mark, int depth) {
    Map<String, Field> fields = new LinkedHashMap<>();
    while (in.nextToken() != JsonToken.END_OBJECT) {
      Mark at = mark(in);
      String name = in.currentName();
      in.nextToken();
      if (fields.put(name, new Field(at, name, value(in, depth))) != null) {
        throw at.refuse("'" + Source.cut(name) + "' is given twice");
      }
    }
    return new Fields(mark, fields);
  }

  private static Mark mark(JsonParser in) {
    return mark(in.currentTokenLocation());
  }

  private static Mark mark(TokenStreamLocation at) {
    return new Mark(Math.max(1, at.getLineNr()), Math.max(1, at.getColumnNr()));
  }

  /**
   * The YAML parser's message is a drawing with its places inside; the last is where it stopped.
   */
  private static ScenarioRefused refused(JacksonException e) {
    String message = String.valueOf(e.getOriginalMessage());
    TokenStreamLocation at = e.getLocation();
    Mark mark = at == null ? Mark.START : mark(at);
    Matcher places = YAML_PLACE.matcher(message);
    while (places.find()) {
      mark = new Mark(Integer.parseInt(places.group(1)), Integer.parseInt(places.group(2)));
    }
    String words =
        message
            .lines()
            .filter(line -> !line.startsWith(" ") && !line.isBlank())
            .collect(Collectors.joining(", "));
    return mark.refuse("cannot be read: " + TECHNICAL.matcher(words).replaceAll(""));
  }
}
