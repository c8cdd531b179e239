// The guide and the coach beside the table: what they mean is marked on the map, in the market and among tickets on
// offer, and an answer that a guide refuses is told why.

import { mark, thing } from "../core/browser/highlights.js";

const panels = () => [...document.querySelectorAll("#guide, #coach:not([hidden])")];

// What stands beside the map makes room for it (`--guide`), as long as it happens to be.
export function followGuide() {
  const guide = document.querySelector("#guide:not([hidden])");
  if (!guide) return;
  const measure = () => document.documentElement.style.setProperty("--guide", `${guide.offsetHeight}px`);
  new ResizeObserver(measure).observe(guide);
  followSheet();
}

// After every update: elements may have been exchanged. Answers with what of the map is marked.
export function showMarks() {
  const ids = panels().flatMap((panel) => (panel.dataset.marks ?? "").split(" ").filter(Boolean));
  const elements = ids.map(thing).filter(Boolean);
  mark("guided", elements);
  for (const old of document.querySelectorAll(":is(#market, #question) .guided")) if (!ids.includes(old.id)) old.classList.remove("guided");
  for (const id of ids) document.querySelector(`:is(#market, #question) [id="${id}"]`)?.classList.add("guided");
  return elements;
}

// On a phone the text is a sheet over the map: open on a new step, two lines once something else is pressed.
function followSheet() {
  const fold = (short) => {
    const guide = document.getElementById("guide");
    guide.classList.toggle("short", short);
    guide.querySelector("[data-pull]")?.setAttribute("aria-expanded", String(!short));
  };
  document.addEventListener("click", ({ target }) => {
    if (!target.closest?.("#guide")) fold(true);
    else if (target.closest("[data-pull]") || !target.closest("a, button")) fold(!document.getElementById("guide").classList.contains("short"));
  });
}

// Whether there is a guide that says so.
export function guideSays(why) {
  const line = document.getElementById("guide-why");
  if (!line) return false;
  line.textContent = why;
  line.hidden = false;
  line.scrollIntoView({ block: "nearest" });
  return true;
}

// The next answer is another one.
export function guideListens() {
  const line = document.getElementById("guide-why");
  if (line) line.hidden = true;
}

// An exercise is over: the next one is a press away for who has just answered by the keyboard, on the map or beside it.
export function offerNext() {
  const at = document.activeElement;
  if (at === document.body || at?.closest("#board") || !at?.getClientRects().length) document.querySelector("#guide.over .links .first")?.focus();
}
