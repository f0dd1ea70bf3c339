package dev.deliverylab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The stream with the test as its clock and wires that take bytes when told to. */
class LiveStreamTest {

  private final AtomicLong version = new AtomicLong(1);
  private final List<String> drawn = new ArrayList<>();
  private boolean broken;

  private final LiveStream.Source source =
      new LiveStream.Source() {
        @Override
        public long version() {
          return version.get();
        }

        @Override
        public String render(String fragment, long at) {
          if (broken) {
            throw new IllegalStateException("cannot draw");
          }
          drawn.add(fragment);
          return "<p>" + fragment + " at " + (fragment.equals("still") ? 0 : at) + "</p>";
        }
      };

  private final LiveStream stream = stream(Duration.ofHours(1), Duration.ofHours(1));

  private LiveStream stream(Duration heartbeat, Duration deaf) {
    return new LiveStream(
        source, new LiveStream.Limits(Duration.ofMillis(100), heartbeat, deaf, 3));
  }

  private static final class FakeWire implements LiveViewer.Wire {
    final List<String> got = new ArrayList<>();
    boolean open = true;
    boolean gone;
    boolean closed;

    @Override
    public boolean ready() {
      return open;
    }

    @Override
    public void write(byte[] message) throws IOException {
      if (gone) {
        throw new IOException("reset by peer");
      }
      got.add(new String(message, StandardCharsets.UTF_8));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      closed = true;
    }

    long times(String text) {
      return got.stream().filter(message -> message.contains(text)).count();
    }
  }

  private FakeWire join(LiveStream to, String... fragments) {
    FakeWire wire = new FakeWire();
    to.join(new LiveViewer(Set.of(fragments), wire));
    return wire;
  }

  @Test
  void withoutAViewerNothingIsDrawn() {
    stream.tick();
    version.incrementAndGet();
    stream.tick();
    assertThat(drawn).isEmpty();
  }

  @Test
  void aChangeIsDrawnOnceForAllViewersAndBetweenTwoLooksOnlyTheNewestIs() {
    FakeWire one = join(stream, "top");
    FakeWire two = join(stream, "top");
    stream.tick();
    version.addAndGet(50);
    stream.tick();
    stream.tick();
    assertThat(drawn).containsExactly("top", "top");
    assertThat(one.got).hasSize(2).isEqualTo(two.got);
    assertThat(one.got.get(1)).isEqualTo("event: html\ndata: <p>top at 51</p>\n\n");
  }

  @Test
  void whatLooksTheSameIsNotSentAgain() {
    FakeWire wire = join(stream, "still");
    stream.tick();
    version.incrementAndGet();
    stream.tick();
    assertThat(wire.got).hasSize(1);
  }

  @Test
  void aViewerGetsItsOwnPartsAndALateOneAFullPicture() {
    FakeWire one = join(stream, "top", "row/a");
    stream.tick();
    FakeWire late = join(stream, "row/a");
    stream.tick();
    assertThat(one.got).hasSize(2);
    assertThat(late.got).hasSize(1);
    assertThat(late.times("row/a at 1")).isEqualTo(1);
    assertThat(drawn).containsExactlyInAnyOrder("top", "row/a");
  }

  @Test
  void aSlowViewerSkipsToTheNewestAndHoldsNobodyUp() {
    FakeWire slow = join(stream, "top");
    FakeWire quick = join(stream, "top");
    stream.tick();
    slow.open = false;
    for (int n = 0; n < 100; n++) {
      version.incrementAndGet();
      stream.tick();
    }
    assertThat(quick.got).hasSize(101);
    slow.open = true;
    stream.tick();
    assertThat(slow.got).hasSize(2);
    assertThat(slow.times("top at 101")).isEqualTo(1);
  }

  @Test
  void aDeafViewerIsDroppedAndTheOthersStay() {
    LiveStream strict = stream(Duration.ofHours(1), Duration.ZERO);
    FakeWire deaf = join(strict, "top");
    FakeWire quick = join(strict, "top");
    deaf.open = false;
    strict.tick(); // from here on it is blocked
    strict.tick();
    version.incrementAndGet();
    strict.tick();
    assertThat(deaf.closed).isTrue();
    assertThat(quick.closed).isFalse();
    assertThat(quick.got).hasSize(2);
    assertThat(strict.viewers()).isEqualTo(1);
  }

  @Test
  void aViewerThatWentAwayIsForgottenWithTheNextBeat() {
    LiveStream beating = stream(Duration.ZERO, Duration.ofHours(1));
    FakeWire gone = join(beating, "still");
    beating.tick();
    assertThat(gone.times("event: beat")).isEqualTo(1);
    gone.gone = true;
    beating.tick();
    assertThat(beating.viewers()).isZero();
    assertThat(gone.closed).isTrue();
  }

  @Test
  void aPageThatCannotBeDrawnDoesNotEndTheStream() {
    FakeWire wire = join(stream, "top");
    broken = true;
    stream.tick();
    broken = false;
    stream.tick();
    assertThat(wire.times("top at 1")).isEqualTo(1);
  }

  @Test
  void afterALeaveAndANewJoinThePictureIsFullAgain() {
    FakeWire first = join(stream, "still");
    stream.tick();
    first.gone = true;
    version.incrementAndGet();
    FakeWire again = join(stream, "still");
    stream.tick();
    assertThat(again.got).hasSize(1);
  }

  @Test
  void theNumberOfViewersHasABound() {
    join(stream, "top");
    join(stream, "top");
    assertThat(stream.hasRoom()).isTrue();
    join(stream, "top");
    assertThat(stream.hasRoom()).isFalse();
  }
}
