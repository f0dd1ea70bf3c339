package dev.deliverylab.scenario;

import java.util.List;
import java.util.Map;

/**
 * A scenario's source as a tree that knows where each part stands. Numbers are still the characters
 * that somebody typed: nothing has passed through a double.
 */
sealed interface Source {

  Mark mark();

  /** What it is, for sentences. */
  String kind();

  /** What somebody typed, short enough for a sentence. */
  static String cut(String typed) {
    return typed.length() <= 40 ? typed : typed.substring(0, 40) + "…";
  }

  /** One word, number, truth value or null. */
  record Scalar(Mark mark, Written type, String text) implements Source {

    @Override
    public String kind() {
      return type == Written.NULL ? "null" : "'" + Source.cut(text) + "'";
    }

    boolean isNull() {
      return type == Written.NULL;
    }
  }

  /** How a scalar was written. */
  enum Written {
    TEXT,
    NUMBER,
    TRUTH,
    NULL
  }

  /** A list. */
  record Items(Mark mark, List<Source> items) implements Source {

    @Override
    public String kind() {
      return "a list";
    }
  }

  /** Named values, in the order of the source. */
  record Fields(Mark mark, Map<String, Field> fields) implements Source {

    @Override
    public String kind() {
      return "a mapping";
    }
  }

  /**
   * @param mark where the name stands
   */
  record Field(Mark mark, String name, Source value) {}
}
