package dev.deliverylab.guarantee;

import java.util.List;

/** All guarantees, in the order in which the pages show them. */
public final class Guarantees {

  private static final List<Guarantee> ALL =
      List.of(
          new AtMostOnce(),
          new AtLeastOnce(),
          new AutoCommit(),
          new AutoCommitHandoff(),
          new Transactional(),
          new IdempotentKey(),
          new InsertIgnore(),
          new DedupOnRead(),
          new RandomKey(),
          new IncrementInPlace());

  private Guarantees() {}

  public static List<Guarantee> all() {
    return ALL;
  }

  /** The guarantee of this name; there must be one. */
  public static Guarantee named(String name) {
    return ALL.stream().filter(each -> each.rule().name().equals(name)).findFirst().orElseThrow();
  }

  public static List<String> names() {
    return ALL.stream().map(guarantee -> guarantee.rule().name()).toList();
  }
}
