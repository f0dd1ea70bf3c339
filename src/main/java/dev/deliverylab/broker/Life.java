package dev.deliverylab.broker;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One life of a lane, as a client id tells it.
 *
 * @param lane everything in front of the number, so it also names prefix and experiment
 * @param number counts from 1
 */
record Life(String lane, int number) {

  // A number ends where the digits end: clients of a life append suffixes such as "-0" to their id,
  // and life 1 is not
  // life 12. Nine digits fit an int.
  private static final Pattern CLIENT_ID =
      Pattern.compile("(.+?\\.life-)(\\d{1,9})(?:\\D.*)?", Pattern.DOTALL);

  /**
   * @return null where the client is no lane's: the lab's own, or somebody else's
   */
  static @Nullable Life of(@Nullable String clientId) {
    if (clientId == null) {
      return null;
    }
    Matcher matcher = CLIENT_ID.matcher(clientId);
    return matcher.matches()
        ? new Life(matcher.group(1), Integer.parseInt(matcher.group(2)))
        : null;
  }
}
