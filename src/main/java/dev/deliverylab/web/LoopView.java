package dev.deliverylab.web;

import dev.deliverylab.experiment.LaneSnapshot;
import dev.deliverylab.guarantee.Rule.Keeper;
import dev.deliverylab.guarantee.Step;
import dev.deliverylab.lane.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A lane's loop as a row of steps with a gap behind each. In a big batch only its first records and
 * its last one get a box of their own; the form on the lane's page reaches every record.
 *
 * @param parts steps and gaps in order
 * @param crowded whether they need the small type
 * @param packed whether they need small gaps, too
 * @param armed what waits, or null
 * @param died where it died last, or null
 * @param note what else there is to know about the loop
 */
record LoopView(
    List<Part> parts,
    boolean crowded,
    boolean packed,
    @Nullable String armed,
    @Nullable String died,
    @Nullable String note) {

  /** A loop with more steps than these has room for one record fewer. */
  private static final int FEW_STEPS = 4;

  /** Steps and gaps that fit a row in the usual type: poll, two effects, commit. */
  private static final int ROOMY = 8;

  /** And those that fit in the small type. */
  private static final int FULL = 11;

  /**
   * A step or a gap.
   *
   * @param id of its element
   * @param css classes that tell what it is and how it stands
   * @param label the step's word
   * @param record place in the batch, or null
   * @param gap the crash that a press on it arms; null for a step
   */
  record Part(String id, String css, String label, @Nullable Integer record, @Nullable Gap gap) {}

  /**
   * @param body what the REST call sends
   * @param pressed whether the crash is armed here
   * @param title what it is and what a press does
   */
  record Gap(String body, boolean pressed, String title) {}

  /** A lane as far as its loop is drawn from it. */
  record Subject(
      String lane,
      List<String> steps,
      boolean clientCommits,
      Standing.@Nullable Armed armed,
      Standing.@Nullable Now now,
      Standing.@Nullable LastCrash lastCrash) {

    private String id(String what, @Nullable Integer record) {
      return lane + "-" + what + (record == null ? "" : "-" + record);
    }
  }

  static LoopView of(Board.Lane lane, int batchSize) {
    LaneSnapshot snapshot = lane.snapshot();
    return of(
        new Subject(
            snapshot.lane(),
            snapshot.steps(),
            lane.keeper() == Keeper.CLIENT,
            snapshot.armed(),
            snapshot.now(),
            snapshot.lastCrash()),
        batchSize);
  }

  static LoopView of(Subject lane, int batchSize) {
    List<Part> parts = new ArrayList<>();
    boolean away = false;
    int firsts = lane.steps().size() > FEW_STEPS ? 1 : 2;
    for (String label : lane.steps()) {
      if (Step.of(label).perRecord()) {
        for (Integer record : shown(batchSize, firsts)) {
          if (record == null) {
            parts.add(new Part(lane.id("dots", null), "dots", "…", null, null));
          } else {
            add(parts, lane, label, record, away);
          }
        }
      } else {
        add(parts, lane, label, null, away);
      }
      away |= label.equals(Step.HAND_OVER.label());
    }
    if (lane.clientCommits()) {
      parts.add(new Part(lane.id("implied", null), "step implied", "commit", null, null));
    }
    Standing.Armed armed = lane.armed();
    Standing.LastCrash died = lane.lastCrash();
    return new LoopView(
        List.copyOf(parts),
        parts.size() > ROOMY,
        parts.size() > FULL,
        armed == null ? null : place(armed.after(), armed.record()) + ", " + armed.waitsFor(),
        died == null ? null : deathPlace(died),
        lane.clientCommits() ? (away ? "work on another thread" : "the next poll commits") : null);
  }

  private static void add(
      List<Part> parts, Subject lane, String label, @Nullable Integer record, boolean away) {
    parts.add(
        new Part(
            lane.id("s-" + label, record),
            "step" + (away ? " away" : "") + (isNow(lane, label, record) ? " now" : ""),
            label,
            record,
            null));
    Standing.Armed armed = lane.armed();
    boolean isArmed =
        armed != null && armed.after().equals(label) && Objects.equals(armed.record(), record);
    Standing.LastCrash crash = lane.lastCrash();
    boolean died =
        crash != null && label.equals(crash.after()) && Objects.equals(crash.record(), record);
    String place = place(label, record);
    String title =
        isArmed
            ? "A crash waits " + place + ": press to disarm"
            : died ? "It died here, " + place + ": press to arm again" : "Arm a crash " + place;
    parts.add(
        new Part(
            lane.id("g-" + label, record),
            "gapx" + (isArmed ? " armed" : died ? " died" : ""),
            label,
            record,
            new Gap(body(label, record), isArmed, title)));
  }

  /** The records of a batch that get a box; null stands for those left out. */
  private static List<@Nullable Integer> shown(int batchSize, int firsts) {
    if (batchSize <= 2) {
      return batchSize == 1 ? List.of(1) : List.of(1, 2);
    }
    List<@Nullable Integer> shown = new ArrayList<>();
    for (int record = 1; record <= firsts; record++) {
      shown.add(record);
    }
    if (batchSize > firsts + 1) {
      shown.add(null);
    }
    shown.add(batchSize);
    return shown;
  }

  private static boolean isNow(Subject lane, String label, @Nullable Integer record) {
    Standing.Now now = lane.now();
    return now != null && now.step().equals(label) && Objects.equals(now.record(), record);
  }

  private static String body(String label, @Nullable Integer record) {
    return record == null
        ? "{\"after\":\"" + label + "\"}"
        : "{\"after\":\"" + label + "\",\"record\":" + record + "}";
  }

  static String place(String label, @Nullable Integer record) {
    return "after " + label + (record == null ? "" : " " + record);
  }

  static String deathPlace(Standing.LastCrash crash) {
    String after = crash.after();
    if (after == null) {
      return "at once";
    }
    return place(after, crash.record()) + (crash.batch() == null ? "" : ", batch " + crash.batch());
  }
}
