package dev.deliverylab.check;

import dev.deliverylab.guarantee.Promise;
import dev.deliverylab.log.Truth;
import dev.deliverylab.sink.Shape;
import dev.deliverylab.sink.SinkRow;
import dev.deliverylab.sink.SinkTable;
import dev.deliverylab.sink.SinkUnreachable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The count of one lane, kept up to date block by block. A refresh recounts the blocks that
 * something happened to since the last one: a row was written, the truth grew, progress moved
 * (either way), a record came into or left the lane's hands. What it costs depends on what is new
 * and not on how long the experiment has run.
 *
 * <p>Belongs to one lane of one experiment; safe for several threads, which wait for each other.
 * {@link #latest} never waits.
 */
public final class RunningCount {

  private static final int MAX_STRAYS = 1_000;

  private final Promise promise;
  private final Truth truth;
  private final SinkTable sink;
  private final Shape shape;
  private final Budget budget;

  // What is known, as of the evidence in the next group.
  final Blocks blocks = new Blocks();
  private final Map<BigInteger, Tally> strays = new HashMap<>();
  private Tally strayTotal = Tally.ZERO;
  private boolean tooManyStrays;
  private @Nullable Balance balance;

  // The evidence that was looked at, and the blocks it made stale that are not recounted yet.
  private long seenChange;
  private Map<Integer, Long> truthPositions = Map.of();
  private volatile Reach reach = Reach.START;
  private final TreeSet<Integer> stale = new TreeSet<>();
  private final Set<Integer> written = new HashSet<>();

  private @Nullable String disagreement;
  private @Nullable BigInteger firstDoubled;
  private NewlyDoubled newlyDoubled = new NewlyDoubled();
  private volatile Count latest;

  /**
   * How much one refresh may read, so that it never takes long; and how long it may wait for the
   * truth.
   */
  public record Budget(int changes, int blocks, Duration truthWait) {

    /** Some tenths of a second on a laptop, at the most. */
    public static final Budget DEFAULT = new Budget(10_000, 64, Duration.ofMillis(500));

    public Budget {
      if (changes < 1 || blocks < 1) {
        throw new IllegalArgumentException("a refresh reads at least one change and one block");
      }
    }
  }

  /**
   * A running balance.
   *
   * @param still whether nothing moved while it was read
   */
  private record Balance(long accounts, BigDecimal total, boolean still) {}

  public RunningCount(Promise promise, Truth truth, SinkTable sink) {
    this(promise, truth, sink, Budget.DEFAULT);
  }

  public RunningCount(Promise promise, Truth truth, SinkTable sink, Budget budget) {
    this.promise = promise;
    this.truth = truth;
    this.sink = sink;
    this.shape = sink.shape();
    this.budget = budget;
    this.latest = unknown(Tally.ZERO, new TruthSummary(0, Tally.NO_MONEY), "Not counted yet.");
  }

  /** The last answer, at once. */
  public Count latest() {
    return latest;
  }

  /**
   * Brings the count up to date, or one slice nearer to it ({@link Count#more}).
   *
   * @param positions the next offset after a restart, by partition, read before this call
   * @param inHand what the living lane has in hand; asked once, now
   * @param rewound whether the lane's progress was ever moved back on purpose: it changes words,
   *     not answers
   */
  public synchronized Count refresh(
      Map<Integer, Long> positions, Supplier<InHand> inHand, boolean rewound) {
    return told(slice(positions, inHand, rewound));
  }

  /** Newly doubled orders are told once, and not forgotten over a failure in between. */
  private Count told(Count count) {
    if (count.sink() != null) {
      newlyDoubled = new NewlyDoubled();
    }
    return count;
  }

  private Count slice(Map<Integer, Long> positions, Supplier<InHand> inHand, boolean rewound) {
    try {
      latest = counted(positions, inHand, rewound);
    } catch (SinkUnreachable e) {
      latest = unknown(total(), latest.truth(), "The sink cannot be read: " + e.getMessage() + ".");
    } catch (RuntimeException e) {
      latest = unknown(total(), latest.truth(), "The count failed: " + e.getMessage() + ".");
    }
    return latest;
  }

  /** No count without evidence: for a caller that could not read the lane's progress. */
  public synchronized Count unreadable(String why) {
    latest = unknown(total(), latest.truth(), why);
    return latest;
  }

  private Count counted(Map<Integer, Long> positions, Supplier<InHand> inHand, boolean rewound) {
    // The order is what makes "lost" a safe word. Progress first, then the hands, then the sink: an
    // order that progress
    // has passed and that is in no hand has been finished before the sink is read, so its effect is
    // there to be seen, or
    // it never will be. Read the other way round, an effect that lands in between would be missed
    // and called lost. What
    // is stale from an earlier refresh is recounted with the evidence of this one.
    var now = new Reach(positions, inHand.get());
    var changes =
        shape == Shape.BALANCE
            ? List.<SinkRow>of()
            : sink.changedAfter(seenChange, budget.changes());
    // The truth must have met whatever the evidence speaks of; its own totals are read after that.
    var covered = truth.await(cover(now, changes), budget.truthWait());
    var totals = truth.totals();
    markMoved(now, totals.positions());
    var waiting = markWritten(changes, totals.positions());
    truthPositions = Map.copyOf(totals.positions());
    reach = now;
    for (int i = 0; i < budget.blocks() && !stale.isEmpty(); i++) {
      recountBlock(stale.first());
    }
    if (firstDoubled == null) {
      firstDoubled = newlyDoubled.first();
    }
    if (shape == Shape.BALANCE) {
      balance = readBalance(inHand);
    }
    var more = !stale.isEmpty() || changes.size() >= budget.changes();
    return answer(totals, !covered || waiting, more, rewound);
  }

  private static Map<Integer, Long> cover(Reach reach, List<SinkRow> changes) {
    var needed = new HashMap<>(reach.positions());
    for (int partition : reach.inHand().partitions()) {
      needed.merge(partition, reach.inHand().offsetsOf(partition).last() + 1, Math::max);
    }
    for (var row : changes) {
      needed.merge(row.partition(), row.offset() + 1, Math::max);
    }
    return needed;
  }

  /**
   * Marks what is stale because the truth grew, progress moved, or a record came into hand or left
   * it.
   */
  private void markMoved(Reach now, Map<Integer, Long> grown) {
    for (var end : grown.entrySet()) {
      markRange(end.getKey(), truthPositions.getOrDefault(end.getKey(), 0L), end.getValue());
    }
    var partitions = new HashSet<>(reach.positions().keySet());
    partitions.addAll(now.positions().keySet());
    for (int partition : partitions) {
      long before = reach.positions().getOrDefault(partition, 0L);
      long after = now.positions().getOrDefault(partition, 0L);
      markRange(partition, Math.min(before, after), Math.max(before, after));
    }
    markHands(reach.inHand(), now.inHand());
    markHands(now.inHand(), reach.inHand());
  }

  /**
   * Offsets that one side has in hand and the other has not, run by run: a batch is one question,
   * not hundreds.
   */
  private void markHands(InHand one, InHand other) {
    for (int partition : one.partitions()) {
      long from = -1;
      long to = -1;
      for (long offset : one.offsetsOf(partition)) {
        if (other.holds(partition, offset)) {
          continue;
        }
        if (offset != to) {
          markRange(partition, from, to);
          from = offset;
        }
        to = offset + 1;
      }
      markRange(partition, from, to);
    }
  }

  private void markRange(int partition, long from, long to) {
    if (from < to) {
      stale.addAll(truth.blocksIn(partition, from, to));
    }
  }

  /**
   * Marks the blocks of changed rows and moves {@code seenChange} behind them. It stops before a
   * row of an order that the truth has not met yet, and says so: that row is left for the next
   * refresh.
   */
  private boolean markWritten(List<SinkRow> changes, Map<Integer, Long> met) {
    if (changes.isEmpty()) {
      return false;
    }
    var known = truth.blocksOf(idsOf(changes));
    var unknown = new LinkedHashSet<BigInteger>();
    var upTo = seenChange;
    var waiting = false;
    for (var row : changes) {
      var block = known.get(row.orderId());
      if (block != null) {
        stale.add(block);
        written.add(block);
      } else if (row.offset() < met.getOrDefault(row.partition(), 0L)) {
        unknown.add(row.orderId());
      } else {
        waiting = true;
        break;
      }
      upTo = row.change();
    }
    if (!unknown.isEmpty()) {
      keepStrays(unknown);
    }
    seenChange = upTo;
    return waiting;
  }

  private void keepStrays(Collection<BigInteger> ids) {
    for (var order : BlockCount.byOrder(sink.rowsOf(ids)).entrySet()) {
      if (strays.size() >= MAX_STRAYS && !strays.containsKey(order.getKey())) {
        tooManyStrays = true;
        continue;
      }
      var tally = Fate.stray(shape, order.getValue()).tally();
      var before = strays.put(order.getKey(), tally);
      strayTotal = strayTotal.minus(before == null ? Tally.ZERO : before).plus(tally);
    }
  }

  private void recountBlock(int block) {
    var all = truth.block(block);
    var entries = met(all);
    var ids = idsIn(entries);
    var rows = needsRows(block, entries, ids) ? rowsOf(ids) : List.<SinkRow>of();
    var count = BlockCount.of(shape, entries, rows, reach);
    newlyDoubled.note(blocks.get(block), count, entries, rows);
    blocks.put(block, count, entries);
    forgetStrays(ids);
    stale.remove(block);
    if (entries.size() == all.size()) {
      // Otherwise the change may have been about an order that was left out just now: its rows are
      // asked for again.
      written.remove(block);
    }
  }

  /**
   * Entries the truth met by the positions of this refresh. It may have met more meanwhile; those
   * come with the next one, so that the sum of all blocks is always the truth at one moment.
   */
  private List<Truth.Entry> met(List<Truth.Entry> entries) {
    return entries.stream()
        .filter(e -> e.record().offset() < truthPositions.getOrDefault(e.record().partition(), 0L))
        .toList();
  }

  /**
   * A block that had no rows, was not written to, and lies ahead altogether cannot have any: it is
   * not asked for.
   */
  private boolean needsRows(int block, List<Truth.Entry> entries, Set<BigInteger> ids) {
    return blocks.get(block).tally().rows() > 0
        || written.contains(block)
        || strays.keySet().stream().anyMatch(ids::contains)
        || !entries.stream().allMatch(e -> reach.ahead(e.record()));
  }

  private List<SinkRow> rowsOf(Set<BigInteger> ids) {
    return shape == Shape.BALANCE || ids.isEmpty() ? List.of() : sink.rowsOf(ids);
  }

  /** An order that was a stray is one no longer when the truth meets it after all. */
  private void forgetStrays(Set<BigInteger> ids) {
    if (strays.isEmpty()) {
      return;
    }
    for (var id : ids) {
      var tally = strays.remove(id);
      if (tally != null) {
        strayTotal = strayTotal.minus(tally);
      }
    }
  }

  /**
   * A balance has no rows to match with orders, so an order applied before the truth has met it
   * looks like an error. A difference therefore counts only when nothing moved while the balance
   * was read.
   */
  private Balance readBalance(Supplier<InHand> inHand) {
    var first = sum(sink.balances());
    var hands = inHand.get();
    var met = truth.totals().positions();
    var balances = sink.balances();
    var still =
        hands.equals(InHand.NOTHING)
            && reach.inHand().equals(hands)
            && met.equals(truthPositions)
            && sum(balances).compareTo(first) == 0;
    return new Balance(balances.size(), sum(balances), still);
  }

  private static BigDecimal sum(Map<String, BigDecimal> balances) {
    return balances.values().stream().reduce(Tally.NO_MONEY, BigDecimal::add);
  }

  private Tally total() {
    return blocks.total().plus(strayTotal);
  }

  private Count answer(Truth.Totals totals, boolean behind, boolean more, boolean rewound) {
    var tally = total();
    var lost = blocks.lost(truth);
    var doubled = blocks.doubled(truth);
    var summary = summary(tally);
    var read = summary.view() == null ? summary.total() : summary.view().total();
    var verdict =
        Optional.ofNullable(doubt(totals, tally, behind, more))
            .map(why -> Judgement.unknown(promise, why))
            .orElseGet(
                () -> new Judgement(promise, shape, tally, read, lost, doubled, rewound).verdict());
    if (tooManyStrays) {
      verdict =
          new Verdict(
              promise.sentence(),
              null,
              false,
              "More than "
                  + MAX_STRAYS
                  + " orders in the sink are not in the log; they were not all counted.");
    }
    var rows = shape != Shape.BALANCE;
    return new Count(
        tally,
        tally.counts(shape),
        rows ? new Kinds(tally.reRead(), tally.reSent(), tally.conflict()) : null,
        summary,
        new TruthSummary(totals.orders(), totals.total()),
        rows ? tally.recognised() : null,
        verdict,
        lost,
        doubled,
        Optional.ofNullable(firstDoubled),
        newlyDoubled.count(),
        more);
  }

  private SinkSummary summary(Tally tally) {
    if (balance != null) {
      return new SinkSummary(balance.accounts(), null, balance.total(), null);
    }
    var view =
        shape == Shape.DEDUPLICATED_ON_READ
            ? new ViewSummary(tally.viewRows(), tally.viewTotal())
            : null;
    return new SinkSummary(tally.rows(), tally.distinct(), tally.total(), view);
  }

  /** Why no verdict can be given, or null. */
  private @Nullable String doubt(Truth.Totals totals, Tally tally, boolean behind, boolean more) {
    if (disagreement != null) {
      return "A recount did not agree with the running count: " + disagreement + ".";
    }
    if (behind) {
      return "The truth is still reading the log.";
    }
    if (more) {
      return "Counting: " + stale.size() + " blocks of orders are still to be looked at.";
    }
    if (tally.orders() != totals.orders() || tally.truthTotal().compareTo(totals.total()) != 0) {
      return "The count met %d orders and %s, the truth says %d and %s."
          .formatted(tally.orders(), tally.truthTotal(), totals.orders(), totals.total());
    }
    if (balance != null
        && !balance.still()
        && tally.pending() == 0
        && balance.total().compareTo(tally.truthTotal()) != 0) {
      return "The balance moved while it was read.";
    }
    return null;
  }

  private Count unknown(Tally tally, TruthSummary truth, String why) {
    return new Count(
        tally,
        new Counts(null, null, null),
        null,
        null,
        truth,
        null,
        Judgement.unknown(promise, why),
        List.of(),
        List.of(),
        Optional.ofNullable(firstDoubled),
        0,
        !stale.isEmpty());
  }

  private static Set<BigInteger> idsOf(List<SinkRow> rows) {
    var ids = new LinkedHashSet<BigInteger>();
    rows.forEach(row -> ids.add(row.orderId()));
    return ids;
  }

  private static Set<BigInteger> idsIn(List<Truth.Entry> entries) {
    var ids = new LinkedHashSet<BigInteger>();
    entries.forEach(entry -> ids.add(entry.record().order().orderId()));
    return ids;
  }

  /**
   * Counts everything again from nothing, block by block, and compares. The running count then
   * takes over what the recount found, but after a difference its verdict stays unknown until a
   * recount agrees. Takes as long as the experiment is large, and refreshes of this lane wait
   * meanwhile.
   */
  public synchronized Recount recount(
      Map<Integer, Long> positions, Supplier<InHand> inHand, boolean rewound) {
    var before = disagreement;
    try {
      var count = catchUp(positions, inHand, rewound);
      if (count.sink() == null || count.more()) {
        return new Recount(null, "No recount could be made: " + count.verdict().why(), count);
      }
      var differences = fromNothing();
      disagreement =
          differences.isEmpty()
              ? null
              : String.join("; ", differences.subList(0, Math.min(3, differences.size())));
      // What differed is stale now, so this takes it over.
      count = told(catchUp(positions, inHand, rewound));
      var words =
          disagreement == null
              ? "The recount of %d orders agrees.".formatted(count.tally().orders())
              : "The recount differs: " + disagreement + ".";
      return new Recount(disagreement == null, words, count);
    } catch (RuntimeException e) {
      disagreement = before;
      var count = unreadable("The recount failed: " + e.getMessage() + ".");
      return new Recount(null, "No recount could be made: " + e.getMessage() + ".", count);
    }
  }

  private Count catchUp(Map<Integer, Long> positions, Supplier<InHand> inHand, boolean rewound) {
    var count = slice(positions, inHand, rewound);
    // A lane that writes faster than this reads would keep it here for ever.
    for (int slices = 0; count.more() && count.sink() != null && slices < 100_000; slices++) {
      count = slice(positions, inHand, rewound);
    }
    return count;
  }

  /** Recounts every block and every stray, marks as stale what differs, and says what did. */
  private List<String> fromNothing() {
    var all = new TreeSet<Integer>();
    truthPositions.forEach((partition, end) -> all.addAll(truth.blocksIn(partition, 0, end)));
    all.addAll(blocks.numbers());
    var differing = new TreeMap<Integer, Tally>();
    var total = Tally.ZERO;
    for (int block : all) {
      var entries = met(truth.block(block));
      var fresh = BlockCount.of(shape, entries, rowsOf(idsIn(entries)), reach);
      total = total.plus(blocks.get(block).tally());
      if (!fresh.equals(blocks.get(block))) {
        differing.put(block, fresh.tally());
      }
    }
    var differences = new ArrayList<String>();
    if (!total.equals(blocks.total())) {
      differences.add(describe("the sum of all blocks", blocks.total(), total));
      blocks.addUp();
    }
    var swept = shape == Shape.BALANCE ? Swept.NOTHING : sweep();
    // What was written while this was running is no difference. What the sink changed without
    // saying so is one.
    var moved = new HashSet<Integer>();
    var movedIds = new HashSet<BigInteger>();
    collectMoved(moved, movedIds);
    differing.forEach(
        (block, fresh) -> {
          if (!moved.contains(block)) {
            differences.add(describe("block " + block, blocks.get(block).tally(), fresh));
            stale.add(block);
            written.add(block);
          }
        });
    differences.addAll(compareStrays(swept.strays(), movedIds));
    var still = movedIds.isEmpty() && truth.totals().positions().equals(truthPositions);
    var rows = total().rows();
    if (shape != Shape.BALANCE
        && still
        && differences.isEmpty()
        && !tooManyStrays
        && swept.rows() != rows) {
      differences.add("the sink holds %d rows and %d were counted".formatted(swept.rows(), rows));
    }
    return differences;
  }

  private List<String> compareStrays(Map<BigInteger, Tally> found, Set<BigInteger> moved) {
    var differences = new ArrayList<String>();
    var ids = new HashSet<>(found.keySet());
    ids.addAll(strays.keySet());
    ids.removeAll(moved);
    for (var id : ids) {
      var was = strays.getOrDefault(id, Tally.ZERO);
      var is = found.getOrDefault(id, Tally.ZERO);
      if (!was.equals(is) && !tooManyStrays) {
        differences.add(describe("order " + id + ", which is not in the log,", was, is));
        strays.put(id, is);
        strays.values().remove(Tally.ZERO);
        strayTotal = strayTotal.minus(was).plus(is);
      }
    }
    return differences;
  }

  private void collectMoved(Set<Integer> moved, Set<BigInteger> movedIds) {
    if (shape == Shape.BALANCE) {
      return;
    }
    var change = seenChange;
    var rows = sink.changedAfter(change, budget.changes());
    while (!rows.isEmpty()) {
      moved.addAll(truth.blocksOf(idsOf(rows)).values());
      movedIds.addAll(idsOf(rows));
      change = rows.get(rows.size() - 1).change();
      rows = sink.changedAfter(change, budget.changes());
    }
  }

  /** What a walk over the whole sink found. */
  private record Swept(long rows, Map<BigInteger, Tally> strays) {
    static final Swept NOTHING = new Swept(0, Map.of());
  }

  /**
   * Walks the sink by row number, which is another way in than the changes that the refresh
   * follows.
   */
  private Swept sweep() {
    var count = 0L;
    var ids = new LinkedHashSet<BigInteger>();
    var rows = sink.page(0, budget.changes(), false);
    while (!rows.isEmpty()) {
      count += rows.size();
      var known = truth.blocksOf(idsOf(rows)).keySet();
      for (var row : rows) {
        if (!known.contains(row.orderId())
            && ids.size() <= MAX_STRAYS
            && row.offset() < truthPositions.getOrDefault(row.partition(), 0L)) {
          ids.add(row.orderId());
        }
      }
      rows = sink.page(rows.get(rows.size() - 1).row(), budget.changes(), false);
    }
    var found = new HashMap<BigInteger, Tally>();
    if (!ids.isEmpty()) {
      BlockCount.byOrder(sink.rowsOf(ids))
          .forEach((id, its) -> found.put(id, Fate.stray(shape, its).tally()));
    }
    return new Swept(count, found);
  }

  private static String describe(String where, Tally running, Tally fresh) {
    return "%s was counted as %s and is %s".formatted(where, brief(running), brief(fresh));
  }

  private static String brief(Tally tally) {
    return "%d orders with %d rows, %s, %d lost, %d pending"
        .formatted(tally.orders(), tally.rows(), tally.total(), tally.lost(), tally.pending());
  }

  /**
   * Cells for a window of the log, one a record and in the order given: each shows what became of
   * the record's order. By the progress that the last refresh saw.
   */
  public List<Cell> cells(List<Truth.Entry> window) {
    var by = reach;
    var rowsOf = BlockCount.byOrder(rowsOf(idsIn(window)));
    var records = BlockCount.recordsByOrder(window);
    fillIn(records, rowsOf, by);
    var cells = new ArrayList<Cell>(window.size());
    for (var entry : window) {
      var id = entry.record().order().orderId();
      var its = records.getOrDefault(id, List.of(entry));
      cells.add(cell(entry, Fate.of(shape, its, rowsOf.getOrDefault(id, List.of()), by), by));
    }
    return cells;
  }

  /**
   * A window may show an order without its first record, or without the copy that would still save
   * it; the blocks of such orders are read to have all their records.
   */
  private void fillIn(
      Map<BigInteger, List<Truth.Entry>> records, Map<BigInteger, List<SinkRow>> rowsOf, Reach by) {
    var wanted = new TreeSet<Integer>();
    records.forEach(
        (id, its) -> {
          var first = its.stream().anyMatch(e -> e.kind() == Truth.Kind.FIRST);
          var settled =
              rowsOf.containsKey(id)
                  || shape == Shape.BALANCE
                  || its.stream().anyMatch(e -> by.mayStillApply(e.record()));
          if (!first || !settled) {
            wanted.add(its.get(0).block());
          }
        });
    for (int block : wanted) {
      BlockCount.recordsByOrder(truth.block(block)).forEach((id, its) -> records.replace(id, its));
    }
  }

  private static Cell cell(Truth.Entry entry, Fate fate, Reach by) {
    var record = entry.record();
    return new Cell(
        record.order().orderId(),
        record.partition(),
        record.offset(),
        fate.times(),
        fate.hidden(),
        !by.ahead(record),
        fate.outcome());
  }

  /** One order in this lane; empty when the truth does not know it. */
  public Optional<OrderInLane> where(BigInteger orderId) {
    var records = truth.entriesOf(orderId);
    if (records.isEmpty()) {
      return Optional.empty();
    }
    var by = reach;
    var rows = rowsOf(Set.of(orderId));
    var fate = Fate.of(shape, records, rows, by);
    var shown = rows.stream().max(Fate.IN_VIEW).orElse(null);
    var effects =
        rows.stream()
            .map(row -> new OrderInLane.Effect(row, fate.hidden() > 0 && !row.equals(shown)))
            .toList();
    return Optional.of(new OrderInLane(cell(records.get(0), fate, by), effects));
  }
}
