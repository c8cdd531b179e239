// What the server has put into the page: its sentences, the editions, the language.

import { worded } from "../wording.js";

export const start = JSON.parse(document.getElementById("start").textContent);

export function say(key, fields = {}) {
  return worded(start.texts[key], fields);
}

// `+4`, `−7`, `0`.
export const signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");

export const plainMinus = (points) => String(points).replace("-", "−");
