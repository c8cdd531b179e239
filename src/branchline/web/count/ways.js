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
    const here = [...open].reduce((best, one) => (cost.get(one) < cost.get(best) ? one : best));
    if (here === goal) break;
    open.delete(here);
    if (here !== start && board.isCountry(here)) continue;
    for (const route of out.get(here) ?? []) {
      const there = other(route, here);
      const total = cost.get(here) + route.length;
      if (total >= (cost.get(there) ?? Infinity)) continue;
      cost.set(there, total);
      came.set(there, route);
      open.add(there);
    }
  }
  if (!came.has(goal) && start !== goal) return null;
  const way = [];
  for (let here = goal; here !== start; here = other(way.at(-1), here)) way.push(came.get(here));
  return way.reverse();
}
