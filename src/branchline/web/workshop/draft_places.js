// What is asked about the places of a draft: which of them a typed name means, and how far apart two of them lie.

import { unaccented } from "../core/browser/letters.js";

export function placeNames(draft) {
  return [...draft.tables.cities.values()].map((cells) => cells.name ?? "").filter(Boolean);
}

// The names that a typed text can mean; one that fits exactly is the only one. Capitals and accents may be left out,
// and the end of the name where no other begins alike.
export function namesMeant(names, typed) {
  const text = typed.trim();
  if (names.includes(text)) return [text];
  const wanted = unaccented(text);
  const alike = names.filter((name) => unaccented(name) === wanted);
  return alike.length ? alike : names.filter((name) => wanted && unaccented(name).startsWith(wanted));
}

// Spaces of the shortest way between two places; null: there is none. Nothing passes through a country.
export function shortestWay(draft, a, b) {
  const countries = new Set([...draft.tables.cities.values()].filter((cells) => cells.kind === "country").map((cells) => cells.name));
  const ways = waysFrom(draft);
  const open = new Map([[a, 0]]);
  const closed = new Set();
  while (open.size) {
    const [nearest, far] = [...open].reduce((best, city) => (city[1] < best[1] ? city : best));
    if (nearest === b) return far;
    open.delete(nearest);
    closed.add(nearest);
    if (countries.has(nearest) && nearest !== a) continue;
    for (const [to, length] of ways.get(nearest) ?? []) {
      if (!closed.has(to) && far + length < (open.get(to) ?? Infinity)) open.set(to, far + length);
    }
  }
  return null;
}

// By place, where its routes lead, and their lengths.
function waysFrom(draft) {
  const ways = new Map();
  for (const { city_a, city_b, length } of draft.tables.routes.values()) {
    const far = Number(length);
    if (!(far >= 1)) continue;
    for (const [from, to] of [[city_a, city_b], [city_b, city_a]]) ways.set(from, [...(ways.get(from) ?? []), [to, far]]);
  }
  return ways;
}
