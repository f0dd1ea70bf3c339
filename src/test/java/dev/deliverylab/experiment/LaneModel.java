package dev.deliverylab.experiment;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a lane must have left behind, told a second time: a log of one partition, batches of one
 * size, and a crash in a gap. It knows no broker, no database, no thread and no class of the lab;
 * each loop is written down here by hand, with what each of its steps leaves durable.
 */
final class LaneModel {

  /** What a step has left behind, for good, the moment it is done. */
  enum Leaves {
    NOTHING,
    /** One more row (or one more amount in a balance). */
    ROW,
    /** The order's row, written anew if it is there. */
    ROW_LAST_WINS,
    /** The order's row, which only counts the meeting if it is there. */
    ROW_FIRST_WINS,
    /** The position behind the batch. */
    POSITION,
    /** One more row, as long as the transaction is kept in the end. */
    ROW_IF_KEPT,
    /** All rows that waited for it, and the position behind the batch. */
    ROWS_AND_POSITION
  }

  private record Line(String step, boolean eachRecord, Leaves leaves) {}

  private static Line once(String step, Leaves leaves) {
    return new Line(step, false, leaves);
  }

  private static Line each(String step, Leaves leaves) {
    return new Line(step, true, leaves);
  }

  private static final Line POLL = once("poll", Leaves.NOTHING);

  private static List<Line> effectsThenCommit(Leaves effect) {
    return List.of(POLL, each("effect", effect), once("commit", Leaves.POSITION));
  }

  private static final Map<String, List<Line>> LOOPS =
      new TreeMap<>(
          Map.of(
              "at-most-once",
              List.of(POLL, once("commit", Leaves.POSITION), each("effect", Leaves.ROW)),
              "at-least-once",
              effectsThenCommit(Leaves.ROW),
              "transactional",
              List.of(
                  POLL,
                  once("begin", Leaves.NOTHING),
                  each("effect", Leaves.ROW_IF_KEPT),
                  once("store-offset", Leaves.NOTHING),
                  once("commit-tx", Leaves.ROWS_AND_POSITION)),
              "idempotent-key",
              effectsThenCommit(Leaves.ROW_LAST_WINS),
              "insert-ignore",
              effectsThenCommit(Leaves.ROW_FIRST_WINS),
              "dedup-on-read",
              effectsThenCommit(Leaves.ROW),
              "random-key",
              effectsThenCommit(Leaves.ROW),
              "increment-in-place",
              effectsThenCommit(Leaves.ROW),
              // No line of these two moves the position: their client does, see below.
              "auto-commit",
              List.of(POLL, each("effect", Leaves.ROW)),
              "auto-commit-handoff",
              List.of(POLL, once("hand-over", Leaves.NOTHING), each("effect", Leaves.ROW))));

  /**
   * One row of a sink, or one amount added to a balance.
   *
   * @param life the life that wrote its content
   * @param writes how often its order came by
   */
  record Row(int partition, long offset, int life, int writes) {}

  /**
   * What survives a life.
   *
   * @param rows in the order in which they were first written
   * @param progress the next offset after a restart; null if none was ever kept
   */
  record State(List<Row> rows, @Nullable Long progress) {

    static final State EMPTY = new State(List.of(), null);

    State {
      rows = List.copyOf(rows);
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder("rows");
      rows.forEach(
          row ->
              text.append(" p")
                  .append(row.partition)
                  .append('@')
                  .append(row.offset)
                  .append("/life")
                  .append(row.life)
                  .append(row.writes == 1 ? "" : "×" + row.writes));
      return text + ", progress " + progress;
    }
  }

  /** How a life ends: in its crash, or with nothing left to read because the crash never fires. */
  record End(boolean crashed, State state) {}

  /**
   * A gap.
   *
   * @param record from 1, or null where the step happens once a batch
   */
  record Gap(String after, @Nullable Integer record) {

    Crash in(int batch) {
      return new Crash(this, batch);
    }

    @Override
    public String toString() {
      return after + (record == null ? "" : " " + record);
    }
  }

  /**
   * @param batch which non-empty poll of the life, from 1
   */
  record Crash(Gap gap, int batch) {

    @Override
    public String toString() {
      return "after " + gap + " of batch " + batch;
    }
  }

  private final String lane;
  private final List<Line> loop;
  private final int orders;
  private final int batchSize;

  LaneModel(String lane, int orders, int batchSize) {
    this.lane = lane;
    this.loop = Objects.requireNonNull(LOOPS.get(lane), lane);
    this.orders = orders;
    this.batchSize = batchSize;
  }

  static List<String> lanes() {
    return List.copyOf(LOOPS.keySet());
  }

  static List<String> steps(String lane) {
    return Objects.requireNonNull(LOOPS.get(lane), lane).stream().map(Line::step).toList();
  }

  /** Every gap of a lane's loop for full batches of this size. */
  static List<Gap> gaps(String lane, int batchSize) {
    List<Gap> gaps = new ArrayList<>();
    for (Line line : Objects.requireNonNull(LOOPS.get(lane), lane)) {
      if (line.eachRecord) {
        for (int record = 1; record <= batchSize; record++) {
          gaps.add(new Gap(line.step, record));
        }
      } else {
        gaps.add(new Gap(line.step, null));
      }
    }
    return gaps;
  }

  /** Whether its client moves the position by itself, so that more than one result is right. */
  static boolean clientCommits(String lane) {
    return lane.startsWith("auto-commit");
  }

  /**
   * All ways in which a life that starts from here may end. One, unless the client commits by
   * itself. A life that ends without a crash has drained the log; the end also holds after a polite
   * stop, in which an auto-committing client commits all that it has polled, and has by then.
   */
  Set<End> life(State from, int life, @Nullable Crash crash) {
    return switch (lane) {
      case "auto-commit" -> workInThePollingThread(from, life, crash);
      case "auto-commit-handoff" -> workInAnotherThread(from, life, crash);
      default -> Set.of(stepByStep(from, life, crash));
    };
  }

  /** The same from any of several states. */
  Set<End> life(Set<State> from, int life, @Nullable Crash crash) {
    Set<End> ends = new LinkedHashSet<>();
    from.forEach(state -> ends.addAll(life(state, life, crash)));
    return ends;
  }

  private End stepByStep(State from, int life, @Nullable Crash crash) {
    List<Row> rows = new ArrayList<>(from.rows);
    Long progress = from.progress;
    int batch = 0;
    for (long first = start(from), end; first < orders; first = end) {
      end = Math.min(first + batchSize, orders);
      batch++;
      List<Row> waiting = new ArrayList<>();
      for (Line line : loop) {
        int times = line.eachRecord ? (int) (end - first) : 1;
        for (int time = 1; time <= times; time++) {
          Row row = new Row(0, first + time - 1, life, 1);
          switch (line.leaves) {
            case NOTHING -> {}
            case ROW -> rows.add(row);
            case ROW_LAST_WINS -> meet(rows, row, true);
            case ROW_FIRST_WINS -> meet(rows, row, false);
            case ROW_IF_KEPT -> waiting.add(row);
            case POSITION -> progress = end;
            case ROWS_AND_POSITION -> {
              rows.addAll(waiting);
              progress = end;
            }
          }
          if (crash != null
              && crash.batch == batch
              && crash.gap.equals(new Gap(line.step, line.eachRecord ? time : null))) {
            return new End(true, new State(rows, progress));
          }
        }
      }
    }
    return new End(false, new State(rows, progress));
  }

  private static void meet(List<Row> rows, Row met, boolean lastWins) {
    for (int i = 0; i < rows.size(); i++) {
      Row known = rows.get(i);
      if (known.offset == met.offset && known.partition == met.partition) {
        rows.set(
            i,
            new Row(
                known.partition, known.offset, lastWins ? met.life : known.life, known.writes + 1));
        return;
      }
    }
    rows.add(met);
  }

  /**
   * The poll that brings batch k may carry a commit of what the polls before it brought, and that
   * commit may arrive or not: so the position stands at its old place, at the start, or at the end
   * of any batch before k.
   */
  private Set<End> workInThePollingThread(State from, int life, @Nullable Crash crash) {
    End end = stepByStep(from, life, crash);
    return end.crashed
        ? withProgress(end.state.rows, from, before(from, Objects.requireNonNull(crash).batch))
        : drained(end.state.rows);
  }

  /**
   * The polling thread goes on while the work is done elsewhere. A crash of the worker finds the
   * position anywhere, up to the end of the log; the rows are those up to the crash. A crash of the
   * polling thread ends its commits there, and finds the worker anywhere in what it was handed.
   */
  private Set<End> workInAnotherThread(State from, int life, @Nullable Crash crash) {
    End end = stepByStep(from, life, crash);
    if (!end.crashed) {
      return drained(end.state.rows);
    }
    Crash fired = Objects.requireNonNull(crash);
    if (fired.gap.after.equals("effect")) {
      return withProgress(end.state.rows, from, orders);
    }
    int handedOver = fired.gap.after.equals("hand-over") ? fired.batch : fired.batch - 1;
    Set<End> ends = new LinkedHashSet<>();
    List<Row> rows = new ArrayList<>(from.rows);
    for (long next = start(from); ; next++) {
      ends.addAll(withProgress(rows, from, before(from, fired.batch)));
      if (next == before(from, handedOver + 1)) {
        return ends;
      }
      rows.add(new Row(0, next, life, 1));
    }
  }

  private static long start(State from) {
    return from.progress == null ? 0 : from.progress;
  }

  /** The first offset of a batch: what the polls before it have brought. */
  private long before(State from, int batch) {
    return Math.min(orders, start(from) + (long) (batch - 1) * batchSize);
  }

  /** A crash with the position at its old place or at any batch boundary up to {@code last}. */
  private Set<End> withProgress(List<Row> rows, State from, long last) {
    Set<End> ends = new LinkedHashSet<>();
    ends.add(new End(true, new State(rows, from.progress)));
    for (long at = start(from); at < last; at += batchSize) {
      ends.add(new End(true, new State(rows, at)));
    }
    ends.add(new End(true, new State(rows, last)));
    return ends;
  }

  /** An empty log may be left with position 0 or with none. */
  private Set<End> drained(List<Row> rows) {
    Set<End> ends = new LinkedHashSet<>();
    ends.add(new End(false, new State(rows, (long) orders)));
    if (orders == 0) {
      ends.add(new End(false, new State(rows, null)));
    }
    return ends;
  }
}
