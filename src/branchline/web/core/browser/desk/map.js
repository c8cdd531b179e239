// The map that is painted: pieces in the colours of the seats, and which route or place a press means.

import { curveOf, farFrom, middleOf } from "../curves.js";
import { light, mark } from "../highlights.js";
import { panzoom } from "../panzoom.js";
import { fitNames } from "../place_names.js";
import { drawn } from "./elements.js";
import { lineMeant } from "./position.js";
import { say } from "./words.js";

const REACH = 30; // px of the screen: nothing farther is meant
const SURE = 3; // px: so near, and
const APART = 9; // px nearer than the next, it is this one and no other
const MOST_ASKED = 3;

export function countMap(stage, ground, box) {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  let board = null;
  let svg = null;
  let curves = [];
  let titles = new Map();
  let zooming = null;

  function show(next) {
    if (board === next) return;
    board = next;
    sheet.replaceSync(board.style);
    box.innerHTML = board.svg;
    svg = box.querySelector("svg");
    svg.style.setProperty("--plank", board.plank);
    curves = board.routes.map((route) => curveOf(group("route", route.index).querySelector(".hit").getAttribute("d")));
    titles = new Map([...svg.querySelectorAll("[data-route] > title, [data-place] > title")].map((title) => [title, title.textContent]));
    svg.querySelector("[data-place]").setAttribute("tabindex", "0");
    if (zooming) zooming.fit();
    else {
      zooming = panzoom(stage, ground, { doubled: false });
      zooming.onDraw(() => fitNames(svg));
    }
  }

  const group = (kind, index) => svg.querySelector(`[data-${kind}="${index}"]`);

  // What lies on the board, and whose it is.
  function paint(position) {
    for (const old of svg.querySelectorAll(".paint, .built")) old.remove();
    for (const old of svg.querySelectorAll(".painted")) old.classList.remove("painted");
    for (const [title, text] of titles) title.textContent = text;
    position.seats.forEach((seat, n) => {
      for (const index of seat.routes) paintRoute(index, n, seat.name);
      for (const index of seat.stations) paintPlace(index, n, seat.name, "station");
      for (const index of seat.ports) paintPlace(index, n, seat.name, "anchor");
    });
  }

  function paintRoute(index, seat, name) {
    const drawing = group("route", index);
    const path = drawing.querySelector(".hit").getAttribute("d");
    const [x, y] = middleOf(curves[index]);
    drawing.classList.add("painted");
    drawing.querySelector(".hit").before(
      drawn("g", { class: `paint p-${seat}`, "aria-hidden": "true" }, drawn("path", { class: "under", d: path }), drawn("path", { class: "over", d: path }), ...numberAt(x, y, seat)),
    );
    tell(drawing, "of_seat", name);
  }

  function paintPlace(index, seat, name, sign) {
    const drawing = group("place", index);
    const dot = drawing.querySelector("circle[fill-opacity='0']");
    const [x, y] = [Number(dot.getAttribute("cx")), Number(dot.getAttribute("cy"))];
    const size = 1.5 * board.plank;
    drawing.append(
      drawn(
        "g",
        { class: `built p-${seat}`, "aria-hidden": "true" },
        drawn("circle", { class: "plate", cx: x, cy: y, r: size }),
        drawn("use", { href: `#s-${sign}`, x: x - size * 0.85, y: y - size * 0.85, width: size * 1.7, height: size * 1.7 }),
        ...numberAt(x + size, y - size, seat),
      ),
    );
    tell(drawing, sign === "station" ? "station_of" : "port_of", name);
  }

  function numberAt(x, y, seat) {
    const r = 0.62 * board.plank;
    return [drawn("circle", { class: "ball", cx: x, cy: y, r }), drawn("text", { class: "number", x, y: y + 0.36 * r * 1.2, "font-size": 1.2 * r }, String(seat + 1))];
  }

  function tell(drawing, key, name) {
    const title = drawing.querySelector("title");
    title.textContent = `${title.textContent}, ${say(key, { name })}`;
  }

  // What lies near a press, the nearest first: {kind, index, far} with `far` in px of the screen. Lines of a set that are
  // worth the same are one.
  function near(event, kind, position, seat) {
    const inside = event.target.closest?.(`[data-${kind}]`);
    if (!event.detail) return inside ? [candidate(kind, Number(inside.dataset[kind]), 0, position, seat)] : []; // by key
    const matrix = svg.getScreenCTM();
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const all = kind === "route" ? board.routes.map((route) => [route.index, farFrom(curves[route.index], at)]) : board.places.map((place) => [place.index, farFromPlace(place.index, at)]);
    const candidates = [];
    for (const [index, units] of all.sort((a, b) => a[1] - b[1])) {
      const nearby = candidate(kind, index, units * matrix.a, position, seat);
      if (nearby.far > REACH) break;
      if (!candidates.some((other) => other.index === nearby.index)) candidates.push(nearby);
    }
    return candidates;
  }

  function candidate(kind, index, far, position, seat) {
    if (kind === "place") return { kind, index, far };
    const route = board.routes[index];
    const alike = board.setOf(route).filter((line) => line.length === route.length && line.points === route.points);
    const nearestFirst = [route, ...alike.filter((line) => line !== route)];
    return { kind, index: lineMeant(position, seat, nearestFirst).index, far };
  }

  function farFromPlace(index, at) {
    const dot = group("place", index).querySelector("circle[fill-opacity='0']");
    return Math.hypot(dot.getAttribute("cx") - at.x, dot.getAttribute("cy") - at.y);
  }

  // Candidates that have to be asked about, with numbers on the map; none: take these away.
  function ask(candidates) {
    for (const old of svg.querySelectorAll(".asking")) old.remove();
    mark("asked", candidates.map((choice) => group(choice.kind, choice.index)));
    candidates.forEach((choice, n) => {
      if (choice.kind !== "route") return;
      const [x, y] = middleOf(curves[choice.index]);
      const r = 12 / svg.getScreenCTM().a;
      svg.append(drawn("g", { class: "asking", "aria-hidden": "true" }, drawn("circle", { cx: x, cy: y, r }), drawn("text", { x, y: y + 0.42 * r, "font-size": 1.25 * r }, String.fromCharCode(65 + n))));
    });
  }

  document.addEventListener("click", (event) => {
    const by = event.target.closest?.("[data-zoom]")?.dataset.zoom;
    if (by === "fit") zooming?.fit();
    else if (by) zooming?.zoom(by === "in" ? 1.6 : 1 / 1.6);
  });

  return {
    show,
    paint,
    near,
    ask,
    zoom: (by) => zooming?.zoom(by),
    fit: () => zooming?.fit(),
    // `dim`: all else steps back.
    light: (ids, dim = false) => {
      const elements = svg ? light(ids, "pinned") : [];
      svg?.classList.toggle("telling-one", dim && elements.length > 0);
      if (elements.length) zooming?.show(elements);
    },
    get svg() {
      return svg;
    },
    get curves() {
      return curves;
    },
  };
}

// Whether the first of the candidates is meant, and which others may be.
export function meant(candidates) {
  const [first, second] = candidates;
  if (!first) return [];
  const clear = !second || second.far - first.far > (first.far < SURE ? SURE : APART);
  return clear ? [first] : candidates.filter((choice) => choice.far - first.far <= APART).slice(0, MOST_ASKED);
}
