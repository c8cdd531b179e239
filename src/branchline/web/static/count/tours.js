// Tours done in order: one trail of own routes through all cities as printed.

import { other } from "./board.js";

export function inOrder(board, routes, ticket) {
  const stops = ticket.places;
  const out = board.places.map(() => []);
  for (const route of routes) {
    out[route.a].push(route);
    out[route.b].push(route);
  }
  const used = new Set();

  // Whether unused routes join two places.
  function unusedJoin(start, goal) {
    const flooded = new Set([start]);
    const flood = [start];
    for (const here of flood) {
      if (board.isCountry(here) && here !== start) continue;
      for (const route of out[here]) {
        const there = other(route, here);
        if (used.has(route) || flooded.has(there)) continue;
        if (there === goal) return true;
        flooded.add(there);
        flood.push(there);
      }
    }
    return false;
  }

  const restIsJoined = (first) => stops.slice(first, -1).every((stop, n) => unusedJoin(stop, stops[first + n + 1]));

  // On from a place to the city number `goal`. A way between two cities need not cross itself.
  function goOn(here, goal, onLeg) {
    for (const route of out[here]) {
      const there = other(route, here);
      if (used.has(route) || onLeg.has(there)) continue;
      const arrives = there === stops[goal];
      const last = goal === stops.length - 1;
      if (board.isCountry(there) && !(arrives && last)) continue;
      if (arrives && last) return true;
      used.add(route);
      if (arrives ? restIsJoined(goal) && goOn(there, goal + 1, new Set([there])) : goOn(there, goal, new Set([...onLeg, there]))) return true;
      used.delete(route);
    }
    return false;
  }

  return restIsJoined(0) && goOn(stops[0], 1, new Set([stops[0]]));
}
