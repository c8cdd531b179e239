// The map of the editor: what lies where, and what the mouse or a finger does there. All of it can be done in the lists
// of the panel as well, by keyboard.

import { panzoom } from "../core/browser/panzoom.js";

const SVG = "http://www.w3.org/2000/svg";
const R = 10; // px of the sheet, a place
const APART = 13; // between parallel routes
const SMALLEST = 0.6; // of its size is a sign still easy to see; on a narrow map signs are larger on the sheet
const LARGEST = 2.2; // times
const KINDS = ["land", "park", "lake", "street", "canal", "river", "stream", "border"];

// `on`: selected(table, row), moved(row, point), placed(point), joined(row, row); `look()`: draft, ground, tool, selected,
// troubled (ids of rows with faults).
export function editorMap(stage, on) {
  const holder = stage.querySelector(".ground");
  const svg = stage.querySelector("svg");
  const layers = Object.fromEntries(["ground", "routes", "places", "pen"].map((name) => [name, svg.querySelector(`.${name}`)]));
  let state = null;
  let points = new Map(); // row of a place → [x, y]
  let drag = null;
  let zoomed;
  let size = 1; // of all signs

  // ---------------------------------------------------------------- where things lie

  function toSheet({ clientX, clientY }) {
    const point = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  function draw(next) {
    const fresh = state?.ground !== next.ground;
    state = next;
    const room = stage.getBoundingClientRect();
    const shown = Math.min(room.width / next.ground.width, room.height / next.ground.height);
    size = Math.min(Math.max(SMALLEST / shown, 1), LARGEST);
    svg.style.setProperty("--size", size.toFixed(2));
    points = pointsOf(next.draft, next.ground);
    if (fresh) drawGround();
    drawRoutes();
    drawPlaces();
    stage.dataset.tool = next.tool;
  }

  function drawGround() {
    const { width, height, paths } = state.ground;
    const before = svg.getAttribute("viewBox");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    stage.classList.toggle("inland", !paths.land);
    layers.ground.replaceChildren(...KINDS.filter((kind) => paths[kind]).map((kind) => element("path", { class: kind, d: paths[kind] })));
    if (!zoomed) zoomed = panzoom(stage, holder);
    else if (before !== svg.getAttribute("viewBox")) zoomed.fit();
  }

  function drawRoutes() {
    const { draft, selected, troubled, lit } = state;
    const byName = new Map([...draft.tables.cities].map(([row, cells]) => [cells.name ?? "", row]));
    const lines = new Map();
    for (const [row, cells] of draft.tables.routes) {
      const ends = [byName.get(cells.city_a), byName.get(cells.city_b)];
      if (!ends.every((end) => points.has(end))) continue;
      const key = [...ends].sort().join(" ");
      lines.set(key, [...(lines.get(key) ?? []), { row, cells, ends }]);
    }
    const drawn = [];
    for (const parallel of lines.values()) {
      parallel.forEach(({ row, cells, ends }, n) => {
        const [from, to] = [...ends].sort().map((end) => points.get(end)); // the same way round for all of them
        const away = (n - (parallel.length - 1) / 2) * APART * size;
        const d = cells.wraps === "yes" ? overTheEdge(from, to, state.ground.width) : line(from, to, away, size);
        drawn.push(route(row, cells, d, Math.hypot(to[0] - from[0], to[1] - from[1]), size, row === selected?.row, troubled.has(row), lit));
      });
    }
    layers.routes.replaceChildren(...drawn);
  }

  function drawPlaces() {
    const { draft, selected, troubled, lit } = state;
    const drawn = [];
    const r = R * size;
    const boxes = [...points.values()].map(([x, y]) => [x - r, y - r, x + r, y + r]);
    for (const [row, [x, y]] of points) {
      const cells = draft.tables.cities.get(row);
      const kind = ["country", "waypoint"].includes(cells.kind) ? cells.kind : "city";
      const group = element("g", { class: `place ${kind}`, "data-row": row });
      if (cells.port === "yes") group.classList.add("port");
      if (row === selected?.row) group.classList.add("selected");
      if (troubled.has(row)) group.classList.add("troubled");
      if (lit.has(cells.name)) group.classList.add("lit");
      group.append(element("circle", { class: "reach", cx: x, cy: y, r: 2.1 * r }));
      if (kind === "country") group.append(element("rect", { class: "dot", x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: 3 }));
      else group.append(element("circle", { class: "dot", cx: x, cy: y, r: kind === "waypoint" ? 0.6 * r : r }));
      if (kind !== "waypoint" && cells.name) {
        const [tx, ty, anchor, box] = roomFor(cells, x, y, boxes, state.ground, size);
        boxes.push(box);
        const label = element("text", { x: tx, y: ty, "text-anchor": anchor });
        label.textContent = cells.name;
        group.append(label);
      }
      drawn.push(group);
    }
    layers.places.replaceChildren(...drawn);
  }

  // ---------------------------------------------------------------- the hand

  function under(event) {
    const marked = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-row]");
    return marked && svg.contains(marked) ? marked : null;
  }

  stage.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button || !state?.mayEdit) return;
      const place = event.target.closest?.(".place");
      if (!place) return;
      if (state.tool !== "select" && state.tool !== "route") return;
      event.stopPropagation(); // the map stays where it is
      drag = { row: place.dataset.row, from: [event.clientX, event.clientY], tool: state.tool, moved: false, id: event.pointerId };
    },
    true,
  );
  addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.from[0], event.clientY - drag.from[1]) < 5) return;
    drag.moved = true;
    const [x, y] = toSheet(event);
    const [x0, y0] = points.get(drag.row) ?? [x, y];
    layers.pen.replaceChildren(
      drag.tool === "route" ? element("path", { class: "thread", d: `M${x0} ${y0}L${x} ${y}` }) : element("circle", { class: "ghost", cx: x, cy: y, r: R }),
    );
  });
  addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { row, tool, moved } = drag;
    drag = null;
    layers.pen.replaceChildren();
    swallow = true; // the click that follows
    setTimeout(() => (swallow = false));
    if (!moved) return on.selected("cities", row);
    if (tool === "select") return on.moved(row, state.ground, toSheet(event));
    const other = under(event);
    if (other?.classList.contains("place") && other.dataset.row !== row) on.joined(row, other.dataset.row);
  });
  addEventListener("pointercancel", () => {
    drag = null;
    layers.pen.replaceChildren();
  });

  let swallow = false; // the click at the end of a drag
  stage.addEventListener("click", (event) => {
    if (swallow || !state || event.target.closest("button")) return;
    const pressed = event.target.closest("[data-row]");
    if (state.tool === "place" && state.mayEdit && !pressed?.classList.contains("place")) return on.placed(state.ground, toSheet(event));
    if (!pressed) return on.selected(null, null);
    on.selected(pressed.classList.contains("place") ? "cities" : "routes", pressed.dataset.row);
  });

  return {
    draw,
    zoom: (by) => zoomed?.zoom(by),
    fit: () => zoomed?.fit(),
    show(row) {
      const drawing = svg.querySelector(`[data-row="${row}"]`);
      if (drawing) zoomed?.show([drawing]);
    },
  };
}

// ------------------------------------------------------------------------------------------------ projection

const RADIANS = Math.PI / 180;

// As `draw.projection.Mercator`: degrees on a sheet of these bounds, and back.
export function onSheet({ width, height, bounds: [west, south, east, north] }, lat, lon) {
  const counted = lon + 360 * Math.round(((west + east) / 2 - lon) / 360);
  const [top, bottom] = [mercator(north), mercator(south)];
  return [((counted - west) / (east - west)) * width, ((top - mercator(lat)) / (top - bottom)) * height];
}

export function offSheet({ width, height, bounds: [west, south, east, north] }, [x, y]) {
  const [top, bottom] = [mercator(north), mercator(south)];
  const lat = Math.atan(Math.sinh(top - (y / height) * (top - bottom))) / RADIANS;
  const lon = west + (x / width) * (east - west);
  return [lat, ((((lon + 180) % 360) + 360) % 360) - 180];
}

function mercator(lat) {
  return Math.asinh(Math.tan(Math.min(Math.max(lat, -84), 84) * RADIANS));
}

// Of a draft the places that lie somewhere; a table `layout` goes before degrees.
export function pointsOf(draft, ground) {
  const sheet = new Map([...draft.tables.layout.values()].map((cells) => [cells.name, cells]));
  const points = new Map();
  for (const [row, cells] of draft.tables.cities) {
    const nudge = [number(cells.nudge_x) ?? 0, number(cells.nudge_y) ?? 0];
    let point = null;
    if (!ground.bounds) {
      const at = sheet.get(cells.name);
      const [x, y] = [number(at?.x), number(at?.y)];
      if (x !== null && y !== null) point = [x * ground.width, y * ground.height];
    } else {
      const [lat, lon] = [number(cells.lat), number(cells.lon)];
      if (lat !== null && lon !== null && Math.abs(lat) <= 90 && Math.abs(lon) <= 180) point = onSheet(ground, lat, lon);
    }
    if (point) points.set(row, [point[0] + nudge[0], point[1] + nudge[1]]);
  }
  return points;
}

export function number(text) {
  const number = text === undefined || text === "" ? NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

// ------------------------------------------------------------------------------------------------ drawing

function element(name, attributes) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

function line([x1, y1], [x2, y2], away, size) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const air = Math.min((R + 4) * size, length / 3);
  const [px, py] = [-dy * away, dx * away];
  return `M${x1 + dx * air + px} ${y1 + dy * air + py}L${x2 - dx * air + px} ${y2 - dy * air + py}`;
}

function overTheEdge(one, other, width) {
  const [left, right] = one[0] < other[0] ? [one, other] : [other, one];
  const y = (left[1] + right[1]) / 2;
  return `M${left[0]} ${left[1]}L0 ${y}M${width} ${y}L${right[0]} ${right[1]}`;
}

function route(row, cells, d, long, size, selected, troubled, lit) {
  const kind = ["tunnel", "ferry", "sea", "tram", "subway"].includes(cells.kind) ? cells.kind : "rail";
  const colour = /^(purple|blue|orange|white|green|yellow|black|red)$/.test(cells.colour) ? cells.colour : "gray";
  const spaces = kind === "subway" ? 1 : Math.min(Math.max(Math.round(Number(cells.length)) || 1, 1), 20);
  const group = element("g", { class: `route c-${colour} ${kind}`, "data-row": row });
  if (selected) group.classList.add("selected");
  if (troubled) group.classList.add("troubled");
  if (lit.has(row)) group.classList.add("lit");
  const step = Math.max(long - (2 * R + 8) * size, 12) / spaces;
  const gap = Math.min(4 * size, step * 0.25);
  const dashes = `${Math.max(step - gap, 1)} ${gap}`;
  group.append(
    element("path", { class: "reach", d }),
    element("path", { class: "edge", d, "stroke-dasharray": dashes }),
    element("path", { class: "track", d, "stroke-dasharray": dashes }),
  );
  const title = element("title", {});
  title.textContent = `${cells.city_a}–${cells.city_b} · ${cells.length ?? "?"}`;
  group.append(title);
  return group;
}

const FONT = 20; // px, as in the style sheet
const SIDES = {
  e: [R + 5, 0.35 * FONT, "start"],
  w: [-R - 5, 0.35 * FONT, "end"],
  n: [0, -R - 6, "middle"],
  s: [0, R + FONT, "middle"],
  ne: [R + 2, -R, "start"],
  se: [R + 2, R + 0.7 * FONT, "start"],
  nw: [-R - 2, -R, "end"],
  sw: [-R - 2, R + 0.7 * FONT, "end"],
};

// The side that was chosen for a name, or the first one on which it covers nothing that is there already.
function roomFor({ name, label }, x, y, boxes, { width, height }, size) {
  const wide = name.length * FONT * 0.52 * size;
  const choices = (SIDES[label] ? [SIDES[label]] : Object.values(SIDES)).map(([dx, dy, anchor]) => {
    const [left, down] = [x + dx * size - (anchor === "end" ? wide : anchor === "middle" ? wide / 2 : 0), y + dy * size];
    return [x + dx * size, down, anchor, [left, down - 0.8 * FONT * size, left + wide, down + 0.2 * FONT * size]];
  });
  const off = (box) => (box[0] < 0 || box[1] < 0 || box[2] > width || box[3] > height ? 5 : 0);
  const covered = ([, , , box]) =>
    off(box) + boxes.filter((taken) => taken[0] < box[2] && taken[2] > box[0] && taken[1] < box[3] && taken[3] > box[1]).length;
  return choices.reduce((best, choice) => (covered(choice) < covered(best) ? choice : best));
}
