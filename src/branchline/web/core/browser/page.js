// What the table and the replay have in common: notices, menus, dialogs, copying links, tabs on a phone, zoom buttons.

import { markBody } from "./body_marks.js";
import { showAll } from "./final_scores.js";
import { notice } from "./notice.js";

export { notice };

export const texts = JSON.parse(document.getElementById("texts").textContent);

markBody(); // before the map is fitted into the room that is left to it

// Whether presses are heard. Who presses by program waits for this mark: before it, scripts are still on their way.
export function live(yes) {
  document.body.toggleAttribute("data-live", yes);
}

export function commonPresses(map) {
  document.addEventListener("click", (event) => {
    const on = (selector) => event.target.closest?.(selector);
    const zoom = on("[data-zoom]")?.dataset.zoom;
    if (zoom === "fit") map.fit(true);
    else if (zoom) map.zoom(zoom === "in" ? 1.5 : 1 / 1.5);
    const copy = on("[data-copy]");
    if (copy) copyText(new URL(copy.dataset.copy, location.href).href); // a path, unless the server knows its address
    const tab = on("[data-tab]"); // the page itself, when the press is beside the tabs: what is open folds
    if (tab && !on("#talk")) chooseTab(tab.dataset.tab);
    const open = on("[data-open]");
    if (open) {
      open.closest("details.menu")?.removeAttribute("open");
      document.getElementById(open.dataset.open)?.showModal();
    }
    // A press beside a dialog or menu closes it.
    if (event.target.matches?.("dialog")) event.target.close();
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target) && !menu.closest("dialog")) menu.open = false;
    }
  });
  followEnd(document.getElementById("end"), map);
}

function chooseTab(name) {
  const folded = document.body.dataset.tab === name && name !== "hand";
  document.body.dataset.tab = folded ? "hand" : name;
  for (const tab of document.querySelectorAll("[data-tab]")) {
    if (tab !== document.body) tab.setAttribute("aria-pressed", String(tab.dataset.tab === document.body.dataset.tab));
  }
  const list = document.querySelector("#choices details");
  if (list && name === "choices") list.open = true;
}

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    notice(texts.copied);
  } catch {
    notice(text, true); // without permission the link is shown, to be copied by hand
  }
}

// The clocks run here between two messages, by a clock that nobody sets: that of the phone may be wrong, or jump.
export function runClocks() {
  showClocks();
  setInterval(showClocks, 1000);
}

const URGENT = 20; // seconds from which a clock is loud
const clocks = new WeakMap(); // clock: the seconds that were left when the server said so, and when that was here

// After every message too: the server sends the seconds that are left, the page writes them as people do.
export function showClocks() {
  const now = performance.now();
  for (const clock of document.querySelectorAll(".clock")) {
    if (clock.hasAttribute("data-clock")) {
      clocks.set(clock, { left: Number(clock.dataset.clock), at: now });
      clock.removeAttribute("data-clock"); // it is there again when the server says it again
    }
    const { left, at } = clocks.get(clock);
    const passed = clock.hasAttribute("data-ticking") ? (now - at) / 1000 : 0;
    const seconds = Math.round(Math.max(left - passed, 0));
    const days = Math.floor(seconds / 86400);
    const time = new Date((seconds % 86400) * 1000).toISOString().slice(seconds >= 3600 ? 11 : 14, 19);
    clock.textContent = days ? `${days} d ${time}` : time;
    clock.classList.toggle("soon", clock.hasAttribute("data-ticking") && seconds <= URGENT);
  }
}

export function followEnd(end, map) {
  end.addEventListener("click", (event) => {
    const choice = event.target.closest("[data-end]")?.dataset.end;
    if (choice === "skip") {
      showAll(end);
    }
    if (choice === "fold") {
      end.classList.toggle("folded");
      markBody();
      map.refit();
    }
  });
}
