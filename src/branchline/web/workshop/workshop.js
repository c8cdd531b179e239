// The page where boards are begun: a region on the map of the world, files, and the boards that this browser has opened.

import { address, storedAs } from "../core/browser/address.js";
import { recentBoards } from "../core/browser/recent_boards.js";
import { readFiles } from "./workshop_files.js";

const texts = JSON.parse(document.getElementById("said").textContent);

// ------------------------------------------------------------------------------------------------ recent boards

const mine = recentBoards();
const list = document.getElementById("recent");
for (const { path, title, at } of mine) {
  const link = document.createElement("a");
  link.href = path;
  const name = document.createElement("b");
  name.textContent = title || texts.untitled;
  const when = document.createElement("em");
  when.textContent = new Date(at).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  link.append(name, document.createElement("span"), when);
  const line = document.createElement("li");
  line.append(link);
  list.append(line);
}
document.getElementById("recent-section").hidden = !mine.length;

for (const time of document.querySelectorAll("[data-at]")) {
  time.textContent = new Date(1000 * time.dataset.at).toLocaleDateString(document.documentElement.lang, { dateStyle: "medium" });
}

// ------------------------------------------------------------------------------------------------ a region

const form = document.getElementById("region");
const svg = document.getElementById("earth");
const frame = document.getElementById("frame");
const [WEST, SOUTH, EAST, NORTH] = JSON.parse(svg.dataset.bounds);
const { width, height } = svg.viewBox.baseVal;
const mercator = (lat) => Math.asinh(Math.tan((lat * Math.PI) / 180));
const [TOP, BOTTOM] = [mercator(NORTH), mercator(SOUTH)];
const sides = ["west", "south", "east", "north"].map((name) => form.elements[name]);

function showFrame() {
  const [west, south, east, north] = sides.map((side) => Number(side.value));
  const x = (lon) => ((lon - WEST) / (EAST - WEST)) * width;
  const y = (lat) => ((TOP - mercator(Math.min(Math.max(lat, -84), 84))) / (TOP - BOTTOM)) * height;
  const right = east > west ? east : east + 360;
  for (const [name, value] of Object.entries({ x: x(west), y: y(north), width: Math.max(x(right) - x(west), 1), height: Math.max(y(south) - y(north), 1) })) frame.setAttribute(name, value);
  form.elements.bounds.value = [west, south, right, north].join(",");
}

form.elements.preset.addEventListener("change", ({ target }) => {
  if (!target.value) return;
  target.value.split(",").forEach((degrees, n) => (sides[n].value = degrees));
  showFrame();
});
for (const side of sides) side.addEventListener("input", () => {
  form.elements.preset.value = "";
  showFrame();
});

let from = null;
function at(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const lon = WEST + (point.x / width) * (EAST - WEST);
  const lat = (Math.atan(Math.sinh(TOP - (point.y / height) * (TOP - BOTTOM))) * 180) / Math.PI;
  return [Math.min(Math.max(lon, WEST), EAST), Math.min(Math.max(lat, SOUTH), NORTH)];
}
svg.addEventListener("pointerdown", (event) => {
  from = at(event);
  svg.setPointerCapture(event.pointerId);
});
svg.addEventListener("pointermove", (event) => {
  if (!from) return;
  const to = at(event);
  if (Math.abs(to[0] - from[0]) < 0.5 || Math.abs(to[1] - from[1]) < 0.5) return;
  const west = Math.max(Math.min(from[0], to[0]), -180);
  const values = [west, Math.min(from[1], to[1]), Math.max(from[0], to[0]), Math.max(from[1], to[1])];
  sides.forEach((side, n) => (side.value = values[n].toFixed(1)));
  form.elements.preset.value = "";
  showFrame();
});
for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => (from = null));
showFrame();

// ------------------------------------------------------------------------------------------------ files

const opening = document.getElementById("opening");
opening.addEventListener("submit", async (event) => {
  event.preventDefault();
  const status = document.getElementById("opening-said");
  status.textContent = "";
  const body = new FormData();
  body.set("csrf", opening.elements.csrf.value);
  body.set("from", "files");
  try {
    for (const [name, value] of Object.entries(await readFiles(opening.elements.chosen.files))) body.set(name, value);
    const answer = await fetch(address("/workshop"), { method: "POST", body, headers: { accept: "application/json" } });
    if (answer.status === 413) throw new RangeError("too large");
    const opened = await answer.json();
    if (!answer.ok) {
      status.textContent = opened.why ?? texts.failed;
      return;
    }
    sessionStorage.setItem(storedAs(`branchline opened ${opened.id}`), JSON.stringify(opened.reasons));
    location.href = opened.path;
  } catch (error) {
    status.textContent = error instanceof RangeError ? texts.too_large : texts.failed;
  }
});
document.body.toggleAttribute("data-live", true);
