// Ways to be lit on the map. Countries are dead ends: nothing passes through one.

import { other } from "../core/browser/desk/board.js";

// The shortest way over these routes, as routes; null where there is none.
export function shortestWay(board, routes, start, goal) {
  const out = new Map();
  for (const route of routes) {
    for (const end of [route.a, route.b]) out.set(end, [...(out.get(end) ?? []), route]);
  }
  const cost = new Map([[start, 0]]);
  const came = new Map();
  const open = new Set([start]);
  while (open.size) {
    const nearest = [...open].reduce((best, place) => (cost.get(place) < cost.get(best) ? place : best));
    if (nearest === goal) break;
    open.delete(nearest);
    if (nearest !== start && board.isCountry(nearest)) continue;
    for (const route of out.get(nearest) ?? []) {
      const neighbour = other(route, nearest);
      const total = cost.get(nearest) + route.length;
      if (total >= (cost.get(neighbour) ?? Infinity)) continue;
      cost.set(neighbour, total);
      came.set(neighbour, route);
      open.add(neighbour);
    }
  }
  if (!came.has(goal) && start !== goal) return null;
  const way = [];
  for (let place = goal; place !== start; place = other(way.at(-1), place)) way.push(came.get(place));
  return way.reverse();
}
