package dev.deliverylab.check;

import dev.deliverylab.log.Truth;
import java.math.BigInteger;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The counted blocks of one lane and their sum. The blocks are what is known; the sum and the two
 * lists of ids are derived from them and kept so that nobody has to walk all blocks to answer.
 */
final class Blocks {

  private final TreeMap<Integer, BlockCount> counted = new TreeMap<>();
  private Tally total = Tally.ZERO;
  private final Listed lost = new Listed(BlockCount::lost);
  private final Listed doubled = new Listed(BlockCount::doubled);

  Tally total() {
    return total;
  }

  BlockCount get(int block) {
    return counted.getOrDefault(block, BlockCount.EMPTY);
  }

  Collection<Integer> numbers() {
    return counted.keySet();
  }

  void put(int block, BlockCount count, List<Truth.Entry> entries) {
    total = total.minus(get(block).tally()).plus(count.tally());
    counted.put(block, count);
    lost.replace(block, count, entries);
    doubled.replace(block, count, entries);
  }

  /** Derives the sum anew, after it was found to have drifted from the blocks. */
  void addUp() {
    total = counted.values().stream().map(BlockCount::tally).reduce(Tally.ZERO, Tally::plus);
  }

  List<BigInteger> lost(Truth truth) {
    return lost.ids(total.lost(), truth);
  }

  List<BigInteger> doubled(Truth truth) {
    return doubled.ids(total.doubled(), truth);
  }

  /** The first ids, in log order, whose bit is set. */
  private final class Listed {

    private final Function<BlockCount, BitSet> bits;
    private final TreeMap<Long, Id> byOrdinal = new TreeMap<>();

    /**
     * The highest ordinal that the list speaks for, once something had to be left out; null while
     * it is complete.
     */
    private @Nullable Long cutAt;

    Listed(Function<BlockCount, BitSet> bits) {
      this.bits = bits;
    }

    void replace(int block, BlockCount count, List<Truth.Entry> entries) {
      byOrdinal.values().removeIf(id -> id.block() == block);
      add(block, count, entries);
    }

    private void add(int block, BlockCount count, List<Truth.Entry> entries) {
      if (bits.apply(count).isEmpty()) {
        return;
      }
      for (var entry : entries) {
        // Beyond the cut there may be others that were left out, so nothing from there may come in
        // before them.
        if (bits.apply(count).get(BlockCount.bit(entry))
            && (cutAt == null || entry.ordinal() <= cutAt)) {
          byOrdinal.put(entry.ordinal(), new Id(block, entry.record().order().orderId()));
        }
      }
      while (byOrdinal.size() > Count.IDS) {
        byOrdinal.pollLastEntry();
        cutAt = byOrdinal.lastKey();
      }
    }

    List<BigInteger> ids(long all, Truth truth) {
      if (byOrdinal.size() < Math.min(all, Count.IDS)) {
        refill(truth);
      }
      return byOrdinal.values().stream().map(Id::orderId).toList();
    }

    /**
     * Rare: listed orders left the list (a rewind makes lost ones pending) and others were cut off
     * before.
     */
    private void refill(Truth truth) {
      byOrdinal.clear();
      cutAt = null;
      for (var block : counted.entrySet()) {
        if (byOrdinal.size() >= Count.IDS) {
          cutAt = byOrdinal.lastKey();
          return;
        }
        if (!bits.apply(block.getValue()).isEmpty()) {
          add(block.getKey(), block.getValue(), truth.block(block.getKey()));
        }
      }
    }
  }

  private record Id(int block, BigInteger orderId) {}
}
