// Controls: each one is an htmx request to the REST API, and the curl line shown is made from the same attributes.
"use strict";
{
  const root = document.documentElement;
  const status = document.getElementById("status");
  const curlLine = document.getElementById("curl");
  const VERBS = ["post", "delete", "put"];

  const verbOf = (control) => {
    const verb = VERBS.find((name) => control.hasAttribute("hx-" + name));
    return control.dataset.toggle && control.getAttribute("aria-pressed") === "true"
      ? control.dataset.toggle
      : verb;
  };

  const pathOf = (control) => {
    const path = control.dataset.path ?? control.getAttribute("hx-" + VERBS.find((v) => control.hasAttribute("hx-" + v)));
    return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(control.elements?.[name]?.value ?? ""));
  };

  // Values go out as they were typed: a number stays digits and is never read as a double.
  const bodyOf = (control, entries) => {
    if (control.dataset.body) {
      return control.dataset.body;
    }
    const inPath = control.dataset.path?.match(/\{(\w+)\}/)?.[1];
    const parts = [];
    for (const [name, value] of entries) {
      const field = control.form?.elements?.[name] ?? control.elements?.[name] ?? control;
      if (value === "" && field.dataset?.empty) {
        parts.push(JSON.stringify(name) + ":" + field.dataset.empty);
      }
      if (value === "" || name === inPath) {
        continue;
      }
      const plain =
        value === "true" ||
        ((field.type === "number" || "number" in (field.dataset ?? {}) || "raw" in (field.dataset ?? {})) &&
          /^-?(0|[1-9]\d*)$/.test(value));
      parts.push(JSON.stringify(name) + ":" + (plain ? value : JSON.stringify(value)));
    }
    const body = parts.length ? "{" + parts.join(",") + "}" : "";
    return body && control.dataset.within ? "{" + JSON.stringify(control.dataset.within) + ":" + body + "}" : body;
  };

  const entriesOf = (control, submitter) => {
    if (control.tagName === "FORM") {
      return [...new FormData(control, submitter).entries()];
    }
    return control.name ? [[control.name, control.value]] : [];
  };

  const curl = (verb, path, body) => {
    const method = verb === "get" ? "" : "-X " + verb.toUpperCase() + " ";
    const json = body && verb !== "delete" ? " --json '" + body.replaceAll("'", "'\\''") + "'" : "";
    const url = /[?&]/.test(path) ? "'" + location.host + path + "'" : location.host + path;
    return "curl " + method + url + json;
  };

  htmx.defineExtension("json-body", {
    onEvent: (name, event) => {
      if (name === "htmx:configRequest") {
        const { detail } = event;
        detail.verb = verbOf(detail.elt);
        detail.path = pathOf(detail.elt);
        if (detail.verb === "delete") {
          detail.useUrlParams = true;
          delete detail.headers["Content-Type"];
        } else {
          detail.headers["Content-Type"] = "application/json";
        }
      }
      return true;
    },
    encodeParameters: (xhr, parameters, control) => {
      return bodyOf(control, parameters.entries()) || "{}";
    },
  });

  // ---- what a control said

  let waiting = 0;
  let clock = 0;
  let clearing = 0;

  const say = (kind, sentence) => {
    clearTimeout(clearing);
    status.dataset.kind = kind;
    status.textContent = sentence;
    if (kind === "done") {
      clearing = setTimeout(() => (status.textContent = ""), 5000);
    }
  };

  const nameOf = (control, submitter) => {
    const named = submitter ?? control;
    return (named.getAttribute("aria-label") ?? named.textContent).trim().replace(/\s+/g, " ");
  };

  const answerOf = (xhr) => {
    try {
      const problem = JSON.parse(xhr.responseText);
      return problem.detail ?? problem.title;
    } catch {
      return null;
    }
  };

  document.addEventListener("htmx:beforeRequest", (event) => {
    const control = event.detail.elt;
    if (control.getAttribute("aria-disabled") === "true") {
      event.preventDefault();
      say("fault", nameOf(control) + ": the lane is not running.");
      return;
    }
    control.setAttribute("aria-busy", "true");
    const name = nameOf(control, event.detail.requestConfig.triggeringEvent?.submitter);
    const began = Date.now();
    waiting += 1;
    say("busy", name + " …");
    clearInterval(clock);
    clock = setInterval(() => say("busy", name + " … " + Math.round((Date.now() - began) / 1000) + " s"), 1000);
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt: control, xhr, successful } = event.detail;
    control.removeAttribute("aria-busy");
    waiting -= 1;
    if (waiting <= 0) {
      clearInterval(clock);
    }
    const name = nameOf(control, event.detail.requestConfig.triggeringEvent?.submitter);
    if (successful) {
      say("done", name + ": done.");
    } else if (xhr.status === 0) {
      say("fault", name + ": the lab does not answer. It may have been stopped.");
    } else {
      say("fault", name + ": " + (answerOf(xhr) ?? "refused, with status " + xhr.status + "."));
    }
  });

  // ---- the curl line of the control under focus or pointer

  let pressed = null;

  const controlAt = (element) => {
    const control = element.closest?.("[hx-post], [hx-delete], [hx-put]");
    return control && (control.tagName !== "FORM" || element.closest("button, input, select")) ? control : null;
  };

  const explain = (event) => {
    const control = controlAt(event.target);
    if (control !== pressed || event.type !== "pointerover") {
      pressed = null;
    }
    if (control && control !== pressed) {
      const submitter = event.target.closest("button[name]");
      const body = bodyOf(control, entriesOf(control, control.tagName === "FORM" ? submitter : null));
      curlLine.textContent = curl(verbOf(control), pathOf(control), body);
    }
  };
  for (const kind of ["focusin", "pointerover", "input", "change"]) {
    document.addEventListener(kind, explain);
  }

  // The line of what was just done stays until the pointer or the focus is elsewhere: a press may turn a control into its opposite.
  document.addEventListener("htmx:beforeSend", (event) => {
    const { elt: control, requestConfig } = event.detail;
    const submitter = requestConfig.triggeringEvent?.submitter;
    pressed = control;
    curlLine.textContent = curl(requestConfig.verb, requestConfig.path, bodyOf(control, entriesOf(control, submitter)));
  });

  for (const code of document.querySelectorAll("[data-curl]")) {
    code.textContent = curl(code.dataset.curl.toLowerCase(), code.dataset.url, code.dataset.json);
  }

  document.getElementById("copy")?.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(curlLine.textContent);
      say("done", "Copied.");
    } catch {
      getSelection().selectAllChildren(curlLine);
      say("done", "Selected: press Ctrl+C to copy.");
    }
  });

  // ---- replay: first the preview, then the deed

  const replay = document.getElementById("replay-form");
  if (replay) {
    const preview = document.getElementById("replay-preview");
    const go = document.getElementById("replay-go");
    replay.addEventListener("input", () => {
      go.disabled = true;
      preview.textContent = "Preview first: it shows from where to where, and changes nothing.";
    });
    replay.addEventListener("htmx:afterRequest", (event) => {
      if (!event.detail.successful) {
        preview.textContent = answerOf(event.detail.xhr) ?? "That was refused.";
        return;
      }
      const dry = event.detail.requestConfig.triggeringEvent?.submitter?.name === "dryRun";
      const { group, partitions } = JSON.parse(event.detail.xhr.responseText);
      const moves = partitions.map(
        (p) => "partition " + p.partition + ": " + (p.from ?? "none") + " → " + p.to + ", " + p.records + (p.records === 1 ? " record" : " records") + " to read",
      );
      preview.textContent = (dry ? "Preview, nothing changed. " : "Moved. ") + moves.join("; ") + ". Group " + group + ".";
      go.disabled = !dry;
    });
  }

  // ---- theme and present mode

  const theme = document.getElementById("theme");
  if (theme) {
    theme.value = root.dataset.theme ?? "system";
    theme.addEventListener("change", () => {
      if (theme.value === "system") {
        delete root.dataset.theme;
      } else {
        root.dataset.theme = theme.value;
      }
      try {
        localStorage.setItem("theme", theme.value);
      } catch {
        // Nothing is kept, then.
      }
    });
  }

  const present = document.getElementById("present");
  const setPresent = (on) => {
    root.toggleAttribute("data-present", on);
    present?.setAttribute("aria-pressed", String(on));
  };
  setPresent(root.hasAttribute("data-present"));
  present?.addEventListener("click", () => setPresent(!root.hasAttribute("data-present")));

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      const open = document.querySelector("details.menu[open]");
      if (open) {
        open.open = false;
        open.querySelector("summary").focus();
      } else {
        setPresent(false);
      }
    }
  });
  // What was asked for in such a menu is to be seen behind it.
  document.addEventListener("htmx:afterRequest", (event) => {
    const menu = event.target.closest("details.menu[data-closes]");
    if (menu && event.detail.successful) {
      menu.open = false;
    }
  });
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) {
        menu.open = false;
      }
    }
  });
}
