// What the others have built since this player decided last, outlined in their colours until the player acts. The line
// `story` names it: `route-3:1` is route 3, built by seat 1.

import { thing } from "../core/browser/highlights.js";

export function showLately() {
  for (const old of document.querySelectorAll("#board .lately")) {
    old.classList.remove("lately", ...[...old.classList].filter((name) => /^p-\d$/.test(name)));
  }
  for (const mark of (document.getElementById("story")?.dataset.lately ?? "").split(" ").filter(Boolean)) {
    const [id, seat] = mark.split(":");
    thing(id)?.classList.add("lately", `p-${seat}`);
  }
}
