package dev.deliverylab.time;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The time log, its clock and its lanes at one moment.
 *
 * @param records orders in the log, readings of the clock left out
 * @param ahead orders whose event time lies after their arrival
 */
public record TimeSnapshot(
    long log,
    int partitions,
    int batchSize,
    ClockView clock,
    long records,
    long ahead,
    BigDecimal trueRevenue,
    List<WindowLaneSnapshot> lanes) {

  /**
   * @param now null while nothing has arrived
   * @param mode {@code virtual} or {@code wall}
   * @param pace {@code at-once}, {@code x1}, {@code x60} or {@code step}
   * @param queued records that wait for their arrival to come
   */
  public record ClockView(@Nullable Instant now, String mode, String pace, int queued) {}

  /**
   * A record as a point of the plane: event time over arrival.
   *
   * @param fates by lane, {@code accepted}, {@code dropped}, {@code side} or {@code restated};
   *     absent where the lane has not read it
   * @param watermarks by lane, where the watermark stood once the record had moved it; absent where
   *     there was none
   */
  public record Point(
      int partition,
      long offset,
      BigInteger orderId,
      BigDecimal amount,
      Instant eventTime,
      Instant arrivalTime,
      Map<String, String> fates,
      Map<String, Instant> watermarks) {}

  /**
   * The newest points, in log order of arrival.
   *
   * @param more whether older ones are left out
   */
  public record Plane(List<Point> points, boolean more) {}
}
