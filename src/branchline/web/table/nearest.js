// What a tap on the map means. A finger is wider than a line, so the nearest line counts, those that may be claimed first;
// where two lie about as near, both are meant.

import { curveOf, farFrom } from "../core/browser/curves.js";

const REACH = 14; // pixels from the tap within which something is meant
const CLOSE = 8; // pixels by which another thing may lie farther off than the nearest, and still be offered
const MOST = 8; // things that are offered

const curves = new WeakMap(); // path: its curve

function curveAlong(path) {
  if (!curves.has(path)) curves.set(path, curveOf(path.getAttribute("d")));
  return curves.get(path);
}

function toPlace(place, { x, y }) {
  const dot = place.querySelector("circle[fill-opacity='0']");
  return Math.hypot(dot.getAttribute("cx") - x, dot.getAttribute("cy") - y);
}

// The ids of what a tap may mean, the likeliest first: none, one, or several to choose from.
export function meantBy(x, y) {
  const screen = document.querySelector("#board svg").getScreenCTM();
  const at = new DOMPoint(x, y).matrixTransform(screen.inverse());
  const things = [...document.querySelectorAll("#board [data-route], #board [data-place]")].map((element) => {
    const { route, place } = element.dataset;
    const units = route ? farFrom(curveAlong(element.querySelector(".hit")), at) : toPlace(element, at);
    return { id: route ? `route-${route}` : `place-${place}`, can: element.classList.contains("can"), far: units * screen.a };
  });
  const near = things.filter((thing) => thing.far <= REACH).sort((first, second) => first.far - second.far);
  const able = near.filter((thing) => thing.can);
  if (!able.length) return near.slice(0, 1).map((thing) => thing.id);
  return able.filter((thing) => thing.far < able[0].far + CLOSE).slice(0, MOST).map((thing) => thing.id);
}
