// What lies on the painted map, and whose it is: routes, stations and ports in the colours of the seats.

import { middleOf } from "../curves.js";
import { drawn } from "./elements.js";
import { say } from "./words.js";

// `map`: board, svg, curves of its routes, titles of its drawings as they were.
export function paint(map, position) {
  for (const old of map.svg.querySelectorAll(".paint, .built")) old.remove();
  for (const old of map.svg.querySelectorAll(".painted")) old.classList.remove("painted");
  for (const [title, text] of map.titles) title.textContent = text;
  position.seats.forEach((seat, n) => {
    for (const index of seat.routes) paintRoute(map, index, n, seat.name);
    for (const index of seat.stations) paintPlace(map, index, n, seat.name, "station");
    for (const index of seat.ports) paintPlace(map, index, n, seat.name, "anchor");
  });
}

// The drawing of a route or place.
export const group = (map, kind, index) => map.svg.querySelector(`[data-${kind}="${index}"]`);

export const dotOf = (map, place) => group(map, "place", place).querySelector("circle[fill-opacity='0']");

function paintRoute(map, index, seat, name) {
  const drawing = group(map, "route", index);
  const path = drawing.querySelector(".hit").getAttribute("d");
  const [x, y] = middleOf(map.curves[index]);
  drawing.classList.add("painted");
  drawing.querySelector(".hit").before(
    drawn("g", { class: `paint p-${seat}`, "aria-hidden": "true" }, drawn("path", { class: "under", d: path }), drawn("path", { class: "over", d: path }), ...numberAt(map, x, y, seat)),
  );
  tell(drawing, "of_seat", name);
}

function paintPlace(map, index, seat, name, sign) {
  const drawing = group(map, "place", index);
  const dot = dotOf(map, index);
  const [x, y] = [Number(dot.getAttribute("cx")), Number(dot.getAttribute("cy"))];
  const size = 1.5 * map.board.plank;
  drawing.append(
    drawn(
      "g",
      { class: `built p-${seat}`, "aria-hidden": "true" },
      drawn("circle", { class: "plate", cx: x, cy: y, r: size }),
      drawn("use", { href: `#s-${sign}`, x: x - size * 0.85, y: y - size * 0.85, width: size * 1.7, height: size * 1.7 }),
      ...numberAt(map, x + size, y - size, seat),
    ),
  );
  tell(drawing, sign === "station" ? "station_of" : "port_of", name);
}

function numberAt({ board }, x, y, seat) {
  const r = 0.62 * board.plank;
  return [drawn("circle", { class: "ball", cx: x, cy: y, r }), drawn("text", { class: "number", x, y: y + 0.36 * r * 1.2, "font-size": 1.2 * r }, String(seat + 1))];
}

function tell(drawing, key, name) {
  const title = drawing.querySelector("title");
  title.textContent = `${title.textContent}, ${say(key, { name })}`;
}
