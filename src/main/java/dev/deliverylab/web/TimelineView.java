package dev.deliverylab.web;

import dev.deliverylab.history.Event;
import dev.deliverylab.history.Event.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A lane's last steps as a picture: a line for each step, a place for each event, left to right in
 * order. All places are numbers for SVG attributes; the page's policy allows no styles in elements.
 *
 * @param earlier events left out
 * @param said the same for those who do not see it
 */
record TimelineView(
    int width,
    int height,
    List<Track> tracks,
    List<Life> lives,
    List<Mark> marks,
    List<Crash> crashes,
    List<String> arcs,
    String path,
    long earlier,
    String said) {

  private static final int MOST = 36;
  private static final int LEFT = 84;
  private static final int STRIDE = 46;
  private static final int TOP = 70;
  private static final int ROW = 44;

  record Track(String label, int y) {}

  /** The band over one life of the lane. */
  record Life(String label, int x, int width) {}

  /**
   * @param kind poll, work, undone or progress: a circle, a box, a struck box, a flag
   * @param again whether it was applied before, and the reader sees both
   */
  record Mark(String kind, boolean again, int x, int y, String text, String title) {

    Mark undone() {
      return new Mark("undone", false, x, y, text, title + ", undone by the crash");
    }
  }

  record Crash(int x, int y, String title) {}

  /**
   * @param doubles whether a second write of an order is a second effect in this lane's sink
   */
  static TimelineView of(List<String> steps, boolean doubles, List<Event> history) {
    List<Event> told =
        history.stream().filter(e -> e.kind() == Kind.STEP || e.kind() == Kind.CRASHED).toList();
    List<Event> events = told.subList(Math.max(0, told.size() - MOST), told.size());
    Map<String, Integer> rows = new HashMap<>();
    List<Track> tracks = new ArrayList<>();
    for (String step : steps) {
      rows.put(step, TOP + tracks.size() * ROW);
      tracks.add(new Track(step, TOP + tracks.size() * ROW));
    }
    List<Mark> marks = new ArrayList<>();
    List<String> places = new ArrayList<>();
    List<Crash> crashes = new ArrayList<>();
    List<Life> lives = new ArrayList<>();
    List<String> arcs = new ArrayList<>();
    Map<String, Mark> firstEffects = new HashMap<>();
    List<Integer> uncommitted = new ArrayList<>();
    boolean transactional = steps.contains("begin");
    StringBuilder path = new StringBuilder();
    int x = LEFT + STRIDE / 2;
    int lifeFrom = LEFT;
    int lastY = TOP;
    @Nullable Integer life = null;
    boolean lifted = true;
    for (Event event : events) {
      if (life != null && !life.equals(event.life())) {
        lives.add(new Life("life " + life, lifeFrom, x - STRIDE / 2 - lifeFrom));
        lifeFrom = x - STRIDE / 2;
        lifted = true;
      }
      life = event.life();
      int y = rows.getOrDefault(event.step() == null ? "" : event.step(), lastY);
      if (event.kind() == Kind.CRASHED) {
        crashes.add(new Crash(x, y, event.text()));
        // The death undid what the open transaction held.
        uncommitted.forEach(at -> marks.set(at, marks.get(at).undone()));
        uncommitted.clear();
        lives.add(new Life("life " + life, lifeFrom, x - lifeFrom));
        lifeFrom = x + STRIDE / 2;
        x += STRIDE;
        life = null;
        lifted = true;
        continue;
      }
      String at = event.partition() + ":" + event.offset();
      Mark first = firstEffects.get(at);
      Mark mark = mark(event, x, y, doubles && (transactional ? first != null : true));
      if ("commit-tx".equals(event.step())) {
        for (int done : uncommitted) {
          firstEffects.putIfAbsent(places.get(done), marks.get(done));
        }
        uncommitted.clear();
      }
      marks.add(mark);
      places.add(at);
      if (mark.kind().equals("work") && repeated(event)) {
        if (first != null) {
          int lift = y - 34;
          arcs.add(
              "M"
                  + first.x()
                  + " "
                  + (y - 15)
                  + "C"
                  + (first.x() + 40)
                  + " "
                  + (lift - 16)
                  + ","
                  + (x - 40)
                  + " "
                  + (lift - 16)
                  + ","
                  + x
                  + " "
                  + (y - 15));
        }
      }
      if (mark.kind().equals("work")) {
        if (transactional) {
          uncommitted.add(marks.size() - 1);
        } else {
          firstEffects.putIfAbsent(at, mark);
        }
      }
      path.append(lifted ? 'M' : 'L').append(x).append(' ').append(y);
      lifted = false;
      lastY = y;
      x += STRIDE;
    }
    if (life != null) {
      lives.add(new Life("life " + life, lifeFrom, x - STRIDE / 2 - lifeFrom));
    }
    return new TimelineView(
        Math.max(680, x + 6),
        TOP + Math.max(1, tracks.size()) * ROW - 12,
        List.copyOf(tracks),
        List.copyOf(lives),
        List.copyOf(marks),
        List.copyOf(crashes),
        List.copyOf(arcs),
        path.toString(),
        told.size() - events.size(),
        events.stream().map(Event::text).collect(Collectors.joining(" ")));
  }

  private static boolean repeated(Event event) {
    return event.attempt() != null && event.attempt() > 1;
  }

  private static Mark mark(Event event, int x, int y, boolean mayDouble) {
    String step = event.step() == null ? "" : event.step();
    boolean again = mayDouble && repeated(event);
    return switch (step) {
      case "effect", "send" ->
          new Mark(
              "work",
              again,
              x,
              y,
              event.orderId() == null ? "" : Figure.shortened(event.orderId()),
              event.text());
      case "commit", "commit-tx", "store-offset", "send-offsets" ->
          new Mark("progress", false, x, y, place(event), event.text());
      default -> new Mark("poll", false, x, y, place(event), event.text());
    };
  }

  private static String place(Event event) {
    return event.offset() == null ? "" : Long.toString(event.offset());
  }
}
