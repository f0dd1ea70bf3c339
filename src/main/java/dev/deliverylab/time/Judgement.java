package dev.deliverylab.time;

import dev.deliverylab.sink.Fate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of one record, with all that explains it.
 *
 * @param window null for a reading of the clock
 * @param watermark where it stood once the record had moved it; null: none
 */
public record Judgement(
    TimeRecord record, @Nullable Window window, @Nullable Instant watermark, Fate fate) {}
