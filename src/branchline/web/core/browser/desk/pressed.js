// Which route or place a press on the painted map means, and what is asked where it can be several.

import { farFrom, middleOf } from "../curves.js";
import { mark } from "../highlights.js";
import { drawn } from "./elements.js";
import { dotOf, group } from "./painting.js";
import { lineMeant } from "./position.js";

const REACH = 30; // px of the screen: nothing farther is meant
const SURE = 3; // px: so near, and
const APART = 9; // px nearer than the next, it is this one and no other
const MOST_ASKED = 3;

// What lies near a press, the nearest first: {kind, index, far} with `far` in px of the screen. Lines of a set that are
// worth the same are one.
export function near(map, event, kind, position, seat) {
  const inside = event.target.closest?.(`[data-${kind}]`);
  if (!event.detail) return inside ? [candidate(map, kind, Number(inside.dataset[kind]), 0, position, seat)] : []; // by key
  const matrix = map.svg.getScreenCTM();
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  const all = kind === "route" ? map.board.routes.map(({ index }) => [index, farFrom(map.curves[index], at)]) : map.board.places.map(({ index }) => [index, farFromPlace(map, index, at)]);
  const candidates = [];
  for (const [index, units] of all.sort((a, b) => a[1] - b[1])) {
    const nearby = candidate(map, kind, index, units * matrix.a, position, seat);
    if (nearby.far > REACH) break;
    if (!candidates.some((other) => other.index === nearby.index)) candidates.push(nearby);
  }
  return candidates;
}

function candidate({ board }, kind, index, far, position, seat) {
  if (kind === "place") return { kind, index, far };
  const route = board.routes[index];
  const alike = board.setOf(route).filter((line) => line.length === route.length && line.points === route.points);
  const nearestFirst = [route, ...alike.filter((line) => line !== route)];
  return { kind, index: lineMeant(position, seat, nearestFirst).index, far };
}

function farFromPlace(map, index, at) {
  const dot = dotOf(map, index);
  return Math.hypot(dot.getAttribute("cx") - at.x, dot.getAttribute("cy") - at.y);
}

// Whether the first of the candidates is meant, and which others may be.
export function meant(candidates) {
  const [first, second] = candidates;
  if (!first) return [];
  const clear = !second || second.far - first.far > (first.far < SURE ? SURE : APART);
  return clear ? [first] : candidates.filter((choice) => choice.far - first.far <= APART).slice(0, MOST_ASKED);
}

// Candidates that have to be asked about, with letters on the map; none: take these away.
export function ask(map, candidates) {
  for (const old of map.svg.querySelectorAll(".asking")) old.remove();
  mark("asked", candidates.map((choice) => group(map, choice.kind, choice.index)));
  candidates.forEach((choice, n) => {
    if (choice.kind !== "route") return;
    const [x, y] = middleOf(map.curves[choice.index]);
    const r = 12 / map.svg.getScreenCTM().a;
    map.svg.append(drawn("g", { class: "asking", "aria-hidden": "true" }, drawn("circle", { cx: x, cy: y, r }), drawn("text", { x, y: y + 0.42 * r, "font-size": 1.25 * r }, String.fromCharCode(65 + n))));
  });
}
