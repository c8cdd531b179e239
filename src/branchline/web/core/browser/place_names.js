// Names on the map are never too small to be read: where the map is drawn small they grow, and where they would then lie on
// each other some are left out. Places of the player's tickets keep theirs.

const LEAST = 11; // pixels
const FAR = 2.6; // times a name may grow: beyond that its place is no longer plain
const FRAME = 20; // units of the drawing: as wide as the frame, on which no name is higher
const DOT = 10; // units from the middle of a place to where its dot has ended
const drawings = new WeakMap(); // drawing → data-place → where its name lies around it, in units of the drawing

function shapeOf(svg, place) {
  if (!drawings.has(svg)) drawings.set(svg, new Map());
  const shapes = drawings.get(svg);
  const key = place.dataset.place;
  if (!shapes.has(key)) {
    const dot = place.querySelector("circle[fill-opacity='0']");
    const [x, y] = [Number(dot.getAttribute("cx")), Number(dot.getAttribute("cy"))];
    const lines = [...place.querySelectorAll(".l")].map((line) => line.getBBox());
    const size = Number(place.querySelector(".l")?.getAttribute("font-size"));
    const edge = (side, by) => Math[by](...lines.map(side));
    shapes.set(key, lines.length && {
      x, y, size,
      left: edge((box) => box.x, "min") - x, right: edge((box) => box.x + box.width, "max") - x,
      top: edge((box) => box.y, "min") - y, bottom: edge((box) => box.y + box.height, "max") - y,
    });
  }
  return shapes.get(key);
}

const grown = ({ x, y, left, right, top, bottom }, by) => ({ left: x + left * by, right: x + right * by, top: y + top * by, bottom: y + bottom * by });
const moved = ({ left, right, top, bottom }, dx, dy) => ({ left: left + dx, right: right + dx, top: top + dy, bottom: bottom + dy });
const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

// How far a grown name moves to stay on the sheet; where it would then lie on its own place, it goes above or below that.
function inwards(box, { x, y }, sheet) {
  const dx = Math.max(FRAME - box.left, 0) + Math.min(sheet.width - FRAME - box.right, 0);
  const dy = Math.max(FRAME - box.top, 0) + Math.min(sheet.height - FRAME - box.bottom, 0);
  const covers = (dx || dy) && meet(moved(box, dx, dy), { left: x - DOT, right: x + DOT, top: y - DOT, bottom: y + DOT });
  if (!covers) return [dx, dy];
  return [dx, box.top + box.bottom < 2 * y && y - DOT - (box.bottom - box.top) > FRAME ? y - DOT - box.bottom : y + DOT - box.top];
}

// Whenever the map is drawn at another size, or parts of it anew.
export function fitNames(svg = document.querySelector("#board svg")) {
  const scale = svg.getScreenCTM().a;
  const places = [...svg.querySelectorAll("[data-place]")].map((place) => ({ place, shape: shapeOf(svg, place) })).filter(({ shape }) => shape);
  const sheet = svg.viewBox.baseVal;
  const kept = [];
  const first = (name) => (name.place.classList.contains("goal") ? 0 : 1);
  for (const { place, shape } of places.sort((one, other) => first(one) - first(other))) {
    const by = Math.min(Math.max(LEAST / (shape.size * scale), 1), FAR);
    const free = grown(shape, by);
    const [dx, dy] = by > 1 ? inwards(free, shape, sheet) : [0, 0];
    const box = moved(free, dx, dy);
    const dots = by > 1 && places.some(({ shape: { x, y } }) => x !== shape.x && meet(box, { left: x - 4, right: x + 4, top: y - 4, bottom: y + 4 }));
    const fits = by === 1 || !(kept.some((other) => meet(box, other)) || (dots && !place.matches(".goal")));
    if (fits) kept.push(box);
    place.classList.toggle("unnamed", !fits);
    for (const part of place.querySelectorAll(".l, .figures")) {
      part.style.transformOrigin = by > 1 && fits ? `${shape.x}px ${shape.y}px` : "";
      part.style.transform = by > 1 && fits ? `translate(${dx.toFixed(1)}px, ${dy.toFixed(1)}px) scale(${by.toFixed(3)})` : "";
    }
  }
  svg.classList.toggle("tiny", 9 * scale < 6); // the legend would be a speck
  for (const sign of svg.querySelectorAll("text.sign")) fitSign(sign, scale);
}

function fitSign(sign, scale) {
  const size = Math.max(Number(sign.getAttribute("font-size")), LEAST / scale);
  sign.style.fontSize = `${Math.min(size, FRAME)}px`;
  sign.style.display = FRAME * scale < LEAST ? "none" : "";
}
