package dev.deliverylab.check;

import dev.deliverylab.guarantee.Promise;
import dev.deliverylab.sink.Shape;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts in, verdict out.
 *
 * @param total what the lane's readers read
 * @param lost and {@code doubled}: the first ids of each
 * @param rewound whether the lane's progress was moved back on purpose
 */
record Judgement(
    Promise promise,
    Shape shape,
    Tally tally,
    BigDecimal total,
    List<BigInteger> lost,
    List<BigInteger> doubled,
    boolean rewound) {

  private static final int IDS_IN_A_SENTENCE = 3;

  /** Evidence is missing or a check failed: never a guess, and never green. */
  static Verdict unknown(Promise promise, String why) {
    return new Verdict(promise.sentence(), null, null, why);
  }

  Verdict verdict() {
    return shape == Shape.BALANCE ? ofBalance() : ofRows();
  }

  private Verdict ofRows() {
    var wrong =
        tally.lost() > 0
            || tally.duplicates() > 0
            || tally.conflict() > 0
            || tally.changed() > 0
            || tally.strays() > 0
            || (tally.pending() == 0 && !sumsAgree());
    // Boxed by hand: a conditional with null in it would unbox.
    @Nullable Boolean right = wrong ? Boolean.FALSE : tally.pending() > 0 ? null : Boolean.TRUE;
    return new Verdict(promise.sentence(), !brokenByLoss() && !brokenByDuplicate(), right, why());
  }

  private boolean brokenByLoss() {
    return promise.brokenByLoss() && tally.lost() > 0;
  }

  private boolean brokenByDuplicate() {
    return promise.brokenByDuplicate() && tally.duplicates() > 0;
  }

  private boolean sumsAgree() {
    return total.compareTo(tally.truthTotal()) == 0;
  }

  private String why() {
    var facts = new ArrayList<String>();
    if (tally.lost() > 0) {
      facts.add(orders(tally.lost()) + " lost" + ids(lost, tally.lost()));
    }
    if (tally.duplicates() > 0) {
      var once = tally.duplicates() == tally.doubled();
      facts.add(
          orders(tally.doubled())
              + " applied "
              + (once ? "twice" : "more than once")
              + ids(doubled, tally.doubled()));
    }
    if (tally.changed() > 0) {
      facts.add("the sink kept other content than the first for " + orders(tally.changed()));
    }
    if (tally.conflict() > 0 && tally.changed() == 0) {
      facts.add(tally.conflict() + " of the extra rows in conflict with the first");
    }
    if (tally.strays() > 0) {
      facts.add(
          tally.strays() == 1
              ? "1 row belongs to an order that is not in the log"
              : tally.strays() + " rows belong to orders that are not in the log");
    }
    if (tally.pending() > 0) {
      facts.add(orders(tally.pending()) + " may still come");
    } else if (!sumsAgree()) {
      facts.add("the total is " + total + " instead of " + tally.truthTotal());
    } else if (!facts.isEmpty()) {
      facts.add("the total " + total + " agrees by chance");
    }
    if (facts.isEmpty()) {
      facts.add(allWell());
    }
    if (shape == Shape.DEDUPLICATED_ON_READ && tally.rows() > tally.viewRows()) {
      facts.add(
          "the raw table holds %d rows and %s, the view shows %d and %s"
              .formatted(tally.rows(), tally.total(), tally.viewRows(), tally.viewTotal()));
    }
    if (rewound && brokenByDuplicate() && !brokenByLoss()) {
      facts.add("this promise never covered a rewind, and the lane was rewound");
    }
    return sentence(facts);
  }

  private String allWell() {
    if (tally.orders() == 0) {
      return "the log is empty and so is the sink";
    }
    return tally.orders() == 1
        ? "the one order is there once, and the total is " + total
        : "all " + tally.orders() + " orders are there once, and the total is " + total;
  }

  private Verdict ofBalance() {
    var blind = "a balance cannot show single orders";
    if (tally.pending() > 0) {
      var why = sentence(List.of(orders(tally.pending()) + " may still come", blind));
      return new Verdict(promise.sentence(), null, null, why);
    }
    var right = sumsAgree();
    // A sum that agrees may do so by chance: one order lost and another doubled, or two accounts.
    @Nullable Boolean kept = right ? null : Boolean.FALSE;
    var why =
        right
            ? "the balance, " + total + " over all accounts, equals the truth"
            : "the balance is " + total + " instead of " + tally.truthTotal();
    return new Verdict(promise.sentence(), kept, right, sentence(List.of(why, blind)));
  }

  private static String orders(long count) {
    return count == 1 ? "1 order" : count + " orders";
  }

  private static String ids(List<BigInteger> ids, long all) {
    if (ids.isEmpty()) {
      return "";
    }
    var named =
        ids.stream()
            .limit(IDS_IN_A_SENTENCE)
            .map(BigInteger::toString)
            .collect(Collectors.joining(", ", ": ", ""));
    var rest = all - Math.min(ids.size(), IDS_IN_A_SENTENCE);
    return rest > 0 ? named + " and " + rest + " more" : named;
  }

  private static String sentence(List<String> facts) {
    var joined = String.join("; ", facts);
    return joined.substring(0, 1).toUpperCase(Locale.ROOT) + joined.substring(1) + ".";
  }
}
