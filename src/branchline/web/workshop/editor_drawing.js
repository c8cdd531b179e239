// What the map of the editor shows: routes side by side, places and their names where they cover nothing.

const SVG = "http://www.w3.org/2000/svg";
export const R = 10; // px of the sheet, a place
const APART = 13; // between parallel routes
const KINDS = ["land", "park", "lake", "street", "canal", "river", "stream", "border"];

export function groundPaths({ paths }) {
  return KINDS.filter((kind) => paths[kind]).map((kind) => element("path", { class: kind, d: paths[kind] }));
}

// `state`: draft, ground, selected, troubled, lit; `points`: by row of a place where it lies; `size`: of all signs.
export function routesDrawn({ draft, ground, selected, troubled, lit }, points, size) {
  const byName = new Map([...draft.tables.cities].map(([row, cells]) => [cells.name ?? "", row]));
  const lines = new Map(); // by their two ends, the routes that lie side by side
  for (const [row, cells] of draft.tables.routes) {
    const ends = [byName.get(cells.city_a), byName.get(cells.city_b)].sort();
    if (!ends.every((end) => points.has(end))) continue;
    lines.set(ends.join(" "), [...(lines.get(ends.join(" ")) ?? []), { row, cells, ends }]);
  }
  return [...lines.values()].flatMap((parallel) =>
    parallel.map(({ row, cells, ends }, n) => {
      const [from, to] = ends.map((end) => points.get(end)); // the same way round for all of them
      const away = (n - (parallel.length - 1) / 2) * APART * size;
      const d = cells.wraps === "yes" ? overTheEdge(from, to, ground.width) : line(from, to, away, size);
      return route(row, cells, d, Math.hypot(to[0] - from[0], to[1] - from[1]), size, row === selected?.row, troubled.has(row), lit);
    }),
  );
}

export function placesDrawn({ draft, ground, selected, troubled, lit }, points, size) {
  const r = R * size;
  const boxes = [...points.values()].map(([x, y]) => [x - r, y - r, x + r, y + r]);
  return [...points].map(([row, [x, y]]) => {
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
      const [tx, ty, anchor, box] = roomFor(cells, x, y, boxes, ground, size);
      boxes.push(box);
      const label = element("text", { x: tx, y: ty, "text-anchor": anchor });
      label.textContent = cells.name;
      group.append(label);
    }
    return group;
  });
}

export function element(name, attributes) {
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
