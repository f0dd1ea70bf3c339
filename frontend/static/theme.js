// Runs before the first paint, so that a stored theme does not flash.
"use strict";
{
  const asked = new URLSearchParams(location.search);
  let stored = null;
  try {
    stored = localStorage.getItem("theme");
  } catch {
    // A browser that keeps nothing: the system's theme it is.
  }
  const theme = asked.get("theme") ?? stored;
  if (theme === "light" || theme === "dark") {
    document.documentElement.dataset.theme = theme;
  }
  if (asked.has("present")) {
    document.documentElement.dataset.present = "";
  }
}
