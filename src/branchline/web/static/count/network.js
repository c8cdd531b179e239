// Which places the routes of a seat join. Countries are dead ends: a network reaches them and goes no further.

import { other } from "./board.js";

// `routes`: what joins. Answers with `joined(a, b)`.
export function networkOf(board, routes) {
  const label = board.places.map((place) => place.index);
  const root = (place) => {
    while (label[place] !== place) place = label[place];
    return place;
  };
  for (const route of routes) {
    if (!board.isCountry(route.a) && !board.isCountry(route.b)) label[root(route.b)] = root(route.a);
  }
  const reached = new Map(); // country: roots of the networks that end there
  for (const route of routes) {
    for (const [end, country] of [[route.a, route.b], [route.b, route.a]]) {
      if (!board.isCountry(country) || board.isCountry(end)) continue;
      if (!reached.has(country)) reached.set(country, new Set());
      reached.get(country).add(root(end));
    }
  }
  const roots = (place) => (board.isCountry(place) ? (reached.get(place) ?? new Set()) : new Set([root(place)]));
  const joined = (a, b) => [...roots(a)].some((one) => roots(b).has(one));
  return { root, joined };
}

// Whether all places of a ticket are joined.
export const ticketJoined = (network, ticket) => ticket.places.slice(1).every((place) => network.joined(ticket.places[0], place));

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
