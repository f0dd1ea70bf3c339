package dev.deliverylab.time;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The trade for one lane's rule: what each bound would cost on the log as it is.
 *
 * @param boundSeconds the bound the lane has now
 * @param greatestSeconds the end of the axis: the greatest lateness in the log, or the least bound
 *     that drops nothing where that is more; at most a year
 * @param points in order of bound, each exact for its bound; what is dropped stays the same from
 *     each to the next where no step lies between them
 */
public record Curve(String lane, long boundSeconds, long greatestSeconds, List<Point> points) {

  /**
   * @param dropped revenue that would come too late
   * @param delaySeconds the longest time from a window's end to its result, by the clock; null
   *     where no window would close; below zero where events from the future closed them all early
   * @param heldWindows the most windows open at one time
   * @param heldEvents the most orders in open windows at one time
   */
  public record Point(
      long boundSeconds,
      BigDecimal dropped,
      long droppedEvents,
      @Nullable Long delaySeconds,
      long heldWindows,
      long heldEvents) {}
}
