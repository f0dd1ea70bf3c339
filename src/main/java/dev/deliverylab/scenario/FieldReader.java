package dev.deliverylab.scenario;

import dev.deliverylab.scenario.Source.Field;
import dev.deliverylab.scenario.Source.Fields;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the fields of one mapping, and refuses with the place of what is wrong. */
record FieldReader(String what, Fields source) {

  private static final Pattern FIRST_WORD = Pattern.compile("^\"?([A-Za-z]+)");

  static FieldReader of(Source source, String what) {
    if (source instanceof Fields fields) {
      return new FieldReader(what, fields);
    }
    throw source.mark().refuse(what + " is a mapping of names to values, not " + source.kind());
  }

  /** Refuses names that are none of these. */
  void allow(String... names) {
    List<String> allowed = Arrays.asList(names);
    for (Field field : source.fields().values()) {
      if (!allowed.contains(field.name())) {
        throw field
            .mark()
            .refuse(
                "'"
                    + Source.cut(field.name())
                    + "' is not a field of "
                    + what
                    + ", which has "
                    + String.join(", ", allowed));
      }
    }
  }

  Collection<Field> all() {
    return source.fields().values();
  }

  /** The one field there is. */
  Field only(String otherwise) {
    if (source.fields().size() != 1) {
      Mark mark =
          source.fields().values().stream()
              .skip(1)
              .findFirst()
              .map(Field::mark)
              .orElse(source.mark());
      throw mark.refuse(otherwise);
    }
    return source.fields().values().iterator().next();
  }

  boolean has(String name) {
    return source.fields().containsKey(name);
  }

  ValueReader required(String name) {
    ValueReader value = optional(name);
    if (value == null) {
      throw source.mark().refuse(what + " needs '" + name + "'");
    }
    return value;
  }

  @Nullable ValueReader optional(String name) {
    Field field = source.fields().get(name);
    return field == null ? null : new ValueReader(name, field.value());
  }

  /**
   * @param otherwise for a field that is left out; null if it may not be
   */
  long number(String name, long least, long most, @Nullable Long otherwise) {
    if (!has(name) && otherwise != null) {
      return otherwise;
    }
    return required(name).number(least, most);
  }

  /** The same for numbers that fit into an int. */
  int whole(String name, int least, int most, @Nullable Integer otherwise) {
    return (int) number(name, least, most, otherwise == null ? null : Long.valueOf(otherwise));
  }

  /**
   * What this supplier makes of the fields; its refusal gets the place of the field that its
   * sentence begins with, or else of the mapping.
   */
  <T> T checked(Supplier<T> made) {
    try {
      return made.get();
    } catch (ScenarioRefused e) {
      throw e;
    } catch (IllegalArgumentException e) {
      String sentence = String.valueOf(e.getMessage());
      Matcher word = FIRST_WORD.matcher(sentence);
      Field blamed = word.find() ? source.fields().get(word.group(1)) : null;
      throw (blamed == null ? source.mark() : blamed.value().mark()).refuse(sentence);
    }
  }

  ScenarioRefused refuse(String reason) {
    return source.mark().refuse(reason);
  }
}
