// A board as the page reads it: the facts of `/count/<board>.json`, and what is found by name.

import { replaced, unaccented } from "../letters.js";

const GERMAN = { ä: "ae", ö: "oe", ü: "ue", å: "aa", ø: "oe" };

// Only letters and digits, lower case, without accents, as `boards.names.plain` has them.
export const plain = (text) => unaccented(text).replace(/[^\p{L}\p{N}]/gu, "");

const german = (text) => plain(replaced(text.toLowerCase().normalize("NFC"), GERMAN));

export function boardOf(facts) {
  const named = new Map();
  for (const write of [plain, german]) {
    for (const place of facts.places) if (!named.has(write(place.name))) named.set(write(place.name), place.index);
    for (const place of facts.places) {
      for (const name of place.names) if (!named.has(write(name))) named.set(write(name), place.index);
    }
  }
  named.delete("");
  const at = facts.places.map(() => []); // the routes at each place
  for (const route of facts.routes) {
    at[route.a].push(route);
    at[route.b].push(route);
  }
  const place = (text) => named.get(plain(text)) ?? named.get(german(text));
  return {
    ...facts,
    at,
    named,
    place,
    linesBetween: (a, b) => at[a].filter((route) => other(route, a) === b),
    setOf: (route) => at[route.a].filter((line) => line.set === route.set),
    isCountry: (index) => facts.places[index].kind === "country",
  };
}

// Where a route leads from one of its ends.
export const other = (route, place) => (route.a === place ? route.b : route.a);

// Places whose names begin with a text, then those that hold it.
export function placesLike(board, text) {
  const wanted = plain(text);
  if (!wanted) return [];
  const rank = (place) => {
    const written = place.names.flatMap((name) => [plain(name), german(name)]);
    if (written.includes(wanted)) return 0;
    if (written.some((name) => name.startsWith(wanted))) return 1;
    return written.some((name) => name.includes(wanted)) ? 2 : 3;
  };
  const ranked = board.places.filter((place) => place.kind !== "waypoint").map((place) => [rank(place), place]);
  return ranked.filter(([n]) => n < 3).sort((x, y) => x[0] - y[0]).map(([, one]) => one);
}
