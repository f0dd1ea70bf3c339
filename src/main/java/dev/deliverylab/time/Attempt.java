package dev.deliverylab.time;

import dev.deliverylab.sink.Fate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One record on its way through the engine's window, and whether it was counted there. The engine
 * says nothing of a record that comes too late: it only does not call its aggregator. A reminder
 * holds no order and so changes no window.
 */
final class Attempt {

  private final @Nullable ArrivedOrder order;
  private final Window window;
  private final Instant watermark;
  private final Fate ifCounted;
  private boolean counted;

  private Attempt(@Nullable ArrivedOrder order, Window window, Instant watermark, Fate ifCounted) {
    this.order = order;
    this.window = window;
    this.watermark = watermark;
    this.ifCounted = ifCounted;
  }

  static Attempt of(ArrivedOrder order, Window window, Instant watermark, Fate ifCounted) {
    return new Attempt(order, window, watermark, ifCounted);
  }

  static Attempt reminder(Window window, Instant watermark) {
    return new Attempt(null, window, watermark, Fate.CLOCK);
  }

  /** The aggregator's work. */
  @Nullable WindowResult countIn(@Nullable WindowResult before) {
    counted = true;
    if (order == null) {
      return before;
    }
    return before == null
        ? WindowResult.first(order, ifCounted, window, watermark)
        : before.plus(order, ifCounted, watermark);
  }

  boolean counted() {
    return counted;
  }

  Judgement late(Late late) {
    if (order == null) {
      throw new IllegalStateException("A reminder is never late");
    }
    return new Judgement(order, window, watermark, late.fate());
  }
}
