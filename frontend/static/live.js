// Keeps the page's pieces as they are in the lab. One EventSource a page; see docs/decisions on live updates.
// Says "drawn" once new pieces are in place, for scripts that work on them.
"use strict";
{
  const address = () => document.body.dataset.live;
  const sign = document.getElementById("live-state");
  const QUIET = 12_000; // the server beats every five seconds
  const LONGEST_WAIT = 10_000;

  let source = null;
  let failures = 0;
  let retry = 0;
  let watchdog = 0;

  const show = (state, words) => {
    if (sign && sign.dataset.state !== state) {
      sign.dataset.state = state;
      sign.textContent = words;
      document.documentElement.dataset.live = state;
    }
  };

  const copyAttributes = (from, to) => {
    for (const { name } of [...to.attributes]) {
      // htmx keeps its own marks on a control while a request is under way.
      if (!from.hasAttribute(name) && name !== "aria-busy") {
        to.removeAttribute(name);
      }
    }
    for (const { name, value } of from.attributes) {
      if (to.getAttribute(name) !== value) {
        to.setAttribute(name, value);
      }
    }
    if (from.dataset.text !== undefined && to.textContent !== from.dataset.text) {
      to.textContent = from.dataset.text;
    }
  };

  // A control is never replaced while its group has the same members, so focus and typing survive.
  const keep = (fresh, piece) => {
    const ids = (root) => [...root.querySelectorAll("[id]")].map((element) => element.id);
    if (ids(fresh).join() === ids(piece).join()) {
      for (const control of fresh.querySelectorAll("[id]")) {
        copyAttributes(control, document.getElementById(control.id));
      }
      return;
    }
    const focused = piece.contains(document.activeElement) ? document.activeElement.id : "";
    piece.replaceChildren(...fresh.childNodes);
    window.htmx?.process(piece);
    if (focused) {
      // A control that is gone leaves the focus to its neighbour, not to the top of the page.
      (document.getElementById(focused) ?? piece.querySelector("a, button"))?.focus();
    }
  };

  const last = new Map();

  const draw = (html) => {
    const parsed = document.createElement("template");
    parsed.innerHTML = html;
    for (const fresh of parsed.content.querySelectorAll("[data-piece]")) {
      const piece = document.getElementById(fresh.id);
      const text = fresh.outerHTML;
      if (!piece || last.get(fresh.id) === text) {
        continue;
      }
      last.set(fresh.id, text);
      copyAttributes(fresh, piece);
      if (fresh.dataset.piece === "keep") {
        keep(fresh, piece);
      } else {
        piece.replaceChildren(...fresh.childNodes);
      }
    }
    document.dispatchEvent(new Event("drawn"));
  };

  const alive = () => {
    failures = 0;
    show("on", "live");
    clearTimeout(watchdog);
    watchdog = setTimeout(cut, QUIET);
  };

  const close = () => {
    clearTimeout(watchdog);
    clearTimeout(retry);
    source?.close();
    source = null;
  };

  const cut = () => {
    close();
    show("off", "not live since " + new Date().toLocaleTimeString("en-GB"));
    failures += 1;
    const wait = Math.min(LONGEST_WAIT, 250 * 2 ** failures);
    retry = setTimeout(open, wait * (0.75 + Math.random() / 2));
  };

  const open = () => {
    close();
    if (document.hidden) {
      return;
    }
    last.clear();
    source = new EventSource(address());
    source.addEventListener("html", (event) => {
      alive();
      draw(event.data);
    });
    source.addEventListener("beat", alive);
    source.addEventListener("error", cut);
    watchdog = setTimeout(cut, QUIET);
  };

  if (address()) {
    // A browser opens six connections to one host: a tab that nobody sees gives its own back.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) {
        close();
        show("wait", "asleep");
      } else {
        open();
      }
    });
    // A page that now shows something else says so in data-live.
    document.addEventListener("follow", open);
    window.addEventListener("pagehide", close);
    window.addEventListener("pageshow", (event) => event.persisted && open());
    open();
  } else if (sign) {
    sign.hidden = true;
  }
}
