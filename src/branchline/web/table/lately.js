// What the others have done since this player decided last, until the player acts: what they built is outlined in their
// colours (the line `story` names it: `route-3:1` is route 3, built by seat 1), what they drew is marked in their seats, and
// a press shows it again, move by move.

import { light, thing } from "../core/browser/highlights.js";

const EACH = 900; // ms

let showing = 0; // counts what was begun: a later one ends an earlier one

export function showLately() {
  const story = document.getElementById("story");
  for (const old of document.querySelectorAll("#board .lately")) {
    old.classList.remove("lately", ...[...old.classList].filter((name) => /^p-\d$/.test(name)));
  }
  for (const mark of (story?.dataset.lately ?? "").split(" ").filter(Boolean)) {
    const [id, seat] = mark.split(":");
    thing(id)?.classList.add("lately", `p-${seat}`);
  }
  markSeats(story);
}

function markSeats(story) {
  const drawn = {};
  for (const { dataset } of story?.querySelectorAll("p") ?? []) {
    const so = (drawn[dataset.seat] ??= [0, 0]);
    so[0] += Number(dataset.cards);
    so[1] += Number(dataset.tickets);
  }
  for (const seat of document.querySelectorAll("#seats .seat")) {
    const counts = seat.querySelectorAll(".counts > li");
    (drawn[seat.id.slice(5)] ?? [0, 0]).forEach((count, n) => {
      if (count) counts[n].dataset.drawn = `+${count}`;
      else delete counts[n]?.dataset.drawn;
    });
  }
}

export function followStory() {
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("#story [data-again]")) showAgain();
  });
}

async function showAgain() {
  const mine = ++showing;
  const deeds = [...document.querySelectorAll("#story :is(p button, p span:not(.who, .vh))")].filter((deed) => deed.closest("p"));
  for (const deed of deeds) {
    if (mine !== showing || !deed.isConnected) break;
    deed.classList.add("telling");
    light(deed.dataset.highlights, "telling");
    await new Promise((go) => setTimeout(go, EACH));
    deed.classList.remove("telling");
  }
  if (mine === showing) light("", "telling");
}
