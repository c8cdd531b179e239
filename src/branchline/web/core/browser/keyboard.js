// The whole table without a mouse. Keys press the buttons that are there; in the map the arrows walk from one place or
// route to the nearest in that direction.

const GOALS = { q: "#question", h: "#hand", k: "#tickets", l: "#log ol" };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ON_MAP = "#board [data-route], #board [data-place]";

export function keyboard({ map, openHelp, openTalk }) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.(ON_MAP) && onMap(event)) return;
    if (event.target.matches?.("input:not([type=checkbox]),select,textarea") || document.querySelector("dialog[open]")) return;
    if (document.querySelector("#cover:not([hidden])")) return;
    const done = press(event.key);
    if (done) event.preventDefault();
  });

  function press(key) {
    if (/^[1-8]$/.test(key)) return click(`#slot-${key}`);
    if (key === "0") return click("#deck-train");
    if (key === "9") return click("#deck-ship");
    if (key === "t") return click("#deck-ticket");
    if (key === "i") return click("#hint");
    if (key === "u") return click("[data-do=undo]");
    if (key === "c") return openChoices();
    if (key === "m") return enterMap();
    if (key === "s") return openTalk?.() ?? false;
    if (key === "+" || key === "=") return map.zoom(1.4), true;
    if (key === "-") return map.zoom(1 / 1.4), true;
    if (key === "f") return map.fit(), true;
    if (key === "?") return openHelp(), true;
    if (key === "Escape") return focus("#question");
    return GOALS[key] ? focus(GOALS[key]) : false;
  }

  function onMap(event) {
    const focused = event.target.closest(ON_MAP);
    if (event.key === "Enter" || event.key === " ") {
      focused.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    } else if (ARROWS[event.key]) {
      const next = nearest(focused, ARROWS[event.key]);
      if (next) step(focused, next);
    } else return false;
    event.preventDefault();
    return true;
  }

  function step(from, to) {
    from?.setAttribute("tabindex", "-1");
    to.setAttribute("tabindex", "0");
    to.focus({ preventScroll: true });
    map.show([to]);
  }

  function enterMap() {
    step(null, document.querySelector('#board [tabindex="0"]') || first());
    return true;
  }

  readyMap();
}

// Exactly one thing on the map can be reached with Tab; from there the arrows go on.
export function readyMap() {
  if (!document.querySelector('#board [tabindex="0"]')) first()?.setAttribute("tabindex", "0");
}

function first() {
  return document.querySelector("#board .can") || document.querySelector("#board [data-place]");
}

function middle(element) {
  const box = (element.querySelector(".bed, .hit, .p") || element).getBoundingClientRect();
  return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
}

function nearest(from, [dx, dy]) {
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const other of document.querySelectorAll(ON_MAP)) {
    if (other === from) continue;
    const [ox, oy] = middle(other);
    const along = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (along <= 1 || aside > 2 * along) continue;
    const far = along + 2 * aside;
    if (far < least) [best, least] = [other, far];
  }
  return best;
}

function click(selector) {
  const button = document.querySelector(selector);
  button?.click();
  return Boolean(button);
}

function focus(selector) {
  const goal = document.querySelector(selector);
  const inside = goal?.matches("[tabindex]") ? goal : goal?.querySelector("button,[href],input,[tabindex]");
  (inside || goal)?.focus();
  return Boolean(goal);
}

function openChoices() {
  document.body.dataset.tab = "choices";
  const list = document.querySelector("#choices details");
  if (!list) return false;
  list.open = true;
  list.querySelector("button")?.focus();
  return true;
}
