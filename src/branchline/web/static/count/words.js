// What the server has put into the page: its sentences, the editions, the language.

export const start = JSON.parse(document.getElementById("start").textContent);

export function say(key, fields = {}) {
  return start.texts[key].replace(/\{(\w+)\}/g, (_, name) => String(fields[name] ?? ""));
}

// `+4`, `−7`, `0`.
export const signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");

export const plainMinus = (points) => String(points).replace("-", "−");
