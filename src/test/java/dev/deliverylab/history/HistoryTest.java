package dev.deliverylab.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deliverylab.log.LogRecord;
import dev.deliverylab.log.Order;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A history that is opened a second time without a close is what a killed process leaves. */
class HistoryTest {

  private static final Clock NOON =
      Clock.fixed(Instant.parse("2026-01-04T12:00:00Z"), ZoneOffset.UTC);
  private static final String LANE = "at-least-once";
  private static final int LARGE = 8 << 20;

  @TempDir private Path folder;

  @Test
  void numbersRunWithoutGapsAndEachLaneSeesItsOwn() {
    History history = opened(LARGE);
    history.begin("experiment 1");
    history.record(Event.Kind.STARTED, LANE, 1, "started");
    history.record(Event.Kind.STARTED, "transactional", 1, "started");
    history.record(Event.Kind.STOPPED, LANE, 1, "stopped");

    assertThat(history.after(0, 10)).extracting(Event::seq).containsExactly(1L, 2L, 3L, 4L);
    assertThat(history.of(LANE, 0, 10)).extracting(Event::seq).containsExactly(2L, 4L);
    assertThat(history.of(LANE, 2, 10)).extracting(Event::seq).containsExactly(4L);
    assertThat(history.newest(LANE, 1)).extracting(Event::seq).containsExactly(4L);
    assertThat(history.after(1, 2)).extracting(Event::seq).containsExactly(2L, 3L);
    assertThat(history.of("nobody", 0, 10)).isEmpty();
  }

  @Test
  void memoryIsBoundedAndTheFirstNumberTellsWhatIsGone() {
    History history = opened(LARGE);
    int more = 10;
    for (int i = 0; i < History.KEPT + more; i++) {
      history.record(Event.Kind.APPENDED, null, null, "appended");
    }
    assertThat(history.after(0, 1).get(0).seq()).isEqualTo(more + 1);
    assertThat(history.last()).isEqualTo(History.KEPT + more);
    assertThat(history.after(0, History.KEPT + more)).hasSize(History.KEPT);
  }

  @Test
  void anAttemptIsAReadingOfTheSameOffset() {
    History history = opened(LARGE);
    assertThat(effect(history, 0, 7).attempt()).isEqualTo(1);
    assertThat(effect(history, 1, 7).attempt()).as("another partition").isEqualTo(1);
    assertThat(effect(history, 0, 7).attempt()).isEqualTo(2);

    History afterAKill = opened(LARGE);
    assertThat(effect(afterAKill, 0, 7).attempt()).isEqualTo(3);
  }

  @Test
  void theTailSurvivesAKillAndNumbersGoOn() {
    History history = opened(LARGE);
    history.begin("experiment 1");
    Event effect = effect(history, 0, 7);

    History afterAKill = opened(LARGE);
    assertThat(afterAKill.of(LANE, 0, 10)).containsExactly(effect);
    assertThat(afterAKill.record(Event.Kind.STARTED, LANE, 2, "started").seq()).isEqualTo(3);
  }

  @Test
  void aNewExperimentForgetsTheOldOneButNotTheNumber() {
    History history = opened(LARGE);
    effect(history, 0, 7);
    effect(history, 0, 7);
    Event begun = history.begin("experiment 2");

    assertThat(begun.seq()).isEqualTo(3);
    assertThat(history.after(0, 10)).containsExactly(begun);
    assertThat(history.of(LANE, 0, 10)).isEmpty();

    History afterAKill = opened(LARGE);
    assertThat(afterAKill.after(0, 10)).containsExactly(begun);
    assertThat(effect(afterAKill, 0, 7))
        .extracting(Event::seq, Event::attempt)
        .containsExactly(4L, 1);
  }

  @Test
  void aKillWhileANewExperimentBeginsLeavesNoEarlierEvents() throws IOException {
    History history = opened(LARGE);
    effect(history, 0, 7);
    byte[] before = Files.readAllBytes(file(0));
    Event begun = history.begin("experiment 2");
    // As if the process had died before the old file was wiped.
    Files.write(file(0), before, StandardOpenOption.WRITE);

    assertThat(opened(LARGE).after(0, 10)).containsExactly(begun);
  }

  @Test
  void twoSmallFilesKeepTheNewestEventsInOrder() {
    History history = opened(4_096);
    for (int i = 1; i <= 200; i++) {
      history.record(Event.Kind.APPENDED, null, null, "appended " + i);
    }
    List<Event> kept = opened(4_096).after(0, 1_000);
    long first = kept.get(0).seq();
    assertThat(kept).extracting(Event::seq).containsExactlyElementsOf(numbers(first, 200));
    assertThat(kept).as("more than one file's worth, less than all").hasSizeBetween(15, 60);
  }

  @Test
  void aLineThatAKillCutShortIsWrittenOver() throws IOException {
    History history = opened(LARGE);
    history.record(Event.Kind.STARTED, LANE, 1, "started");
    byte[] file = Files.readAllBytes(file(0));
    int end = 0;
    while (file[end] != 0) {
      end++;
    }
    System.arraycopy("{\"seq\":2,\"at\":".getBytes(StandardCharsets.UTF_8), 0, file, end, 14);
    Files.write(file(0), file, StandardOpenOption.WRITE);

    Event next = opened(LARGE).record(Event.Kind.STOPPED, LANE, 1, "stopped");
    assertThat(next.seq()).isEqualTo(2);
    assertThat(opened(LARGE).after(0, 10)).extracting(Event::seq).containsExactly(1L, 2L);
  }

  @Test
  void anOrderIdOfAnySizeComesBackWhole() {
    History history = opened(LARGE);
    BigInteger id = new BigInteger("123456789012345678901234567890");
    history.record(Event.Kind.STEP, LANE, 1, place(0, 7, id), "applied");
    assertThat(opened(LARGE).after(0, 1)).extracting(Event::orderId).containsExactly(id);
  }

  @Test
  void listenersHearOfEveryEvent() {
    History history = opened(LARGE);
    AtomicInteger heard = new AtomicInteger();
    history.onEvent(heard::incrementAndGet);
    history.begin("experiment 1");
    history.record(Event.Kind.STARTED, LANE, 1, "started");
    assertThat(heard).hasValue(2);
  }

  private History opened(int fileBytes) {
    return new History(new Journal(folder, fileBytes, new JsonMapper()), NOON);
  }

  private Path file(int number) {
    return folder.resolve("journal-" + number + ".jsonl");
  }

  private static Event effect(History history, int partition, long offset) {
    return history.record(
        Event.Kind.STEP, LANE, 1, place(partition, offset, BigInteger.valueOf(1001)), "applied");
  }

  private static Place place(int partition, long offset, BigInteger id) {
    Order order =
        new Order(id, new BigDecimal("25.50"), Instant.parse("2026-01-04T09:14:02Z"), null);
    return new Place("effect", 1, 1, new LogRecord(partition, offset, order));
  }

  private static List<Long> numbers(long from, long to) {
    return LongStream.rangeClosed(from, to).boxed().toList();
  }
}
