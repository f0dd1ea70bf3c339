// The page of time: the bound that is dragged, the lane that is drawn, and times in the viewer's own zone.
// All numbers come with the pieces; what a dragged bound would change is worked out here and drawn over them.
"use strict";
{
  const byId = (id) => document.getElementById(id);
  const all = (root, what) => [...(root?.querySelectorAll(what) ?? [])];
  const form = byId("bound-form");
  const slider = byId("bound");
  const output = byId("bound-out");

  const duration = (seconds) => {
    let rest = Math.round(seconds);
    const parts = [];
    for (const [size, word] of [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]]) {
      if (rest >= size) {
        parts.push(Math.floor(rest / size).toLocaleString("en-GB") + " " + word);
        rest %= size;
      }
    }
    return parts.join(" ") || "0 s";
  };

  // ---- times in the viewer's zone

  const OWN = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
  let zone = OWN;
  try {
    zone = localStorage.getItem("zone") === "UTC" ? "UTC" : OWN;
  } catch {
    // Nothing is kept, then.
  }
  const zoneButton = byId("zone");
  let writers = {};

  const writersIn = (timeZone) => {
    const hm = { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    const hms = { ...hm, second: "2-digit" };
    const date = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
    const short = new Intl.DateTimeFormat("en-GB", hm);
    const long = new Intl.DateTimeFormat("en-GB", hms);
    return {
      near: (time) => (Math.floor(time / 1000) % 60 === 0 ? short : long).format(time),
      full: (time) => date.format(time) + " " + long.format(time),
    };
  };

  const write = (element) => {
    const time = new Date(element.dateTime ?? element.dataset.at);
    if (!Number.isNaN(time.getTime())) {
      element.textContent = (writers[element.dataset.as] ?? writers.full)(time);
    }
  };

  const writeTimes = (root) => {
    all(root, "time[data-as], tspan[data-at]").forEach(write);
    all(root, ".zone").forEach((name) => (name.textContent = zone));
  };

  const useZone = (name) => {
    zone = name;
    writers = writersIn(zone);
    zoneButton.textContent = zone === "UTC" ? "UTC" : zone;
    zoneButton.setAttribute("aria-pressed", String(zone === "UTC"));
    writeTimes(document);
  };

  // ---- what another bound would change

  const stepAt = (steps, end, shift) => steps.find(([, watermark]) => watermark - shift >= end)?.[0];

  const shiftPlane = (bound) => {
    const plane = byId("plane");
    const { rule, slope, steps: written, lane } = plane.dataset;
    const moves = slope === "true";
    const [xScale, yScale, yEpoch, drawnFor, epoch] = [
      Number(plane.dataset.xscale),
      Number(plane.dataset.yscale),
      Number(plane.dataset.yepoch),
      Number(plane.dataset.bound),
      Date.parse(plane.dataset.epoch),
    ];
    const shift = bound - drawnFor;
    const steps = written ? written.split(" ").map((pair) => pair.split(",").map(Number)) : [];
    const clamp = (value, least, most) => Math.min(most, Math.max(least, value));

    byId("plane-line")?.setAttribute("transform", moves ? `translate(${shift * xScale} 0)` : `translate(0 ${shift * yScale})`);

    const label = byId("plane-label");
    label.querySelector(".boundtext").textContent = duration(bound);
    const stands = label.querySelector(".stands");
    if (stands) {
      stands.dataset.from ??= stands.dataset.at;
      stands.dataset.at = new Date(Math.round(Date.parse(stands.dataset.from) - shift * 1000)).toISOString();
      write(stands);
    }
    if (label.dataset.still === "true") {
      // It stands where it hides nothing.
    } else if (moves) {
      // The line leaves the picture at its top; the words stand there, on the side with room.
      const crosses = clamp(58 + ((yEpoch - 8) / yScale + bound) * xScale, 66, 796);
      const right = crosses < 594;
      label.setAttribute("x", crosses + (right ? 14 : -14));
      label.setAttribute("text-anchor", right ? "start" : "end");
      label.querySelector(".second").setAttribute("x", crosses + (right ? 14 : -14));
    } else if (steps.length) {
      const [, last] = steps[steps.length - 1];
      label.setAttribute("y", clamp(yEpoch - (last - shift) * yScale + 18, 23, 300));
    }

    const closing = (end) => (rule === "per-record" ? undefined : moves ? end + bound : stepAt(steps, end, shift));
    const placeOf = (end) => {
      const at = closing(end);
      const x = at === undefined ? undefined : Math.max(58, Math.round((58 + at * xScale) * 10) / 10);
      return x === undefined || x > 804 ? { at } : { at, x };
    };
    for (const band of all(plane, ".band")) {
      const { x } = placeOf(Number(band.dataset.end));
      const shut = band.querySelector(".shut");
      shut.setAttribute("x", x ?? 804);
      shut.setAttribute("width", x === undefined ? 0 : 804 - x);
    }
    for (const band of all(plane, ".bandlabel")) {
      const { at, x } = placeOf(Number(band.dataset.end));
      band.querySelector(".s-closing").setAttribute("transform", `translate(${x ?? 900} 0)`);
      const words = band.querySelector(".closing");
      if (words) {
        words.setAttribute("x", x === undefined ? 900 : x > 560 ? x - 8 : x + 8);
        words.setAttribute("text-anchor", x > 560 ? "end" : "start");
        if (at !== undefined) {
          const when = words.querySelector(".when");
          when.dataset.at = new Date(Math.round(epoch + at * 1000)).toISOString();
          write(when);
        }
      }
      const open = band.querySelector(".stillopen");
      if (open) {
        open.textContent = x === undefined ? "open: " : "";
      }
    }

    for (const mark of all(plane, ".pt:not(.unread)")) {
      const late = bound < Number(mark.dataset.need);
      mark.classList.toggle("late", late);
      mark.classList.toggle("in", !late);
    }
    const [inTime, late] = ["in", "late"].map((name) => plane.querySelector(".dots." + name));
    if (!plane.dots || plane.dots.of !== inTime) {
      const dots = [inTime, late].flatMap((path) => {
        const needs = path.dataset.needs ? path.dataset.needs.split(" ") : [];
        const places = (path.getAttribute("d") ?? "").split("M").slice(1);
        return places.map((place, i) => ({ place: "M" + place, need: Number(needs[i]) }));
      });
      plane.dots = { of: inTime, list: dots };
    }
    if (plane.dots.list.length) {
      inTime.setAttribute("d", plane.dots.list.filter((dot) => bound >= dot.need).map((dot) => dot.place).join(""));
      late.setAttribute("d", plane.dots.list.filter((dot) => bound < dot.need).map((dot) => dot.place).join(""));
    }
    return lane;
  };

  const shiftTrade = (bound) => {
    const trade = byId("trade");
    const points = JSON.parse(trade.dataset.points);
    const [, y1, y2, y3, ...texts] = points.findLast(([from]) => from <= bound) ?? points[0] ?? [];
    byId("trade-handle").setAttribute("transform", `translate(${9 + (356 * Math.min(bound, trade.dataset.axis)) / trade.dataset.axis} 0)`);
    all(trade, "#trade-handle circle").forEach((circle, i) => {
      const y = [y1, y2, y3][i];
      circle.setAttribute("display", y === null || y === undefined ? "none" : "inline");
      circle.setAttribute("cy", y ?? 0);
    });
    all(trade, ".value").forEach((value, i) => (value.textContent = texts[i] ?? ""));
  };

  const preview = (bound) => {
    shiftPlane(bound);
    shiftTrade(bound);
    output.textContent = duration(bound);
    slider.setAttribute("aria-valuetext", duration(bound));
    document.documentElement.classList.toggle("previewing", bound !== Number(byId("plane").dataset.bound));
  };

  // The bound that is under the hand, or sent and not yet drawn by the lab.
  let held = null;
  let patience = 0;

  const letGo = () => {
    held = null;
    clearTimeout(patience);
    sync();
  };

  const sync = () => {
    const trade = byId("trade");
    const plane = byId("plane");
    if (held !== null && Number(plane.dataset.bound) === held && !slider.matches(":active")) {
      held = null;
      clearTimeout(patience);
    }
    if (held === null) {
      slider.max = trade.dataset.axis;
      slider.step = "any";
      slider.value = plane.dataset.bound;
      output.textContent = duration(plane.dataset.bound);
      slider.setAttribute("aria-valuetext", output.textContent);
      document.documentElement.classList.remove("previewing");
    } else {
      preview(held);
    }
    slider.step = trade.dataset.step;
    if (held === null && Number(slider.value) !== Number(plane.dataset.bound)) {
      slider.step = "1"; // a bound between two steps, set by somebody else
      slider.value = plane.dataset.bound;
    }
    for (const [id, value] of [["windowSeconds", trade.dataset.window], ["boundSeconds", trade.dataset.bound], ["idleSeconds", trade.dataset.idle ?? ""], ["maxAheadSeconds", trade.dataset.ahead ?? ""]]) {
      const policy = byId("policy");
      if (!policy.contains(document.activeElement)) {
        policy.elements[id].value = value;
      }
    }
    for (const radio of byId("late-form").elements.late) {
      radio.checked = radio.value === trade.dataset.late;
    }
    const pace = byId("time-pace");
    if (document.activeElement !== pace) {
      pace.value = byId("time-clock").dataset.pace;
    }
    const wall = byId("time-clock").dataset.mode === "wall";
    byId("clock-wall").setAttribute("aria-pressed", String(wall));
    byId("clock-virtual").setAttribute("aria-pressed", String(!wall));
  };

  slider.addEventListener("input", () => {
    held = Number(slider.value);
    clearTimeout(patience);
    preview(held);
  });
  form.addEventListener("htmx:afterRequest", (event) => {
    if (!event.detail.successful) {
      letGo();
    } else {
      patience = setTimeout(letGo, 4000);
    }
  });

  // The handle on the curve, and the curve as a whole: a press there sets the bound as the slider does.
  const box = byId("trade-box");
  const pull = (event) => {
    const picture = box.querySelector("svg").getBoundingClientRect();
    const share = ((event.clientX - picture.left) / picture.width * 374 - 9) / 356;
    slider.value = Math.min(1, Math.max(0, share)) * slider.max;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  };
  box.addEventListener("pointerdown", (event) => {
    if (event.button === 0) {
      box.setPointerCapture(event.pointerId);
      event.preventDefault();
      slider.focus({ preventScroll: true });
      pull(event);
    }
  });
  box.addEventListener("pointermove", (event) => box.hasPointerCapture(event.pointerId) && pull(event));
  box.addEventListener("pointerup", (event) => {
    if (box.hasPointerCapture(event.pointerId)) {
      box.releasePointerCapture(event.pointerId);
      slider.dispatchEvent(new Event("change", { bubbles: true }));
    }
  });

  // ---- the lane that is drawn

  byId("drawn").addEventListener("change", (event) => {
    const lane = event.target.value;
    held = null;
    for (const hidden of all(document, "input[type=hidden][name=lane]")) {
      hidden.value = lane;
    }
    for (const name of all(document, ".drawn-name")) {
      name.textContent = lane;
    }
    for (const card of all(document, ".rule")) {
      card.classList.toggle("sel", card.dataset.lane === lane);
    }
    const address = new URL(location);
    address.searchParams.set("lane", lane);
    history.replaceState(null, "", address);
    document.body.dataset.live = "/live?on=time,time/" + lane;
    document.dispatchEvent(new Event("follow"));
  });

  zoneButton.addEventListener("click", () => {
    useZone(zone === "UTC" ? OWN : "UTC");
    try {
      localStorage.setItem("zone", zone === "UTC" ? "UTC" : "own");
    } catch {
      // Nothing is kept, then.
    }
  });
  zoneButton.hidden = OWN === "UTC";

  document.addEventListener("drawn", () => {
    writeTimes(document);
    sync();
  });
  useZone(zone);
  sync();
}
