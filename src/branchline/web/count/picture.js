// The result as a picture: the map as it is painted, the sheet below it. Drawn here, so it needs no network.

import { drawn } from "../core/browser/desk/elements.js";
import { rowsOf, winnersTold } from "./result.js";
import { plainMinus, say, signed } from "../core/browser/desk/words.js";

const WIDE = 1600; // px
const LINE = 44;
const MARGIN = 40;
const OF_PAINT = [".branchline", ".paint", ".built", ".ball", ".number"];

export async function pictureOf({ board, position, sheet, svg, title }) {
  const map = svg.cloneNode(true);
  for (const marked of map.querySelectorAll(".asking, .hit, .focus")) marked.remove();
  const box = svg.viewBox.baseVal;
  const high = (WIDE * box.height) / box.width;
  const rows = rowsOf(board, position, sheet).map(({ name, points }) => [name, ...points.map(signed)]);
  const table = [["", ...position.seats.map((seat, n) => `${n + 1} ${seat.name}`)], ...rows, [say("total"), ...sheet.seats.map((score) => plainMinus(score.total))]];
  const tall = high + MARGIN * 2 + LINE * (table.length + 1.6);
  for (const [key, value] of Object.entries({ x: 0, y: 0, width: WIDE, height: high })) map.setAttribute(key, value);
  const picture = drawn("svg", { xmlns: "http://www.w3.org/2000/svg", width: WIDE, height: tall, viewBox: `0 0 ${WIDE} ${tall}`, class: "stage", "font-family": "Georgia, serif" });
  const style = drawn("style");
  style.textContent = rulesOf(board);
  const ink = colour("--map-ink");
  picture.append(style, drawn("rect", { width: WIDE, height: tall, fill: colour("--map-halo") }), map, symbols());
  picture.append(text(MARGIN, high + MARGIN + LINE * 0.8, `${title}: ${winnersTold(position.seats.map((seat) => seat.name), sheet.winners)}`, { "font-size": 38, "font-weight": 600, fill: ink }));
  const first = 330;
  const step = (WIDE - first - MARGIN) / position.seats.length;
  table.forEach((cells, n) => {
    const y = high + MARGIN + LINE * (n + 2.1);
    const bold = n === 0 || n === table.length - 1 ? 700 : 400;
    if (n) picture.append(drawn("path", { d: `M${MARGIN} ${y - LINE * 0.75}H${WIDE - MARGIN}`, stroke: ink, "stroke-opacity": 0.25 }));
    cells.forEach((cell, m) => picture.append(text(m ? first + step * m : MARGIN, y, shortened(cell, m ? step : first), { "font-size": 28, "font-weight": bold, fill: ink, "text-anchor": m ? "end" : "start" })));
  });
  return painted(picture, tall);
}

const text = (x, y, content, look) => {
  const label = drawn("text", { x, y, ...look });
  label.textContent = content;
  return label;
};

// So many letters as there is room for.
function shortened(words, room) {
  const most = Math.floor(room / 15.5);
  return words.length > most ? `${words.slice(0, most - 1)}…` : words;
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// The rules of the drawing and of what is painted on it; a picture inherits none from the page.
function rulesOf(board) {
  const ours = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const paint = ours.filter((rule) => OF_PAINT.some((name) => rule.selectorText?.startsWith(name)) || /^\.p-\d/.test(rule.selectorText ?? ""));
  return board.style + paint.map((rule) => rule.cssText).join("");
}

// A picture knows none of the page's properties: neither in its rules nor in its attributes.
const resolved = (drawing) => drawing.replace(/var\((--map-[\w-]+)\)/g, (_, name) => colour(name));

function symbols() {
  const definitions = drawn("defs");
  for (const symbol of document.querySelectorAll("#s-station, #s-anchor")) definitions.append(symbol.cloneNode(true));
  return definitions;
}

async function painted(picture, tall) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(resolved(new XMLSerializer().serializeToString(picture)))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDE, Math.ceil(tall)];
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"));
}
